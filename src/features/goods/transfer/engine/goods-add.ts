import type { FieldReason } from '#kernel/error.ts'
import { brandDocument } from '../documents/documents-brands.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import { checkBrands } from '../folder/check-brands.ts'
import { completeCovers, type StoredCovers } from '../folder/covers.ts'
import { jsonPath } from '../folder/faults.ts'
import type { GoodsRows, KnownGoods } from '../read/goods-rows.ts'
import { productRows, type ProductRows } from '../rows/rows-products.ts'
import type { Row } from '../rows/tables.ts'
import type { Addition, AdditionFault } from '../rules.ts'
import { brand as brandShape, type Brand } from '../schema/goods.ts'
import { reasonOf, type GoodsKind } from './goods-edit.ts'

/** Codes of goods that are there, of those that additions name. */
export type TakenCodes = Readonly<Record<GoodsKind, ReadonlySet<string>>>

export interface PlannedAddition {
  readonly faults: readonly AdditionFault[]
  /** Rows to write, each new. */
  readonly rows: ProductRows & { readonly picture: readonly Row[] }
}

export interface AdditionTerms {
  /** The brands that are added to, with all that is in them. */
  readonly stored: GoodsRows
  readonly known: KnownGoods
  readonly covers: StoredCovers
  readonly taken: TakenCodes
}

/** What maintains what operators make in the console: an import of a folder leaves it alone until it names it. */
export const CONSOLE_SOURCE = 'catalogue:console'

type Document = Record<string, unknown>

/** Works out what new goods come to, by what reads, checks and writes a folder: making one by hand is importing a small folder. */
export function planAddition(
  { stored, known, covers, taken }: AdditionTerms,
  additions: readonly Addition[],
): PlannedAddition {
  const there = brandsThere(stored, known)
  const places: Places = { of: new Map(), at: new Map() }
  const faults: AdditionFault[] = []
  const documents = additions.map((addition, at) => {
    const own = addition as Document
    faults.push(...takenFaults(own, at, taken, there))
    return merged(own, at, there.get(String(own['code'])), places)
  })
  const { brands, faults: wrong } = read(documents, known, places)
  faults.push(...wrong)
  if (faults.length > 0) return { faults: onePerPlace(faults), rows: NOTHING }
  const complete = completeCovers(
    {
      brands: brands
        .filter(({ code }) => !there.has(code))
        .map((brand) => ({ file: brand.code, path: '', brand })),
      games: [],
    } as unknown as CatalogueFolder,
    covers,
  )
  const covered = new Map(complete.brands.map(({ brand }) => [brand.code, brand]))
  const pictures = new Map<string, Row>()
  const made = productRows(
    {
      brands: brands.map((brand) => ({
        file: brand.code,
        path: '',
        brand: covered.get(brand.code) ?? brand,
      })),
    },
    { source: CONSOLE_SOURCE, known, categoryIds: known.categoryIds },
    pictures,
  )
  return { faults: [], rows: newRows(made, [...pictures.values()], stored) }
}

const NOTHING: PlannedAddition['rows'] = {
  brand: [],
  brand_category: [],
  product: [],
  item: [],
  item_level_price: [],
  picture: [],
}

/** What is not there yet. A new product of a brand that is wears its picture where it has none of its own. */
function newRows(
  made: ProductRows,
  pictures: readonly Row[],
  stored: GoodsRows,
): PlannedAddition['rows'] {
  const codes = (rows: readonly Row[]) => new Set(rows.map(({ code }) => code))
  const [brands, products, items] = [codes(stored.brand), codes(stored.product), codes(stored.item)]
  const worn = new Map(stored.brand.map((row) => [row['code'], row['picture'] ?? null]))
  const product = made.product
    .filter(({ code }) => !products.has(code))
    .map((row) => ({ ...row, picture: row['picture'] ?? worn.get(row['brand']) ?? null }))
  const brand = made.brand.filter(({ code }) => !brands.has(code))
  const item = made.item.filter(({ code }) => !items.has(code))
  const used = new Set([...brand, ...product].map(({ picture }) => picture))
  const fields = brand.map(({ code }) => `field/${String(code)}/`)
  return {
    brand,
    brand_category: made.brand_category.filter((row) => !brands.has(row['brand'])),
    product,
    item,
    item_level_price: made.item_level_price.filter((row) => !items.has(row['item'])),
    picture: pictures.filter(
      ({ code }) => used.has(code) || fields.some((start) => String(code).startsWith(start)),
    ),
  }
}

/** Brands as a folder says them. */
export function brandDocuments(stored: GoodsRows, known: KnownGoods): readonly Document[] {
  const documents = brandDocument(stored as never, {
    source: CONSOLE_SOURCE,
    known,
    pictures: new Map(stored.picture.map((row) => [String(row['code']), row])),
    categoryCodes: new Map([...known.categoryIds].map(([code, id]) => [id as unknown, code])),
  })
  return [...documents.values()].flatMap((document) => {
    const { operators } = document as { operators?: readonly Document[] }
    return operators ?? [document as Document]
  })
}

/** The brands of the shop with just what their goods are checked by. */
function brandsThere(stored: GoodsRows, known: KnownGoods): ReadonlyMap<string, Document> {
  return new Map(
    brandDocuments(stored, known).map(
      ({ code, kind, name, delivery, unit, recharge, products }) => [
        String(code),
        Object.fromEntries(
          Object.entries({ code, kind, name, delivery, unit, recharge, products }).filter(
            ([, value]) => value !== undefined,
          ),
        ),
      ],
    ),
  )
}

interface Places {
  /** Whose a brand, product or item of a document is, and where it stood in what was given. */
  readonly of: Map<unknown, string>
  readonly at: Map<unknown, number>
}

const listOf = (value: unknown): readonly Document[] =>
  Array.isArray(value) ? (value as readonly Document[]) : []

/** An addition as its brand would be with it. */
function merged(
  own: Document,
  at: number,
  there: Document | undefined,
  { of, at: which }: Places,
): Document {
  const products = listOf(own['products'])
  products.forEach((product, index) => {
    of.set(product, `products[${index}]`)
    listOf(product['items']).forEach((item, no) => of.set(item, `products[${index}].items[${no}]`))
  })
  if (!there) {
    of.set(own, '')
    which.set(own, at)
    return own
  }
  const added = new Map(products.map((product) => [product['code'], product]))
  const kept = listOf(there['products']).map((product) => {
    const more = added.get(product['code'])
    added.delete(product['code'])
    return more
      ? { ...product, items: [...listOf(product['items']), ...listOf(more['items'])] }
      : product
  })
  const document = { ...there, products: [...kept, ...added.values()] }
  which.set(document, at)
  return document
}

/** Goods that are there already, or that belong to another product than the one they are said in. */
function takenFaults(
  own: Document,
  at: number,
  taken: TakenCodes,
  there: ReadonlyMap<string, Document>,
): AdditionFault[] {
  const fault = (path: string, code: unknown): AdditionFault => ({
    at,
    path,
    reason: 'code_taken',
    why: `the shop has ${String(code)} already`,
  })
  const brand = there.get(String(own['code']))
  const inBrand = new Set(listOf(brand?.['products']).map(({ code }) => code))
  const found: AdditionFault[] = []
  // A brand that is said whole is a new one.
  if (brand && own['kind'] !== undefined) found.push(fault('code', own['code']))
  listOf(own['products']).forEach((product, index) => {
    const place = `products[${index}]`
    const isThere = taken.product.has(String(product['code']))
    if (isThere && (product['region'] !== undefined || !inBrand.has(product['code'])))
      found.push(fault(`${place}.code`, product['code']))
    listOf(product['items']).forEach((item, no) => {
      if (taken.item.has(String(item['code'])))
        found.push(fault(`${place}.items[${no}].code`, item['code']))
    })
  })
  return found
}

const PLACE = /^products\[(\d+)\](?:\.items\[(\d+)\])?(?:\.(.*))?$/

function read(
  documents: readonly Document[],
  known: KnownGoods,
  places: Places,
): { readonly brands: readonly Brand[]; readonly faults: readonly AdditionFault[] } {
  const brands: Brand[] = []
  const faults: AdditionFault[] = []
  const note = (document: Document, path: string, reason: FieldReason, why: string) => {
    const own = ownPath(document, path, places)
    if (own !== null) faults.push({ at: places.at.get(document) ?? 0, path: own, reason, why })
  }
  const files = new Map<string, Document>()
  for (const document of documents) {
    files.set(String(document['code']), document)
    const parsed = brandShape.safeParse(document)
    if (parsed.success) brands.push(parsed.data)
    else
      for (const issue of parsed.error.issues)
        note(document, jsonPath(issue.path), reasonOf(issue), issue.message)
  }
  checkBrands(
    { brands: brands.map((brand) => ({ file: brand.code, path: '', brand })) },
    known,
    (file) =>
      (path, message, reason = 'not_allowed') => {
        const document = files.get(file)
        if (document) note(document, path, reason, message)
      },
  )
  return { brands, faults }
}

/** Where a fault stands in what was given; null for what was in the shop before. */
function ownPath(document: Document, path: string, { of }: Places): string | null {
  const [, productAt, itemAt, rest = ''] = PLACE.exec(path) ?? []
  const of_ = (owner: unknown) => {
    const place = of.get(owner)
    return place === undefined ? null : [place, rest].filter((part) => part !== '').join('.')
  }
  if (productAt === undefined) return of.has(document) ? path : null
  const product = listOf(document['products'])[Number(productAt)]
  if (itemAt === undefined) return of_(product)
  return of_(listOf(product?.['items'])[Number(itemAt)])
}

/** A code that is taken is a doubled one to the import as well: one word about it is enough. */
function onePerPlace(faults: readonly AdditionFault[]): readonly AdditionFault[] {
  const first = new Map<string, AdditionFault>()
  for (const one of faults) {
    const place = `${one.at} ${one.path}`
    if (!first.has(place)) first.set(place, one)
  }
  return [...first.values()]
}
