import type { GoodsRows, KnownGoods } from '#features/goods/transfer/queries.ts'
import { EDITED, type Edited } from '../rules.ts'
import type { Around } from './fields.ts'
import type { ItemAround } from './words.ts'

type Row = Readonly<Record<string, unknown>>

/** The rows that are there by subject and code, each with what stands around it. */
export interface Present {
  readonly rows: ReadonlyMap<string, Row>
  readonly around: (subject: Edited, row: Row) => Around
}

export function presentOf(stored: GoodsRows, known: KnownGoods): Present {
  const rows = new Map<string, Row>()
  for (const subject of EDITED)
    for (const row of stored[subject]) rows.set(`${subject} ${String(row['code'])}`, row)
  return {
    rows,
    around: aroundOf(
      stored,
      {
        categories: stored.brand_category,
        levels: stored.item_level_price,
        pictures: stored.picture,
      },
      known,
    ),
  }
}

export function aroundOf(
  stored: Pick<GoodsRows, 'product'>,
  beside: {
    readonly categories: readonly Row[]
    readonly levels: readonly Row[]
    readonly pictures: readonly Row[]
  },
  known: KnownGoods,
  wanted: ReadonlyMap<string, Row> = new Map(),
): Present['around'] {
  const faces = new Map(
    stored.product.map((row) => [
      row['code'],
      (wanted.get(String(row['code'])) ?? row)['face_currency'] as string | null,
    ]),
  )
  const names = new Map([...known.categoryIds].map(([code, id]) => [id, code]))
  const levels = Map.groupBy(beside.levels, (row) => row['item'])
  const ofBrand = Map.groupBy(beside.categories, (row) => row['brand'])
  const pictures = new Map(beside.pictures.map((row) => [String(row['code']), row]))
  return (subject, row) => ({
    // What a product wears of its brand is not its own.
    picture: pictures.get(
      row['picture'] === `${subject}/${String(row['code'])}` ? String(row['picture']) : '',
    ),
    face:
      (subject === 'item'
        ? faces.get(row['product'])
        : (row['face_currency'] as string | null | undefined)) ?? null,
    levels: (levels.get(row['code']) ?? []).toSorted(
      (a, b) => Number(a['level']) - Number(b['level']),
    ),
    categories: (ofBrand.get(row['code']) ?? []).flatMap(
      (entry) => names.get(Number(entry['category_id'])) ?? [],
    ),
  })
}

/** What an item's label may be made of. */
export function itemAround(present: Present, subject: Edited, row: Row): ItemAround {
  if (subject !== 'item') return { hasUnit: false, hasFace: false }
  const product = present.rows.get(`product ${String(row['product'])}`)
  const brand = present.rows.get(`brand ${String(product?.['brand'])}`)
  const has = (value: unknown) => value !== null && value !== undefined
  return { hasUnit: has(brand?.['unit']), hasFace: has(product?.['face_currency']) }
}
