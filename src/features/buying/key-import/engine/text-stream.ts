import { AppError } from '#kernel/error.ts'
import { CHUNK_CHARACTERS, FILE_MAX_BYTES, LINE_CHARACTERS_MAX, LINES_MAX } from '../rules.ts'

/** Whole lines of a file, as they are sealed together. */
export interface LineChunk {
  readonly firstLine: number
  readonly lines: number
  /** With a line feed after each line but the last. */
  readonly text: string
  /** Bytes of the file read so far. */
  readonly bytes: number
}

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const
const MARK_LONGEST = 3
/** What no file of keys holds: of programs, archives and pictures. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * A file as chunks of whole lines, whatever its encoding says by its mark (UTF-8 without one), held in memory a chunk at a time. Throws
 * 'upload_format' for what is no text, 'too_large' past the limits.
 */
export async function* chunksOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<LineChunk> {
  let line = 1
  let rest = ''
  let bytes = 0
  for await (const piece of decoded(file, (read) => (bytes = read))) {
    rest += piece
    while (rest.length >= CHUNK_CHARACTERS) {
      const end = rest.lastIndexOf('\n', Math.max(CHUNK_CHARACTERS, rest.indexOf('\n')))
      if (end < 0) break
      const chunk = chunkOf(rest.slice(0, end), line, bytes)
      rest = rest.slice(end + 1)
      line += chunk.lines
      yield chunk
    }
    if (rest.length > LINE_CHARACTERS_MAX + CHUNK_CHARACTERS) throw new AppError('too_large')
  }
  if (rest.trim() !== '') yield chunkOf(rest.replace(/\n$/, ''), line, bytes)
}

function chunkOf(text: string, firstLine: number, bytes: number): LineChunk {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (firstLine + lines - 1 > LINES_MAX) throw new AppError('too_large')
  return { firstLine, lines, text, bytes }
}

async function* decoded(
  file: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of file) {
    bytes += piece.length
    if (bytes > FILE_MAX_BYTES) throw new AppError('too_large')
    onRead(bytes)
    let part: Uint8Array = piece
    if (!decoder) {
      head = Buffer.concat([head, piece])
      if (head.length < MARK_LONGEST) continue
      decoder = decoderOf(head)
      part = head
    }
    yield textOf(() => decoder?.decode(part, { stream: true }) ?? '')
  }
  const last = decoder ?? decoderOf(head)
  yield textOf(() => (decoder ? last.decode() : last.decode(head)))
}

function decoderOf(head: Uint8Array): TextDecoder {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))
  // The mark itself is left out by the decoder.
  return new TextDecoder(mark?.encoding ?? 'utf-8', { fatal: true })
}

function textOf(read: () => string): string {
  let text: string
  try {
    text = read()
  } catch (error) {
    throw new AppError('upload_format', {}, { cause: error })
  }
  if (NO_TEXT.test(text)) throw new AppError('upload_format')
  return text
}
