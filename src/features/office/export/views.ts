import { CSV_MARK, csvRow, inertText } from '#kernel/csv.ts'
import { NO_SHEET, writePiece, type Cell } from './engine/xlsx.ts'
import type { ExportFormat } from './rules.ts'

/** A cell of a table: text as it is, or a number as plain digits. */
export type ColumnValue = Cell

export interface Table {
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly ColumnValue[])[]
}

/** A table that is short enough to be made at once. What a spreadsheet would run begins with an apostrophe, as in the long ones. */
export async function fileOfTable(
  { name, head, rows }: Table,
  format: ExportFormat,
): Promise<readonly (string | Uint8Array)[]> {
  if (format === 'csv') {
    const plain = (cell: ColumnValue) => ('number' in cell ? cell.number : cell.text)
    return [CSV_MARK, csvRow(head), ...rows.map((row) => csvRow(row.map(plain)))]
  }
  const inert = rows.map((row) =>
    row.map((cell) => ('number' in cell ? cell : { text: inertText(cell.text) })),
  )
  const { bytes } = await writePiece({ name, head, rows: inert, isLast: true }, NO_SHEET)
  return [bytes]
}
