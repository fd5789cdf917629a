import { minorOf } from '../kit/amount.ts'
import type { ColumnData, FieldData } from './shown.ts'

/** A row of a list as it is typed, by the name of its column. */
export type DraftRow = Readonly<Record<string, string>>

/** A value as it is typed. */
export type Draft = string | boolean | DraftRow | readonly DraftRow[]

type Places = (currency: string) => number

/** Minor units as they are typed. */
export function decimalOf(minor: number, places: number): string {
  if (!Number.isInteger(minor)) return String(minor)
  const digits = String(minor).padStart(places + 1, '0')
  const whole = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return whole.includes('.') ? whole.replace(/\.?0+$/, '') : whole
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value)

/** What a value looks like in its field; what is not set looks like its default. */
export function draftOf(field: FieldData, value: unknown, places: Places): Draft {
  const { kind, columns } = field
  const shown = value ?? field.standard
  if (kind === 'switch') return shown === true
  if (kind === 'percent' || kind === 'usd')
    return typeof shown === 'number' ? decimalOf(shown, 2) : textOf(shown)
  if (kind === 'money') return moneyDraft(shown, places)
  if (kind === 'hours') {
    const { from, to } = recordOf(shown)
    return { from: textOf(from), to: textOf(to) }
  }
  if (kind === 'lines') return listOf(shown).map(textOf).join('\n')
  if (kind === 'cells') return cellsOf(columns, shown)
  if (kind === 'rows') return listOf(shown).map((row) => cellsOf(columns, row))
  if (kind === 'groups') return groupRows(columns, shown)
  if (kind === 'record') return recordRows(columns, shown)
  if (kind === 'json') return shown === null ? '' : JSON.stringify(shown, null, 2)
  return kind === 'secret' ? '' : textOf(shown)
}

function moneyDraft(value: unknown, places: Places): DraftRow {
  if (value === null) return { amount: '', currency: '' }
  const { minor, currency } =
    typeof value === 'object'
      ? (value as { readonly minor: number; readonly currency: string })
      : { minor: Number(value), currency: 'USD' }
  return { amount: decimalOf(minor, places(currency)), currency }
}

function cellsOf(columns: readonly ColumnData[], value: unknown): DraftRow {
  const parts = recordOf(value)
  return Object.fromEntries(
    columns.map(({ name, kind }) => {
      const part = parts[name]
      return [
        name,
        typeof part === 'number' && (kind === 'percent' || kind === 'usd')
          ? decimalOf(part, 2)
          : textOf(part),
      ]
    }),
  )
}

/** A list within a list, with the name of the outer one in each row. */
function groupRows(columns: readonly ColumnData[], value: unknown): readonly DraftRow[] {
  return listOf(value).flatMap((group) => {
    const { title, list } = recordOf(group)
    const rows = listOf(list)
    return (rows.length === 0 ? [{}] : rows).map((row) => ({
      ...cellsOf(columns, row),
      group: textOf(title),
    }))
  })
}

function recordRows(columns: readonly ColumnData[], value: unknown): readonly DraftRow[] {
  return Object.entries(recordOf(value)).map(([key, own]) => ({
    ...cellsOf(columns, typeof own === 'object' ? own : { value: own }),
    key,
  }))
}

/** What is typed as the shop takes it: null for nothing, and as it was typed for what is no such value, which the shop then refuses. */
export function valueOf(field: FieldData, draft: Draft, places: Places): unknown {
  const { kind, columns } = field
  if (typeof draft === 'boolean') return draft
  if (typeof draft === 'string') return textValue(kind, draft)
  if (kind === 'hours' || kind === 'money' || kind === 'cells') {
    const row = draft as DraftRow
    if (Object.values(row).every((cell) => cell.trim() === '')) return null
    if (kind === 'hours') return { from: row['from'], to: row['to'] }
    return kind === 'money' ? moneyValue(row, places) : cellValues(columns, row)
  }
  const rows = (draft as readonly DraftRow[]).filter((row) =>
    Object.values(row).some((cell) => cell.trim() !== ''),
  )
  if (kind === 'groups') return groupValues(columns, rows)
  return kind === 'record'
    ? recordValues(columns, rows)
    : rows.map((row) => cellValues(columns, row))
}

function textValue(kind: FieldData['kind'], typed: string): unknown {
  const text = typed.trim()
  if (text === '') return null
  if (kind === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (kind === 'number') return numberOf(text)
  if (kind === 'percent' || kind === 'usd') return hundredthsOf(text)
  return kind === 'json' ? parsed(text) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function numberOf(text: string): unknown {
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : text
}

const isZero = (text: string) => /^0+([.,]0*)?$/.test(text)

function hundredthsOf(text: string): unknown {
  if (isZero(text)) return 0
  const minor = minorOf(text, 2)
  return minor === null ? text : Number(minor)
}

function moneyValue({ amount = '', currency = '' }: DraftRow, places: Places): unknown {
  const text = amount.trim()
  const minor = isZero(text) ? '0' : minorOf(text, places(currency))
  return { minor: minor === null ? text : Number(minor), currency }
}

function cellValue({ kind }: ColumnData, typed: string): unknown {
  const text = typed.trim()
  if (kind === 'switch') return text === 'true'
  if (kind === 'number') return numberOf(text)
  return kind === 'percent' || kind === 'usd' ? hundredthsOf(text) : text
}

/** Empty cells are not there. */
function cellValues(columns: readonly ColumnData[], row: DraftRow): Record<string, unknown> {
  return Object.fromEntries(
    columns
      .filter(({ name }) => (row[name] ?? '').trim() !== '')
      .map((column) => [column.name, cellValue(column, row[column.name] ?? '')]),
  )
}

function groupValues(columns: readonly ColumnData[], rows: readonly DraftRow[]): unknown {
  const groups: { title: string; list: Record<string, unknown>[] }[] = []
  const inner = columns.filter(({ name }) => name !== 'group')
  for (const row of rows) {
    const title = (row['group'] ?? '').trim()
    const last = groups.at(-1)
    const list = last?.title === title ? last.list : []
    if (last?.list !== list) groups.push({ title, list })
    const cells = cellValues(inner, row)
    if (Object.keys(cells).length > 0) list.push(cells)
  }
  return groups
}

function recordValues(columns: readonly ColumnData[], rows: readonly DraftRow[]): unknown {
  const inner = columns.filter(({ name }) => name !== 'key')
  const isPlain = inner.length === 1 && inner[0]?.name === 'value'
  return Object.fromEntries(
    rows.map((row) => {
      const cells = cellValues(inner, row)
      return [(row['key'] ?? '').trim(), isPlain ? (cells['value'] ?? null) : cells]
    }),
  )
}
