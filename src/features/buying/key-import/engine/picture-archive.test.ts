import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { picturesOf } from './picture-archive.ts'

interface Packed {
  readonly name: string
  readonly bytes: Buffer
  readonly isStored?: boolean
  /** Its length stands behind it: with a mark, or without. */
  readonly follows?: 'marked' | 'plain'
  readonly flags?: number
}

function entry({ name, bytes, isStored = false, follows, flags = 0 }: Packed): Buffer {
  const packed = isStored ? bytes : deflateRawSync(bytes)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags | (follows ? 8 : 0), 6)
  header.writeUInt16LE(isStored ? 0 : 8, 8)
  const lengths = Buffer.alloc(12)
  lengths.writeUInt32LE(crc32(bytes), 0)
  lengths.writeUInt32LE(packed.length, 4)
  lengths.writeUInt32LE(bytes.length, 8)
  if (!follows) lengths.copy(header, 14)
  header.writeUInt16LE(Buffer.byteLength(name), 26)
  const mark = Buffer.from([0x50, 0x4b, 0x07, 0x08])
  const behind = follows ? [...(follows === 'marked' ? [mark] : []), lengths] : []
  return Buffer.concat([header, Buffer.from(name), packed, ...behind])
}

const END = Buffer.concat([Buffer.from([0x50, 0x4b, 0x05, 0x06]), Buffer.alloc(18)])
const archive = (...files: readonly Packed[]) => Buffer.concat([...files.map(entry), END])

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Uint8Array, size = 1_000): Promise<string[]> {
  const lines: string[] = []
  for await (const line of picturesOf(cut(bytes, size)))
    lines.push(Buffer.from(line).toString().trimEnd())
  return lines
}

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await read(bytes)
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
  return 'none'
}

const picture = (seed: number, length = 3_000) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * seed + (index >> 3)) % 256))
const base64 = (...pictures: readonly Buffer[]) => pictures.map((one) => one.toString('base64'))

describe('an archive of pictures', () => {
  test('that unpacks to more than one may is refused, whatever its files are called', async () => {
    const one = entry({ name: '__MACOSX/zeros', bytes: Buffer.alloc(1_048_576) })
    const bytes = Buffer.concat([...Array.from({ length: 513 }, () => one), END])
    expect(await refusal(bytes)).toBe('too_large')
    expect(await refusal(Buffer.concat([one, one, END]))).toBe('none')
  })

  test('gives a line a picture, however it is packed and however it is cut', async () => {
    const [one, two, three, four] = [picture(3), picture(5), picture(7), picture(11)]
    const bytes = archive(
      { name: 'keys/', bytes: Buffer.alloc(0), isStored: true },
      { name: 'keys/1.png', bytes: one },
      { name: 'keys/2.png', bytes: two, isStored: true },
      { name: '__MACOSX/keys/._1.png', bytes: Buffer.from('x') },
      { name: 'keys/.DS_Store', bytes: Buffer.from('x') },
      { name: 'keys/3.png', bytes: three, follows: 'marked' },
      { name: 'keys/4.png', bytes: four, follows: 'plain' },
    )
    for (const size of [1, 7, 64, 100_000])
      expect(await read(bytes, size)).toEqual(base64(one, two, three, four))
  })

  test('that unpacks to more than a picture may have is refused before it is unpacked', async () => {
    const bomb = Buffer.alloc(64 * 1024 * 1024)
    expect(await refusal(archive({ name: 'a.png', bytes: bomb }))).toBe('too_large')
    expect(await refusal(archive({ name: 'a.png', bytes: bomb, follows: 'marked' }))).toBe(
      'too_large',
    )
    const stored = { name: 'a.png', bytes: Buffer.alloc(2 * 1024 * 1024), isStored: true }
    expect(await refusal(archive(stored))).toBe('too_large')
  })

  test.each([
    ['that is encrypted', archive({ name: 'a.png', bytes: picture(3), flags: 1 })],
    ['that breaks off', archive({ name: 'a.png', bytes: picture(3) }).subarray(0, 200)],
    ['without an end', entry({ name: 'a.png', bytes: picture(3) })],
    [
      'with something else in it',
      Buffer.concat([entry({ name: 'a', bytes: picture(3) }), Buffer.from('nothing of the kind')]),
    ],
    [
      'whose sum is another',
      Buffer.concat([
        entry({ name: 'a', bytes: picture(3), isStored: true }).fill(1, 2_000, 2_010),
        END,
      ]),
    ],
    [
      'stored at a length nobody says',
      archive({ name: 'a', bytes: picture(3), isStored: true, follows: 'marked' }),
    ],
  ])('%s is refused', async (_, bytes) => {
    expect(await refusal(bytes)).toBe('upload_format')
  })
})
