import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { AdditionTerms } from '../engine/goods-add.ts'
import type { Addition } from '../rules.ts'
import type { Row } from '../rows/tables.ts'
import { readGoodsRows, readKnownGoods } from './goods-rows.ts'

type Named = Readonly<Record<'brand' | 'product' | 'item', readonly string[]>>

const textsOf = (list: unknown, key: string): string[] =>
  Array.isArray(list)
    ? list.flatMap((one) => {
        const value = (one as Row)[key]
        return typeof value === 'string' ? [value] : []
      })
    : []

/** Codes that additions name, whatever else is wrong with them. */
function namedIn(additions: readonly Addition[]): Named {
  const products = additions.flatMap(({ products: list }) =>
    Array.isArray(list) ? (list as readonly Row[]) : [],
  )
  return {
    brand: textsOf(additions, 'code'),
    product: textsOf(products, 'code'),
    item: products.flatMap(({ items }) => textsOf(items, 'code')),
  }
}

/** What new goods are worked out from. @param isToWrite the brands they come into stay as they are until the transaction ends */
export async function readAdditionRows(
  db: Db | Tx,
  additions: readonly Addition[],
  isToWrite: boolean,
): Promise<Omit<AdditionTerms, 'covers'> & { readonly covers: readonly Row[] }> {
  const named = namedIn(additions)
  const products = await sql<{ code: string }>`
    select code from product where brand = any(${named.brand})`.execute(db)
  const items = await sql<{ code: string }>`
    select code from item where product = any(${products.rows.map(({ code }) => code)})`.execute(db)
  const codes = {
    brand: [],
    product: products.rows.map(({ code }) => code),
    item: items.rows.map(({ code }) => code),
  }
  // Brands are held alone: goods that come into them at the same moment wait for one another, and shoppers for nobody.
  if (isToWrite)
    await sql`select from brand where code = any(${named.brand}) order by code for no key update`.execute(
      db,
    )
  const rows = await readGoodsRows(db, codes, false)
  const lacking = named.brand.filter((code) => rows.brand.every((row) => row['code'] !== code))
  const empty = await sql<Row>`select * from brand where code = any(${lacking})`.execute(db)
  const stored = { ...rows, brand: [...rows.brand, ...empty.rows] }
  const games = additions.flatMap(({ game }) => (typeof game === 'string' ? [game] : []))
  return {
    stored,
    known: await readKnownGoods(db, games),
    covers: await readCovers(db),
    taken: {
      brand: new Set(stored.brand.map(({ code }) => String(code))),
      product: await taken(db, 'product', named.product),
      item: await taken(db, 'item', named.item),
    },
  }
}

async function taken(
  db: Db | Tx,
  table: 'product' | 'item',
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ code: string }>`
    select code from ${sql.table(table)} where code = any(${[...codes]})`.execute(db)
  return new Set(rows.map(({ code }) => code))
}

/** The covers that a new one is chosen among, as they are stored. */
async function readCovers(db: Db | Tx): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select b.code, b.kind, b.popularity, b.game, p.recipe, p.design, p.short
    from brand b left join picture p on p.code = b.picture and p.kind = 'cover'`.execute(db)
  return rows
}
