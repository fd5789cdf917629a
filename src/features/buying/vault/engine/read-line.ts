import { cellsOf, separatorOf } from './lines.ts'
import { columnsOf, readKeyLine, type KeyFormat, type ReadLine } from '../rules.ts'

/** What the first line of a file says of the others. */
export interface LineLayout {
  readonly separator: string
  readonly columns: readonly string[]
  /** It names the columns, and is no key. */
  readonly isHeader: boolean
}

export function layoutOf(firstLine: string, format: KeyFormat): LineLayout {
  const separator = separatorOf(firstLine)
  return { separator, ...columnsOf(cellsOf(firstLine, separator), format) }
}

/** One line of a file as a key, or what is wrong with it. */
export const readLine = (
  line: string,
  { separator, columns }: LineLayout,
  format: KeyFormat,
  today: string,
): ReadLine => readKeyLine(cellsOf(line, separator), columns, format, today)
