import { describe, expect, test } from 'vitest'
import { FILE_MAX_BYTES, LINES_MAX } from '../rules.ts'
import { SeenLines } from './seen-lines.ts'
import { chunksOf, type LineChunk } from './text-stream.ts'

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function read(bytes: Uint8Array, size = 7): Promise<LineChunk[]> {
  const chunks: LineChunk[] = []
  for await (const chunk of chunksOf(pieces(bytes, size))) chunks.push(chunk)
  return chunks
}
const textOf = (chunks: readonly LineChunk[]) => chunks.map(({ text }) => text).join('\n')
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('a file of keys', () => {
  test.each([
    ['UTF-8', Buffer.from('ÄB-1\r\nCD-2\n')],
    ['UTF-8 by its mark', Buffer.from('\uFEFFÄB-1\r\nCD-2\n')],
    ['UTF-16, little end first', Buffer.from('\uFEFFÄB-1\r\nCD-2\n', 'utf16le')],
    ['UTF-16, big end first', utf16be('\uFEFFÄB-1\r\nCD-2\n')],
  ])('in %s is read as its mark says, however it is cut', async (_, bytes) => {
    for (const size of [1, 2, 3, 5, 100])
      expect(textOf(await read(bytes, size))).toBe('ÄB-1\r\nCD-2')
  })

  test('comes as whole lines with their numbers', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `LINE-${index}`)
    const chunks = await read(Buffer.from(lines.join('\n')), 4_001)
    expect(chunks.length).toBeGreaterThan(1)
    expect(textOf(chunks)).toBe(lines.join('\n'))
    let next = 1
    for (const chunk of chunks) {
      expect([chunk.firstLine, chunk.text.split('\n').length]).toEqual([next, chunk.lines])
      next += chunk.lines
    }
  })

  test.each([
    ['a zip archive', Buffer.from('504b03041400000008000000', 'hex')],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['UTF-16 without a mark', Buffer.from('ABCD\n', 'utf16le')],
    ['bytes that are no text', Buffer.from([0x41, 0x42, 0x43, 0xff, 0xfe, 0x0a])],
    ['a file of two bytes that are no text', Buffer.from([0xc3, 0x28])],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'upload_format' })
  })

  test('is refused as soon as it is too long, in bytes, lines or one line', async () => {
    const big = Buffer.alloc(16 * 1024 * 1024, 'A\n')
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += big.length
        yield big
      }
    }
    const drain = async (file: AsyncIterable<Uint8Array>) => {
      for await (const _ of chunksOf(file));
    }
    await expect(drain(endless())).rejects.toMatchObject({ code: 'too_large' })
    expect(sent).toBeLessThanOrEqual(Math.max(2 * LINES_MAX + 2 * big.length, FILE_MAX_BYTES))
    await expect(drain(pieces(Buffer.alloc(8_000_000, 'A'), 65_536))).rejects.toMatchObject({
      code: 'too_large',
    })
  })

  test('of nothing but blanks has no lines', async () => {
    expect(await read(Buffer.from(' \r\n\n'))).toEqual([])
  })
})

test('a hash is known by the line it was met at first, among many', () => {
  const seen = new SeenLines()
  const hash = (index: number) => {
    const bytes = Buffer.alloc(32)
    bytes.writeUInt32LE(Math.imul(index, 2_654_435_761) >>> 0, 0)
    bytes.writeUInt32LE(index, 4)
    return bytes
  }
  for (let index = 0; index < 10_000; index += 1) expect(seen.meet(hash(index), index + 1)).toBe(0)
  for (let index = 0; index < 10_000; index += 1)
    expect(seen.meet(hash(index), 99_999)).toBe(index + 1)
})
