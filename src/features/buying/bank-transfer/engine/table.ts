import { bankAmount } from './amount.ts'
import {
  plainText,
  STATEMENT_LINES_MAX,
  StatementFault,
  type DigitsOf,
  type LineFault,
  type ReadStatement,
  type StatementLine,
} from './statement.ts'

/** Columns by the names that banks and our own export give them; what a name is not among is not read. */
const COLUMNS = {
  date: [
    'date',
    'booking date',
    'booked',
    'booked on',
    'buchungstag',
    'buchungsdatum',
    'fecha',
    'data',
  ],
  amount: ['amount', 'credit', 'betrag', 'importe', 'montant', 'valor', 'importo'],
  currency: ['currency', 'waehrung', 'währung', 'moneda', 'devise', 'moeda', 'divisa'],
  payer: ['payer', 'name', 'sender', 'auftraggeber', 'zahlungspflichtiger', 'beneficiary/payer'],
  text: ['text', 'purpose', 'description', 'remittance', 'details', 'verwendungszweck', 'concepto'],
  reference: ['reference', 'bank reference', 'transaction id', 'id', 'referenz', 'referencia'],
  account: ['account', 'iban', 'own account', 'auftragskonto'],
} as const
type Column = keyof typeof COLUMNS
const NEEDED: readonly Column[] = ['date', 'amount', 'currency']

/**
 * The credits of a table whose first line names its columns; commas, semicolons or tabs part them. A faulty line is told and left out.
 * Throws StatementFault.
 */
export function readTable(text: string, digitsOf: DigitsOf): ReadStatement {
  const body = text.replace(/^\ufeff/, '')
  const rows = tableRows(body, separatorOf(body))
  const head = rows.next().value
  const places = placesOf(head?.cells ?? [])
  const lines: StatementLine[] = []
  const faults: { line: number; fault: LineFault }[] = []
  let skipped = 0
  for (const { cells, line } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue
    const read = readRow(cells, line, places, digitsOf)
    if (read === null) skipped += 1
    else if ('fault' in read) faults.push(read)
    else lines.push(read)
    if (lines.length + faults.length > STATEMENT_LINES_MAX)
      throw new StatementFault('too_many_lines')
  }
  return { format: 'csv', lines, skipped, faults }
}

function placesOf(head: readonly string[]): ReadonlyMap<Column, number> {
  const names = head.map((cell) => cell.trim().toLowerCase())
  const places = new Map<Column, number>()
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const place = names.findIndex((name) => COLUMNS[column].some((known) => known === name))
    if (place >= 0) places.set(column, place)
  }
  if (places.size === 0) throw new StatementFault('not_a_statement')
  const missing = NEEDED.filter((column) => !places.has(column))
  if (missing.length > 0) throw new StatementFault('columns_missing', missing)
  return places
}

/** @returns null for money that went out */
function readRow(
  cells: readonly string[],
  line: number,
  places: ReadonlyMap<Column, number>,
  digitsOf: DigitsOf,
): StatementLine | { readonly line: number; readonly fault: LineFault } | null {
  const cell = (column: Column) => cells[places.get(column) ?? -1]?.trim() ?? ''
  const bookedOn = dayOf(cell('date'))
  if (bookedOn === null) return { line, fault: 'date' }
  const currency = cell('currency').toUpperCase()
  const digits = digitsOf(currency)
  if (digits === undefined) return { line, fault: 'currency' }
  const minor = bankAmount(cell('amount'), digits)
  if (minor === null || minor === 0n) return { line, fault: 'amount' }
  if (minor < 0n) return null
  return {
    line,
    bookedOn,
    money: { minor, currency },
    payer: plainText(unneutralised(cell('payer'))) || null,
    text: plainText(unneutralised(cell('text'))),
    reference: plainText(unneutralised(cell('reference'))).slice(0, 140) || null,
    account: plainText(cell('account')).slice(0, 40) || null,
  }
}

/** Our own exports put an apostrophe before what a spreadsheet would run. */
const unneutralised = (text: string) => text.replace(/^'(?=['=+\-@＝＋－＠])/, '')

/** Days whose order nobody can mistake: 2026-11-20, 2026/11/20, 20.11.2026. */
function dayOf(text: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ].*)?$/.exec(text) ?? []
  const [, germanDay, germanMonth, germanYear] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text) ?? []
  const parts = year === undefined ? [germanYear, germanMonth, germanDay] : [year, month, day]
  if (parts.some((part) => part === undefined)) return null
  const told = parts.map((part) => (part ?? '').padStart(2, '0')).join('-')
  const at = new Date(`${told}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(told) ? told : null
}

function separatorOf(text: string): string {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const counts = [';', '\t', ','].map((mark) => [mark, head.split(mark).length] as const)
  return counts.toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? ','
}

interface TableRow {
  readonly cells: readonly string[]
  readonly line: number
}

const CELLS_MAX = 100

/** Lines of a CSV (RFC 4180); a quote that never ends is a broken file. */
function* tableRows(text: string, separator: string): Generator<TableRow, undefined> {
  let [cells, cell, line, began]: [string[], string, number, number] = [[], '', 1, 1]
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at] as string
    if (mark === '\n') line += 1
    if (isQuoted) {
      if (mark !== '"') cell += mark
      else if (text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1]
      else isQuoted = false
    } else if (mark === '"' && cell === '') isQuoted = true
    else if (mark === separator) {
      cells.push(cell)
      cell = ''
      if (cells.length > CELLS_MAX) throw new StatementFault('broken')
    } else if (mark === '\n') {
      yield { cells: [...cells, cell.replace(/\r$/, '')], line: began }
      ;[cells, cell, began] = [[], '', line]
    } else cell += mark
  }
  if (isQuoted) throw new StatementFault('broken')
  if (cell !== '' || cells.length > 0) yield { cells: [...cells, cell], line: began }
}
