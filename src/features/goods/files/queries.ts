import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import { AppError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import type { FieldReason } from '#kernel/error.ts'
import type { FileFault, GoodsFile } from './rules.ts'

const FILE = sql`id, public_id as "publicId", kind, state, file_name as "fileName", mark, is_on_sale as "isOnSale", has_costs as "hasCosts", operator_id as "operatorId", token, worker,
  (select o.name from operator o where o.id = operator_id) as by,
  bytes::float8 as bytes, pieces, step, steps, report, hash, failure, asked_at as "askedAt", finished_at as "finishedAt"`

/** Files of goods, newest first. */
export async function listGoodsFiles(db: Db, limit: number): Promise<GoodsFile[]> {
  const { rows } = await sql<GoodsFile>`
    select ${FILE} from goods_file where state <> 'uploading' order by id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function findGoodsFile(db: Db | Tx, publicId: string): Promise<GoodsFile | null> {
  const { rows } = await sql<GoodsFile>`
    select ${FILE} from goods_file where public_id = ${publicId}`.execute(db)
  return rows[0] ?? null
}

/** Throws 'not_found'. */
export async function getGoodsFile(db: Db | Tx, publicId: string): Promise<GoodsFile> {
  const found = await findGoodsFile(db, publicId)
  if (!found) throw new AppError('not_found')
  return found
}

/** What is wrong with a file, in its order. */
export async function listFileFaults(db: Db, id: string): Promise<FileFault[]> {
  const { rows } = await sql<FileFault & { reason: FieldReason | null }>`
    select line, place, shown, reason, why from goods_file_fault where file_id = ${id} order by no`.execute(
    db,
  )
  return rows
}

export async function readFilePiece(db: Db, id: string, no: number): Promise<Buffer> {
  const row = await db
    .selectFrom('goods_file_piece')
    .select('content')
    .where('file_id', '=', id)
    .where('no', '=', no)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.content
}

/** Products that are there by code, with the currency their items have. */
export async function readStanding(
  db: Db | Tx,
  products: readonly string[],
  brands: readonly string[],
) {
  const found = await sql<{ code: string; brand: string; currency: string | null }>`
    select p.code, p.brand, (select i.price_currency from item i where i.product = p.code order by i.position, i.code limit 1) as currency
    from product p where p.code = any(${[...products]})`.execute(db)
  const named = [...brands, ...found.rows.map(({ brand }) => brand)]
  const there = await sql<{ code: string }>`
    select code from brand where code = any(${named})`.execute(db)
  return {
    products: new Map(found.rows.map(({ code, ...row }) => [code, row])),
    brands: new Set(there.rows.map(({ code }) => code)),
  }
}

/** Of so many items the currency of the price, by code. */
export async function readCurrencies(
  db: Db | Tx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ code: string; currency: string }>`
    select code, price_currency as currency from item where code = any(${[...codes]})`.execute(db)
  return new Map(rows.map(({ code, currency }) => [code, currency]))
}

/** An item with its product and brand, as a table tells it. */
export interface TableItem {
  readonly code: string
  readonly name: string
  readonly kind: string
  readonly face: string | null
  readonly face_currency: string | null
  readonly units: string | null
  readonly bonus: string | null
  readonly days: number | null
  readonly data_mb: number | null
  readonly price: string
  readonly currency: string
  readonly market: string | null
  readonly cost: string | null
  readonly cost_currency: string | null
  readonly stock: number | null
  readonly status: string
  readonly position: number
  readonly reference: string | null
  readonly product: string
  readonly region: string
  readonly brand: string
  readonly brand_name: string
  readonly brand_kind: string
  readonly publisher: string
  readonly delivery: string
  readonly categories: string | null
}

/** Items behind a code, in the order of their codes. Amounts are minor units. */
export async function readTableItems(db: Db, after: string, limit: number): Promise<TableItem[]> {
  const { rows } = await sql<TableItem>`
    select i.code, i.name, i.kind, i.face_minor::text as face, p.face_currency, i.units::text as units, i.bonus::text as bonus, i.days, i.data_mb,
      i.price_minor::text as price, i.price_currency as currency, i.market_minor::text as market, i.cost_minor::text as cost, i.cost_currency,
      i.stock, i.status, i.position, i.source_reference as reference, p.code as product, p.region, b.code as brand, b.name as brand_name,
      b.kind as brand_kind, b.publisher, b.delivery,
      (select string_agg(c.code, '|' order by c.id) from brand_category o join category c on c.id = o.category_id where o.brand = b.code) as categories
    from item i join product p on p.code = i.product join brand b on b.code = p.brand
    where i.code > ${after} order by i.code limit ${limit}`.execute(db)
  return rows
}

export async function countItems(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from item`.execute(db)
  return rows[0]?.count ?? 0
}
