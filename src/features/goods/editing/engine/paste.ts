import type { FieldReason } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { parseMajor } from '#kernel/money.ts'
import { EDITS_MAX, type Edit, type Json } from '../rules.ts'
import { readAmountText, readCells, type ReadNumber } from './cells.ts'

/** Fields of items that a copied table may fill. */
export const PASTE_FIELDS = [
  'price',
  'market',
  'cost',
  'stock',
  'position',
  'status',
  'name',
] as const
export type PasteField = (typeof PASTE_FIELDS)[number]

export interface PasteFault {
  /** From 1, as spreadsheets count. */
  readonly line: number
  readonly column: number
  readonly text: string
  readonly reason: FieldReason
}

export interface Pasted {
  readonly edits: readonly Edit[]
  readonly faults: readonly PasteFault[]
  readonly lines: number
}

export interface PasteTerms {
  readonly text: string
  /** Items that the lines are for, in order, where no column names them. */
  readonly codes: readonly string[]
  /** What the columns are, where the first line does not say so. */
  readonly columns: readonly PasteField[]
  readonly language: LanguageCode
  /** Digits of each currency's minor unit. */
  readonly digits: ReadonlyMap<string, number>
  /** The price of each item that is there. */
  readonly prices: ReadonlyMap<string, { readonly minor: bigint; readonly currency: string }>
}

const ITEM_CODE = /^[a-z]+(:[a-z0-9_.-]+){2,3}$/
const CELL_SHOWN = 60
type Column = PasteField | 'code'

/** Codes that the lines of a table name; what they cost is needed to read it. */
export function codesIn(text: string): readonly string[] {
  return readCells(text, EDITS_MAX).flatMap(
    (cells) => cells.find((cell) => ITEM_CODE.test(cell)) ?? [],
  )
}

/** Reads a copied table as edits of items, and tells what is wrong with it by line and column. Empty cells say nothing. */
export function readPaste(terms: PasteTerms): Pasted {
  const lines = readCells(terms.text, EDITS_MAX + 1)
  const header = headerOf(lines[0] ?? [])
  const columns = header ?? columnsOf(lines[0] ?? [], terms.columns)
  const rows = header ? lines.slice(1) : lines
  const edits: Edit[] = []
  const faults: PasteFault[] = []
  const byCode = columns.indexOf('code')
  rows.forEach((cells, index) => {
    const line = index + (header ? 2 : 1)
    const fault = (column: number, reason: FieldReason) =>
      faults.push({
        line,
        column: column + 1,
        text: (cells[column] ?? '').slice(0, CELL_SHOWN),
        reason,
      })
    if (cells.every((cell) => cell === '')) return
    const code = byCode >= 0 ? cells[byCode] : terms.codes[index]
    if (code === undefined || code === '')
      return fault(Math.max(0, byCode), byCode >= 0 ? 'required' : 'too_many')
    const price = terms.prices.get(code)
    if (price === undefined) return fault(Math.max(0, byCode), 'not_sold')
    cells.forEach((cell, at) => {
      const field = columns[at]
      if (field === 'code' || cell === '') return
      if (field === undefined) return void fault(at, 'unknown_field')
      const read = readCell(field, cell, price.currency, terms)
      if ('reason' in read) fault(at, read.reason)
      else edits.push({ subject: 'item', code, field, ...seen(field, price), to: read.value })
    })
  })
  return { edits, faults, lines: rows.length }
}

function headerOf(cells: readonly string[]): readonly Column[] | null {
  const named = cells.map((cell) => cell.toLowerCase())
  const isName = (name: string): name is Column =>
    name === 'code' || (PASTE_FIELDS as readonly string[]).includes(name)
  return named.length > 0 && named.every(isName) ? named : null
}

const columnsOf = (cells: readonly string[], given: readonly PasteField[]): readonly Column[] =>
  ITEM_CODE.test(cells[0] ?? '') ? ['code', ...given] : given

/** What a price was when the table was read: whoever changes it until it is saved is not overwritten. */
function seen(
  field: PasteField,
  { minor, currency }: { readonly minor: bigint; readonly currency: string },
): { readonly from?: Json } {
  return field === 'price' ? { from: { minor: minor.toString(), currency } } : {}
}

export type ReadCell = { readonly value: Json } | { readonly reason: FieldReason }

const ON = new Set(['on', 'active', 'yes', 'true', '1'])
const OFF = new Set(['off', 'suspended', 'no', 'false', '0'])

/** What a cell of a column says. @param priceCurrency of an amount that names none */
export function readCell(
  field: PasteField,
  cell: string,
  priceCurrency: string,
  { language, digits }: Pick<PasteTerms, 'language' | 'digits'>,
): ReadCell {
  if (field === 'name') return { value: cell }
  if (field === 'status') {
    const word = cell.toLowerCase()
    if (ON.has(word)) return { value: 'active' }
    return OFF.has(word) ? { value: 'suspended' } : { reason: 'not_allowed' }
  }
  if (field === 'stock' || field === 'position') {
    const { number, currency } = readAmountText(cell, language, 0)
    if (currency !== null) return { reason: 'wrong_type' }
    return wholeOf(number)
  }
  const named = readAmountText(cell, language, digits.get(priceCurrency) ?? 2)
  const currency = named.currency ?? priceCurrency
  const places = digits.get(currency)
  if (places === undefined) return { reason: 'currency_unknown' }
  // How many digits a fraction may have is known once its currency is.
  const { number } = named.currency === null ? named : readAmountText(cell, language, places)
  if (number.kind === 'fault') return { reason: number.fault }
  if (number.kind === 'nothing') return { reason: 'wrong_type' }
  const minor = parseMajor(
    number.fraction === '' ? number.whole : `${number.whole}.${number.fraction}`,
    places,
  )
  return minor === null
    ? { reason: 'amount_digits' }
    : { value: { minor: minor.toString(), currency } }
}

const COUNT_MAX = 1_000_000

function wholeOf(number: ReadNumber): ReadCell {
  if (number.kind === 'fault') return { reason: number.fault }
  if (number.kind === 'nothing' || /[^0]/.test(number.fraction)) return { reason: 'wrong_type' }
  const value = Number(number.whole)
  return value > COUNT_MAX ? { reason: 'not_allowed' } : { value }
}
