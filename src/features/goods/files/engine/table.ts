import type { FieldReason } from '#kernel/error.ts'
import { createTurns } from '#platform/turns.ts'
import { TABLE_LINES_MAX, UselessFile, type FileFault } from '../rules.ts'
import { tableLines, withoutApostrophe } from './table-text.ts'

/** Columns that change an item that is there; a new one takes them, too. */
export const CHANGING = ['price', 'market', 'cost', 'stock', 'position', 'status', 'name'] as const
/** What else a new item, its product and its brand say. Of an item that is there they tell what it is, and change nothing. */
const MAKING = [
  'currency',
  'kind',
  'face',
  'face_currency',
  'units',
  'bonus',
  'days',
  'data_mb',
  'reference',
  'product',
  'region',
  'brand',
  'brand_name',
  'brand_kind',
  'publisher',
  'delivery',
  'categories',
] as const
export const TABLE_COLUMNS = ['code', ...CHANGING, ...MAKING] as const
export type TableColumn = (typeof TABLE_COLUMNS)[number]

export interface TableRow {
  readonly line: number
  readonly code: string
  /** What its cells say; those that say nothing are left out. */
  readonly cells: Readonly<Partial<Record<TableColumn, string>>>
}

export interface ReadTable {
  readonly lines: number
  /** The line that names the columns. */
  readonly head: number
  readonly columns: ReadonlySet<TableColumn>
  readonly rows: readonly TableRow[]
  readonly faults: readonly FileFault[]
}

const ITEM_CODE = /^[a-z]+(:[a-z0-9_.-]+){2,3}$/
const SHOWN = 60

export const faultAt = (
  line: number,
  place: string,
  shown: string,
  reason: FieldReason,
  why: string | null = null,
): FileFault => ({ line, place, shown: shown.slice(0, SHOWN), reason, why })

/** Reads a table whose first line names its columns. Lines without a code, and those whose code stands twice, are told. */
export async function readTable(text: string): Promise<ReadTable> {
  const all = tableLines(text)
  const head = all.next()
  if (head.done) throw new UselessFile('no_columns')
  const faults: FileFault[] = []
  const columns = head.value.cells.map((cell, at) => {
    const name = columnOf(cell)
    if (name === null && cell !== '')
      faults.push(faultAt(head.value.line, `${at + 1}`, cell, 'unknown_field'))
    return name
  })
  if (!columns.includes('code')) throw new UselessFile('no_columns')
  const rows: TableRow[] = []
  const firsts = new Map<string, number>()
  const giveWay = createTurns()
  let lines = 0
  for (const { line, cells } of all) {
    await giveWay()
    lines += 1
    if (lines > TABLE_LINES_MAX) throw new UselessFile('too_long')
    const said = cellsOf(cells, columns)
    const code = said.code ?? ''
    if (code === '')
      faults.push(faultAt(line, 'code', cells.find((cell) => cell !== '') ?? '', 'required'))
    else if (!ITEM_CODE.test(code)) faults.push(faultAt(line, 'code', code, 'code_format'))
    else if (firsts.has(code)) faults.push(faultAt(line, 'code', code, 'code_taken'))
    else {
      firsts.set(code, line)
      rows.push({ line, code, cells: said })
    }
  }
  const known = columns.filter((name) => name !== null)
  return { lines, head: head.value.line, columns: new Set(known), rows, faults }
}

function columnOf(cell: string): TableColumn | null {
  const name = cell.toLowerCase().replace(/[\s-]+/g, '_')
  return TABLE_COLUMNS.find((one) => one === name) ?? null
}

function cellsOf(cells: readonly string[], columns: readonly (TableColumn | null)[]) {
  const said: Partial<Record<TableColumn, string>> = {}
  cells.forEach((cell, at) => {
    const name = columns[at]
    if (name && cell !== '') said[name] = withoutApostrophe(cell)
  })
  return said
}
