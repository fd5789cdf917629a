import { setImmediate } from 'node:timers/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import { PICTURE_MAX } from '#features/buying/vault/rules.ts'
import { AppError } from '#kernel/error.ts'
import { FILE_MAX_BYTES } from '../rules.ts'

const FILE = 0x04034b50
const DESCRIPTOR = 0x08074b50
/** What follows the last file. */
const DIRECTORY = new Set([0x02014b50, 0x06054b50])
const HEADER_BYTES = 30
const ENCRYPTED = 1
const SIZE_FOLLOWS = 8
const STORED = 0
const DEFLATED = 8
/** A picture that hardly packs is a little longer packed than it is. */
const PACKED_MAX = PICTURE_MAX + 64 * 1024
/** What all files of an archive unpack to, those that are set aside too, and how many they are. */
const UNPACKED_MAX = 2 * FILE_MAX_BYTES
const FILES_MAX = 200_000

export const ARCHIVE_MARK: readonly number[] = [0x50, 0x4b, 0x03, 0x04]

/**
 * The pictures of an archive (ZIP), each as a line of base64, in the order in which they lie in it; one at a time is in memory. What a file
 * calls itself counts for nothing, and neither does what the archive says at its end: it is read as it comes. Throws 'too_large' for a
 * picture that unpacks to more than one may have and for an archive past the limit, 'upload_format' for what is none, is encrypted or broken.
 */
export async function* picturesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = readerOf(file)
  let unpacked = 0
  for (let files = 0; ; files += 1) {
    const signature = (await reader.take(4)).readUInt32LE(0)
    if (DIRECTORY.has(signature)) break
    if (signature !== FILE) throw new AppError('upload_format')
    const { isPicture, bytes } = await readFile(reader)
    unpacked += bytes.length
    if (unpacked > UNPACKED_MAX || files >= FILES_MAX) throw new AppError('too_large')
    // Unpacking takes a moment: others have their turn between two files.
    await setImmediate()
    if (isPicture) yield Buffer.from(`${bytes.toString('base64')}\n`)
  }
  await reader.drain()
}

async function readFile(
  reader: Reader,
): Promise<{ readonly isPicture: boolean; readonly bytes: Buffer }> {
  const header = await reader.take(HEADER_BYTES - 4)
  const flags = header.readUInt16LE(2)
  const method = header.readUInt16LE(4)
  const sum = header.readUInt32LE(10)
  const packed = header.readUInt32LE(14)
  const name = (await reader.take(header.readUInt16LE(22))).toString('utf8')
  await reader.take(header.readUInt16LE(24))
  const isKnown = (flags & SIZE_FOLLOWS) === 0
  const canRead = method === DEFLATED || (method === STORED && isKnown)
  if ((flags & ENCRYPTED) !== 0 || !canRead) throw new AppError('upload_format')
  if (isKnown && packed > PACKED_MAX) throw new AppError('too_large')
  const bytes =
    method === STORED
      ? await reader.take(packed)
      : await reader.unpack(isKnown ? packed : PACKED_MAX, isKnown)
  if (bytes.length > PICTURE_MAX) throw new AppError('too_large')
  if (crc32(bytes) !== (isKnown ? sum : await followingSum(reader)))
    throw new AppError('upload_format')
  return { isPicture: !isAside(name), bytes }
}

/** What stands behind a file whose length was not known before it, with a mark or without. */
async function followingSum(reader: Reader): Promise<number> {
  const first = (await reader.take(4)).readUInt32LE(0)
  const sum = first === DESCRIPTOR ? (await reader.take(4)).readUInt32LE(0) : first
  await reader.take(8)
  return sum
}

/** Folders, and what systems put beside the files of people. */
const isAside = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || /(?:^|\/)\.[^/]*$/.test(name)

interface Reader {
  /** The next bytes, so many. Throws 'upload_format' where they end before. */
  readonly take: (length: number) => Promise<Buffer>
  /** What the next bytes unpack to: all of so many, or as many of them as belong to it. */
  readonly unpack: (most: number, isAll: boolean) => Promise<Buffer>
  /** Reads to the end, and forgets it. */
  readonly drain: () => Promise<void>
}

function readerOf(file: AsyncIterable<Uint8Array>): Reader {
  const pieces = file[Symbol.asyncIterator]()
  let held = Buffer.alloc(0)
  let read = 0

  /** @returns false at the end */
  async function more(): Promise<boolean> {
    const next = await pieces.next()
    if (next.done) return false
    read += next.value.length
    if (read > FILE_MAX_BYTES) throw new AppError('too_large')
    held = Buffer.concat([held, next.value])
    return true
  }

  async function fill(length: number): Promise<void> {
    while (held.length < length && (await more()));
  }

  async function take(length: number): Promise<Buffer> {
    await fill(length)
    if (held.length < length) throw new AppError('upload_format')
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }

  return {
    take,
    async unpack(most, isAll) {
      await fill(most)
      if (isAll && held.length < most) throw new AppError('upload_format')
      const { bytes, used } = inflated(held.subarray(0, most))
      await take(isAll ? most : used)
      return bytes
    },
    async drain() {
      held = Buffer.alloc(0)
      while (await more()) held = Buffer.alloc(0)
    },
  }
}

function inflated(packed: Buffer): { readonly bytes: Buffer; readonly used: number } {
  try {
    const { buffer, engine } = inflateRawSync(packed, {
      info: true,
      maxOutputLength: PICTURE_MAX,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
    return { bytes: buffer, used: engine.bytesWritten }
  } catch (error) {
    const isTooMuch = error instanceof RangeError
    throw new AppError(isTooMuch ? 'too_large' : 'upload_format', {}, { cause: error })
  }
}
