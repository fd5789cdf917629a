import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Known } from '../folder/known.ts'
import type { Row } from '../rows/tables.ts'

/** Some brands, products and items with what stands above each, as a change of them is worked out. */
export interface GoodsRows {
  readonly brand: readonly Row[]
  readonly brand_category: readonly Row[]
  readonly product: readonly Row[]
  readonly item: readonly Row[]
  readonly item_level_price: readonly Row[]
  readonly picture: readonly Row[]
}

export interface GoodsCodes {
  readonly brand: readonly string[]
  readonly product: readonly string[]
  readonly item: readonly string[]
}

/**
 * Reads goods by their codes. `isToWrite`: they stay as they are until the transaction ends; whoever buys them is not kept waiting. Always in
 * the order of their codes, brands before products before items.
 */
export async function readGoodsRows(
  db: Db | Tx,
  codes: GoodsCodes,
  isToWrite: boolean,
): Promise<GoodsRows> {
  const lock = isToWrite ? sql`for no key update` : sql``
  const rowsOf = async (table: 'brand' | 'product' | 'item', list: readonly string[]) =>
    list.length === 0
      ? []
      : (
          await sql<Row>`select * from ${sql.table(table)} where code = any(${[...new Set(list)]}) order by code ${lock}`.execute(
            db,
          )
        ).rows
  const column = (rows: readonly Row[], name: string) => rows.map((row) => String(row[name]))
  const above = async (table: 'brand' | 'product', known: readonly Row[], named: string[]) => {
    const there = new Set(column(known, 'code'))
    const lacking = [...new Set(named)].filter((code) => !there.has(code))
    if (lacking.length === 0) return known
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where code = any(${lacking})`.execute(db)
    return [...known, ...rows]
  }
  const brands = await rowsOf('brand', codes.brand)
  const products = await rowsOf('product', codes.product)
  const item = await rowsOf('item', codes.item)
  const product = await above('product', products, column(item, 'product'))
  const brand = await above('brand', brands, column(product, 'brand'))
  const levels = await sql<Row>`
    select i.code as item, l.level, l.price_minor, l.price_currency from item_level_price l join item i on i.id = l.item
    where l.item = any(${column(item, 'id')}::uuid[])`.execute(db)
  const categories =
    await sql<Row>`select * from brand_category where brand = any(${column(brand, 'code')})`.execute(
      db,
    )
  const pictures = await readPictures(db, brands, products)
  return {
    brand,
    brand_category: categories.rows,
    product,
    item,
    item_level_price: levels.rows,
    picture: pictures,
  }
}

/** Pictures of brands and products that are edited: of those its account fields have as well, and of what a product may wear of its brand. */
async function readPictures(
  db: Db | Tx,
  brands: readonly Row[],
  products: readonly Row[],
): Promise<readonly Row[]> {
  if (brands.length + products.length === 0) return []
  const codes = [...brands, ...products].map(({ picture }) => picture)
  const worn = products.map(({ brand }) => `brand/${String(brand)}`)
  const fields = brands.map(({ code }) => `field/${String(code)}/%`)
  const own = [...new Set([...codes, ...worn].filter((code) => typeof code === 'string'))]
  const { rows } =
    await sql<Row>`select * from picture where code = any(${own}) or code like any(${fields})`.execute(
      db,
    )
  return rows
}

export interface KnownGoods extends Known {
  /** Id of each category by its code. */
  readonly categoryIds: ReadonlyMap<string, number>
}

/** What goods may refer to. @param games that are asked about */
export async function readKnownGoods(db: Db | Tx, games: readonly string[]): Promise<KnownGoods> {
  const codes = async (table: string) =>
    new Set(
      (await sql<{ code: string }>`select code from ${sql.table(table)}`.execute(db)).rows.map(
        ({ code }) => code,
      ),
    )
  const currencies = await db.selectFrom('currency').select(['code', 'minor_units']).execute()
  const categories = await db.selectFrom('category').select(['code', 'id']).execute()
  const units = await db.selectFrom('unit').select(['key', 'name']).execute()
  const found = await db
    .selectFrom('game')
    .select('code')
    .where('code', '=', sql<string>`any(${[...games]}::text[])`)
    .execute()
  return {
    currencies: new Map(currencies.map(({ code, minor_units: digits }) => [code, digits])),
    countries: await codes('country'),
    regions: await codes('region'),
    platforms: await codes('platform'),
    categories: new Set(categories.map(({ code }) => code)),
    units: new Map(units.map(({ key, name }) => [key, name])),
    games: new Set(found.map(({ code }) => code)),
    brands: new Set(),
    categoryIds: new Map(categories.map(({ code, id }) => [code, id])),
  }
}
