/** A line as its cells (RFC 4180 within one line): separated by commas, semicolons, tabs or bars; quotes may hold separators. */
export function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (line[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  cells.push(cell)
  return cells
}

const SEPARATORS = ['\t', ';', '|', ',']

/** What separates the cells of a file, by its first line. */
export function separatorOf(line: string): string {
  return SEPARATORS.find((separator) => line.includes(separator)) ?? ','
}

/** A picture of 1 MiB in base64, and what stands beside it. */
const LINE_MAX = 1_500_000

/** Lines of a stream of text, one at a time, without their ends; a byte order mark is left out. Throws RangeError for a line without end. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let isFirst = true
  for await (const chunk of chunks) {
    rest += isFirst ? chunk.replace(/^\uFEFF/, '') : chunk
    isFirst = false
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new RangeError('a line is too long')
    yield* lines
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}
