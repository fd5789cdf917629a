import { readCell, type PasteField } from '#features/goods/editing/engine/paste.ts'
import type { Edit, Json } from '#features/goods/editing/rules.ts'
import type { Addition } from '#features/goods/making/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { toMajor } from '#kernel/money.ts'
import type { FileFault } from '../rules.ts'
import { CHANGING, faultAt, type TableColumn, type TableRow } from './table.ts'

export interface RowTerms {
  readonly language: LanguageCode
  /** Digits of each currency's minor unit. */
  readonly digits: ReadonlyMap<string, number>
}

const MAY_CHANGE: ReadonlySet<string> = new Set(CHANGING)

/** A name or a reference that a spreadsheet has not worked out, or could not. */
const isFormula = (text: string) => /^=|^#(?:REF|N\/A|VALUE|NAME|DIV\/0|NULL|NUM)\b/i.test(text)

/** What a line changes of an item that is there. @param currency of its price */
export function editsOf(
  { line, code, cells }: TableRow,
  currency: string,
  terms: RowTerms,
  faults: FileFault[],
): Edit[] {
  const edits: Edit[] = []
  for (const [field, cell] of Object.entries(cells)) {
    if (!MAY_CHANGE.has(field)) continue
    if (isFormula(cell)) {
      faults.push(faultAt(line, field, cell, 'formula'))
      continue
    }
    const read = readCell(field as PasteField, cell, cells.currency ?? currency, terms)
    if ('reason' in read) faults.push(faultAt(line, field, cell, read.reason))
    else edits.push({ subject: 'item', code, field, to: read.value })
  }
  return edits
}

/** What the shop has of what new items stand in. */
export interface Standing {
  /** Brand of each product that is there. */
  readonly products: ReadonlyMap<
    string,
    { readonly brand: string; readonly currency: string | null }
  >
  readonly brands: ReadonlySet<string>
}

export const brandOf = ({ cells, code }: TableRow, { products }: Standing): string =>
  products.get(cells.product ?? '')?.brand ?? cells.brand ?? code.split(':')[1] ?? ''

export const productOf = (row: TableRow, standing: Standing): string =>
  row.cells.product ?? `${brandOf(row, standing)}-${row.cells.region ?? ''}`

/** Which line a place of a document is of, and which column said it. */
export type LineAt = (path: string) => { readonly row: TableRow; readonly column: string } | null

export interface RowsDocument {
  readonly document: Addition
  readonly rows: readonly TableRow[]
  readonly lineAt: LineAt
}

const BRAND_COLUMNS: Readonly<Record<string, string>> = {
  code: 'brand',
  name: 'brand_name',
  kind: 'brand_kind',
}

/** New items of one brand as a folder would say them. Lines with cells that cannot be read are told, and left out. */
export function documentOf(
  brand: string,
  given: readonly TableRow[],
  standing: Standing,
  terms: RowTerms,
  faults: FileFault[],
): RowsDocument | null {
  const read = given.flatMap((row) => {
    const product = standing.products.get(row.cells.product ?? '')
    const item = itemOf(row, product?.currency ?? row.cells.currency ?? null, terms, faults)
    return item ? [{ row, item }] : []
  })
  const first = read[0]?.row
  if (!first) return null
  const groups = [...Map.groupBy(read, ({ row }) => productOf(row, standing))]
  const { cells } = first
  const products = groups.map(([code, own]) => ({
    code,
    ...(standing.products.has(code) ? {} : productFacts(own[0]?.row.cells ?? {})),
    items: own.map(({ item }) => item),
  }))
  const document = standing.brands.has(brand)
    ? { code: brand, products }
    : {
        code: brand,
        ...said({
          kind: cells.brand_kind,
          name: cells.brand_name,
          publisher: cells.publisher,
          delivery: cells.delivery,
          categories: cells.categories?.split('|').map((one) => one.trim()),
        }),
        products,
      }
  return { document, rows: read.map(({ row }) => row), lineAt: lineAtOf(first, groups) }
}

type Groups = readonly (readonly [string, readonly { readonly row: TableRow }[]])[]

function lineAtOf(first: TableRow, groups: Groups): LineAt {
  return (path) => {
    const [, product, item, rest = ''] =
      /^products\[(\d+)\](?:\.items\[(\d+)\])?(?:\.(.*))?$/.exec(path) ?? []
    const field = (text: string) => /^[a-z_]+/.exec(text)?.[0] ?? ''
    if (product === undefined) {
      const name = field(path)
      return { row: first, column: BRAND_COLUMNS[name] ?? name }
    }
    const own = groups[Number(product)]?.[1] ?? []
    const row = own[Number(item ?? 0)]?.row
    if (!row) return null
    const name = field(rest)
    return { row, column: item === undefined && name === 'code' ? 'product' : name }
  }
}

const said = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const productFacts = (cells: TableRow['cells']) =>
  said({
    region: cells.region,
    currency: cells.currency,
    face_currency: cells.face_currency ?? (cells.face === undefined ? undefined : cells.currency),
  })

const MONEY = ['price', 'market', 'cost', 'face'] as const
const WHOLE = ['units', 'bonus', 'days', 'data_mb', 'stock', 'position'] as const

function itemOf(
  { line, code, cells }: TableRow,
  currency: string | null,
  terms: RowTerms,
  faults: FileFault[],
): Readonly<Record<string, unknown>> | null {
  const before = faults.length
  const read = (column: TableColumn, as: PasteField, own: string): Json | undefined => {
    const cell = cells[column]
    if (cell === undefined) return undefined
    const found = readCell(as, cell, own, terms)
    if ('value' in found) return found.value
    faults.push(faultAt(line, column, cell, found.reason))
    return undefined
  }
  if (currency === null && cells.price !== undefined)
    faults.push(faultAt(line, 'currency', '', 'required'))
  const item: Record<string, unknown> = said({
    code,
    kind: cells.kind,
    name: cells.name,
    reference: cells.reference,
    status: read('status', 'status', ''),
  })
  if (cells.name !== undefined && isFormula(cells.name))
    faults.push(faultAt(line, 'name', cells.name, 'formula'))
  for (const column of currency === null ? [] : MONEY) {
    const own = column === 'face' ? (cells.face_currency ?? currency) : currency
    const value = read(column, 'price', own ?? '') as
      | { readonly minor: string; readonly currency: string }
      | undefined
    if (value)
      item[column] =
        `${value.currency} ${toMajor(BigInt(value.minor), terms.digits.get(value.currency) ?? 0)}`
  }
  for (const column of WHOLE) {
    const value = read(column, 'stock', '')
    if (value !== undefined) item[column] = value
  }
  return faults.length > before ? null : item
}
