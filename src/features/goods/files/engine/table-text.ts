import { TABLE_LINES_MAX, UselessFile } from '../rules.ts'

const ZIP = [0x50, 0x4b]

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

/** The text of a table: UTF-8, or UTF-16 by its mark or by its zeros. What is none (a workbook, another encoding) is no table. */
export function tableText(bytes: Uint8Array): string {
  if (startsWith(bytes, ZIP)) throw new UselessFile('not_table')
  const encoding = encodingOf(bytes)
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new UselessFile('not_table')
  }
  if (text.includes('\0')) throw new UselessFile('not_table')
  return text
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be'
  if (bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le'
  return bytes[0] === 0 && bytes[1] !== 0 ? 'utf-16be' : 'utf-8'
}

const SEPARATORS = [';', '\t', ','] as const

/** What stands between the cells: the sign that the first line has most of, outside of quotes. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '')
  const counted = SEPARATORS.map((sign) => ({ sign, count: bare.split(sign).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

/** How some spreadsheets name the sign, on a line of its own. */
const NAMED = /^sep=(.)\r?\n/i
const CELL_MAX = 4_000
const CELLS_MAX = 100
/** Characters of a line, and lines with the empty ones: what has more is no table of goods, and would be looked through for minutes. */
const LINE_MAX = 1_000_000
const LINES_MAX = 2 * TABLE_LINES_MAX

export interface TableLine {
  /** As spreadsheets count, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The lines of a table, cell by cell; quotes around those that hold a break, a separator or quotes of their own. Empty lines are left out. Throws `UselessFile`. */
export function* tableLines(text: string): Generator<TableLine> {
  const named = NAMED.exec(text)
  const separator = named?.[1] ?? separatorOf(firstLine(text))
  let at = named ? named[0].length : 0
  let line = named ? 2 : 1
  while (at < text.length) {
    const read = lineAt(text, at, separator)
    if (read.cells.some((cell) => cell !== '')) yield { line, cells: read.cells }
    at = read.next
    line += 1
    if (line > LINES_MAX) throw new UselessFile('too_long')
  }
}

const firstLine = (text: string) => /^[^\r\n]*/.exec(text.slice(0, LINE_MAX))?.[0] ?? ''

function lineAt(
  text: string,
  start: number,
  separator: string,
): { readonly cells: string[]; readonly next: number } {
  const cells: string[] = []
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? quotedAt(text, at, separator) : plainAt(text, at, separator)
    if (cells.length < CELLS_MAX) cells.push(cell.text.trim().slice(0, CELL_MAX))
    at = cell.next
    if (at - start > LINE_MAX) throw new UselessFile('not_table')
    if (text[at] === separator) {
      at += 1
      continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') return { cells, next: at + 2 }
    return { cells, next: at + 1 }
  }
}

const isEnd = (sign: string | undefined, separator: string) =>
  sign === undefined || sign === separator || sign === '\n' || sign === '\r'

function plainAt(text: string, start: number, separator: string) {
  let at = start
  while (!isEnd(text[at], separator) && at - start <= LINE_MAX) at += 1
  return { text: text.slice(start, at), next: at }
}

function quotedAt(text: string, start: number, separator: string) {
  let at = start + 1
  let inside = ''
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) return { text: inside + text.slice(at, at + CELL_MAX), next: text.length }
    if (end - start > LINE_MAX) throw new UselessFile('not_table')
    inside += text.slice(at, end)
    if (text[end + 1] !== '"') {
      // What stands behind the quote belongs to the cell.
      const rest = plainAt(text, end + 1, separator)
      return { text: inside + rest.text, next: rest.next }
    }
    inside += '"'
    at = end + 2
  }
}

/** What the shop's own tables put before a text that a spreadsheet would run. */
export const withoutApostrophe = (cell: string): string =>
  /^'['=+\-@\t＝＋－＠]/.test(cell) ? cell.slice(1) : cell
