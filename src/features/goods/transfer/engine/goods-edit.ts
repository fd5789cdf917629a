import type { z } from 'zod'
import {
  columnsOfCover,
  readStoredCover,
  type CoverColumns,
} from '#features/goods/picture/cover/stored.ts'
import type { FieldReason } from '#kernel/error.ts'
import { brandDocument } from '../documents/documents-brands.ts'
import { checkBrands } from '../folder/check-brands.ts'
import type { StoredRows } from '../queries.ts'
import { jsonPath } from '../folder/faults.ts'
import type { GoodsRows, KnownGoods } from '../read/goods-rows.ts'
import { productRows } from '../rows/rows-products.ts'
import { keyOf, type Row } from '../rows/tables.ts'
import { brand as brandShape, type Brand } from '../schema/goods.ts'

export type GoodsKind = 'brand' | 'product' | 'item'

/** What one brand, product or item is to say from now on: keys as in a catalogue's folder; undefined takes one away. */
export interface GoodsPatch {
  readonly subject: GoodsKind
  readonly code: string
  readonly values: Readonly<Record<string, unknown>>
}

/** What an import would refuse of it. */
export interface GoodsFault {
  readonly subject: GoodsKind
  readonly code: string
  /** Key of the folder's format. */
  readonly field: string
  readonly reason: FieldReason
  /** In plain English, as an import says it. */
  readonly why: string
}

export interface PatchedGoods {
  readonly faults: readonly GoodsFault[]
  /** Rows as an import of the same would write them, by code. */
  readonly rows: Readonly<Record<GoodsKind, ReadonlyMap<string, Row>>>
  readonly categories: readonly Row[]
  readonly levels: readonly Row[]
  /** Pictures that these goods have. */
  readonly pictures: readonly Row[]
}

const SOURCE = 'catalogue:console'

/**
 * Works out what goods would be with some of their values changed, by what reads, checks and writes a folder: no rule of goods stands twice.
 * What is at fault stays as it is, and the rest is worked out without it. Faults that were there before and that nobody has touched are left out.
 */
export function patchGoods(
  rows: GoodsRows,
  known: KnownGoods,
  patches: readonly GoodsPatch[],
): PatchedGoods {
  const touched = new Set(patches.map(({ subject, code }) => `${subject} ${code}`))
  const documents = brandsOf(rows, known, touched)
  const { brands, faults } = withoutFaults(documents, known, patches, touched)
  const pictures = new Map<string, Row>()
  const made = productRows(
    { brands: brands.map((brand) => ({ file: brand.code, path: '', brand })) },
    { source: SOURCE, known, categoryIds: known.categoryIds },
    pictures,
  )
  const byCode = (list: readonly Row[]) =>
    new Map(list.map((row) => [keyOf({ key: ['code'] }, row), row]))
  return {
    faults,
    rows: { brand: byCode(made.brand), product: byCode(made.product), item: byCode(made.item) },
    categories: made.brand_category,
    levels: made.item_level_price,
    pictures: [...pictures.values()],
  }
}

/** Takes out what is at fault until nothing is: what one fault hides may show once it is gone. */
function withoutFaults(
  documents: readonly Document[],
  known: KnownGoods,
  patches: readonly GoodsPatch[],
  touched: ReadonlySet<string>,
): { readonly brands: readonly Brand[]; readonly faults: readonly GoodsFault[] } {
  const found: GoodsFault[] = []
  let left = patches
  let wasThere: ReadonlySet<string> | null = null
  for (;;) {
    const patched = structuredClone(documents)
    apply(patched, left)
    const { brands, faults } = read(patched, known)
    const own = faults.filter(({ subject, code }) => touched.has(`${subject} ${code}`))
    if (own.length === 0) return { brands, faults: found }
    wasThere ??= new Set(read(documents, known).faults.map(textOf))
    const fresh = own.filter((fault) => !wasThere?.has(textOf(fault)))
    if (fresh.length === 0) return { brands, faults: found }
    found.push(...fresh)
    left = without(left, fresh)
  }
}

/** Of goods at fault the field that is, or all of them where it is none that was edited. */
function without(patches: readonly GoodsPatch[], faults: readonly GoodsFault[]): GoodsPatch[] {
  const byGoods = Map.groupBy(faults, ({ subject, code }) => `${subject} ${code}`)
  return patches.flatMap((patch) => {
    const own = byGoods.get(`${patch.subject} ${patch.code}`)
    if (!own) return [patch]
    if (own.some(({ field }) => !(field in patch.values))) return []
    const values = Object.fromEntries(
      Object.entries(patch.values).filter(([key]) => own.every(({ field }) => field !== key)),
    )
    return Object.keys(values).length === 0 ? [] : [{ ...patch, values }]
  })
}

const textOf = ({ subject, code, field, why }: GoodsFault) => `${subject} ${code} ${field} ${why}`

type Document = Record<string, unknown>

/** The brands as a folder would say them; of one that is only above what is edited just what its goods are checked by. */
function brandsOf(
  rows: GoodsRows,
  known: KnownGoods,
  touched: ReadonlySet<string>,
): readonly Document[] {
  const context = {
    source: SOURCE,
    known,
    pictures: new Map(rows.picture.map((row) => [String(row['code']), knownPicture(row)])),
    categoryCodes: new Map([...known.categoryIds].map(([code, id]) => [id as unknown, code])),
  }
  const stored = { ...rows } as Pick<
    StoredRows,
    'brand' | 'brand_category' | 'product' | 'item' | 'item_level_price'
  >
  const documents = [...brandDocument(stored, context).values()].flatMap((document) => {
    const { operators } = document as { operators?: readonly Document[] }
    return operators ?? [document as Document]
  })
  return documents.map((document) => {
    if (touched.has(`brand ${String(document['code'])}`)) return document
    const { code, kind, name, picture, delivery, unit, recharge, products } = document
    return Object.fromEntries(
      Object.entries({ code, kind, name, picture, delivery, unit, recharge, products }).filter(
        ([, value]) => value !== undefined,
      ),
    )
  })
}

/** A cover as this release reads it: what another one says of it is at fault in nobody's goods. */
function knownPicture(row: Row): Row {
  return row['kind'] === 'cover'
    ? { ...row, ...columnsOfCover(readStoredCover(row as unknown as CoverColumns)) }
    : row
}

function apply(documents: readonly Document[], patches: readonly GoodsPatch[]): void {
  const found = new Map<string, Document>()
  for (const brand of documents) {
    found.set(`brand ${String(brand['code'])}`, brand)
    for (const product of brand['products'] as Document[]) {
      found.set(`product ${String(product['code'])}`, product)
      for (const item of product['items'] as Document[])
        found.set(`item ${String(item['code'])}`, item)
    }
  }
  for (const { subject, code, values } of patches) {
    const document = found.get(`${subject} ${code}`)
    if (!document) continue
    for (const [key, value] of Object.entries(values))
      if (value === undefined) delete document[key]
      else document[key] = value
  }
}

function read(
  documents: readonly Document[],
  known: KnownGoods,
): { readonly brands: readonly Brand[]; readonly faults: readonly GoodsFault[] } {
  const brands: Brand[] = []
  const faults: GoodsFault[] = []
  const places = new Map(documents.map((document) => [String(document['code']), document]))
  for (const document of documents) {
    const parsed = brandShape.safeParse(document)
    if (parsed.success) brands.push(parsed.data)
    else
      for (const issue of parsed.error.issues)
        faults.push(faultAt(document, jsonPath(issue.path), reasonOf(issue), issue.message))
  }
  checkBrands(
    { brands: brands.map((brand) => ({ file: brand.code, path: '', brand })) },
    known,
    (file) =>
      (path, message, reason = 'not_allowed') => {
        const document = places.get(file)
        if (document) faults.push(faultAt(document, path, reason, message))
      },
  )
  return { brands, faults }
}

/** What a shape’s refusal is called. */
export function reasonOf(issue: z.core.$ZodIssue): FieldReason {
  if (issue.code === 'too_big' && issue.origin === 'string') return 'too_long'
  if (issue.code === 'too_big' && issue.origin === 'array') return 'too_many'
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'required' : 'wrong_type'
  if (issue.code === 'invalid_format' && issue.path.at(-1) === 'code') return 'code_format'
  if (issue.code === 'too_small' && issue.origin === 'string') return 'required'
  return 'not_allowed'
}

const PLACE = /^products\[(\d+)\](?:\.items\[(\d+)\])?(?:\.(.*))?$/

/** Whose fault one at a path of a brand's document is. */
function faultAt(document: Document, path: string, reason: FieldReason, why: string): GoodsFault {
  const [, productAt, itemAt, rest] = PLACE.exec(path) ?? []
  const field = (text: string) => /^[a-z_]+/.exec(text)?.[0] ?? ''
  if (productAt === undefined)
    return { subject: 'brand', code: String(document['code']), field: field(path), reason, why }
  const product = (document['products'] as Document[])[Number(productAt)]
  if (itemAt === undefined)
    return {
      subject: 'product',
      code: String(product?.['code']),
      field: field(rest ?? ''),
      reason,
      why,
    }
  const item = (product?.['items'] as Document[] | undefined)?.[Number(itemAt)]
  return { subject: 'item', code: String(item?.['code']), field: field(rest ?? ''), reason, why }
}
