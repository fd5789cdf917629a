import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { UselessFile } from '../rules.ts'

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const COMMENT_MAX = 65_535
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
const UTF8 = 0x0800
/** A day that every program can show: the first there is. */
const DAY = 0x0021
const FILES_MAX = 50_000
/** What one file, and all of them, unpack to: some kilobytes can unpack to gigabytes. */
const UNPACKED_FILE_MAX = 50 * 1024 * 1024
const UNPACKED_MAX = 256 * 1024 * 1024

export interface ArchivedFile {
  /** With slashes. */
  readonly path: string
  readonly bytes: Buffer
}

/** The files of an archive (ZIP) that `wanted` asks for, one after the other. What is none, is encrypted or broken is no archive. */
export function* zipFiles(
  archive: Buffer,
  wanted: (path: string) => boolean,
): Generator<ArchivedFile> {
  const { count, start } = endOf(archive)
  if (count > FILES_MAX) throw new UselessFile('too_large')
  let at = start
  let unpacked = 0
  for (let no = 0; no < count; no += 1) {
    if (at + ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== ENTRY)
      throw new UselessFile('not_archive')
    const nameEnd = at + ENTRY_BYTES + archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + ENTRY_BYTES, nameEnd).replaceAll('\\', '/')
    if (wanted(path)) {
      const bytes = unpackedAt(archive, at)
      unpacked += bytes.length
      if (unpacked > UNPACKED_MAX) throw new UselessFile('too_large')
      yield { path, bytes }
    }
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
}

/** The end of an archive says where its directory is; a comment may stand behind it. */
function endOf(archive: Buffer): { readonly count: number; readonly start: number } {
  const last = archive.length - END_BYTES
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX); at -= 1)
    if (archive.readUInt32LE(at) === END)
      return { count: archive.readUInt16LE(at + 10), start: archive.readUInt32LE(at + 16) }
  throw new UselessFile('not_archive')
}

function unpackedAt(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10)
  const sum = archive.readUInt32LE(entry + 16)
  const [packed, size] = [archive.readUInt32LE(entry + 20), archive.readUInt32LE(entry + 24)]
  const local = archive.readUInt32LE(entry + 42)
  if ((archive.readUInt16LE(entry + 8) & ENCRYPTED) !== 0) throw new UselessFile('not_archive')
  if (size > UNPACKED_FILE_MAX) throw new UselessFile('too_large')
  if (local + LOCAL_BYTES > archive.length || archive.readUInt32LE(local) !== LOCAL)
    throw new UselessFile('not_archive')
  const start =
    local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = inflated(archive.subarray(start, start + packed), method)
  if (bytes.length !== size || crc32(bytes) !== sum) throw new UselessFile('not_archive')
  return bytes
}

function inflated(packed: Buffer, method: number): Buffer {
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new UselessFile('not_archive')
  try {
    return inflateRawSync(packed, { maxOutputLength: UNPACKED_FILE_MAX })
  } catch (error) {
    throw new UselessFile(error instanceof RangeError ? 'too_large' : 'not_archive')
  }
}

/** An archive that is made file by file: what goes out at once, and what is remembered for its end. */
export class ZipWriter {
  readonly #entries: Buffer[] = []
  #offset = 0

  /** @returns bytes to write */
  add({ path, bytes }: ArchivedFile): Buffer {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(UTF8, 2)
    head.writeUInt16LE(DEFLATED, 4)
    head.writeUInt16LE(DAY, 8)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(bytes.length, 18)
    head.writeUInt16LE(name.length, 22)
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeUInt32LE(ENTRY, 0)
    entry.writeUInt16LE(20, 4)
    head.copy(entry, 6)
    entry.writeUInt32LE(this.#offset, 42)
    this.#entries.push(Buffer.concat([entry, name]))
    const signature = Buffer.alloc(4)
    signature.writeUInt32LE(LOCAL, 0)
    const written = Buffer.concat([signature, head, name, packed])
    this.#offset += written.length
    return written
  }

  end(): Buffer {
    const directory = Buffer.concat(this.#entries)
    const end = Buffer.alloc(END_BYTES)
    end.writeUInt32LE(END, 0)
    end.writeUInt16LE(this.#entries.length, 8)
    end.writeUInt16LE(this.#entries.length, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(this.#offset, 16)
    return Buffer.concat([directory, end])
  }
}
