import { sql, type RawBuilder } from 'kysely'
import { brandNameIn, itemNameIn, regionNameIn } from '#features/goods/region/queries.ts'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { isUuid } from '#kernel/uuid.ts'
import type { Db } from '#platform/db.ts'
import {
  NEVER_EMPTY_HOURS,
  SHOWN_SALES_DAYS,
  type Shelf,
  type ShelfCursor,
  type ShelfValue,
  type ShelfView,
} from './rules.ts'

export interface ShelfQuery {
  readonly view: ShelfView
  /** Part of the name of a brand or of the code of an item. */
  readonly search: string | undefined
  readonly after: ShelfCursor | null
  readonly limit: number
  /** That regions are named in. */
  readonly language: LanguageCode
}

const VIEWS: Readonly<Record<ShelfView, RawBuilder<unknown>>> = {
  all: sql`true`,
  low: sql`s.is_low`,
  expiring: sql`s.expiring > 0`,
  quarantine: sql`s.quarantined > 0`,
}

interface ShelfRow extends Omit<Shelf, 'coverHours' | 'values'> {
  readonly coverHours: number
  readonly values: readonly { readonly currency: string; readonly minor: string }[] | null
}

/** A page of shelves, those that last shortest first. */
export async function listShelves(
  db: Db,
  now: Date,
  { view, search, after, limit, language }: ShelfQuery,
): Promise<Shelf[]> {
  const pattern = search === undefined ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const found =
    pattern === null
      ? sql``
      : sql`and (i.code ilike ${pattern} or b.name ilike ${pattern} or ${brandNameIn(language)} ilike ${pattern} or i.name ilike ${pattern})`
  const goesOn =
    after === null
      ? sql``
      : sql`and (s.cover_hours, s.item) > (${after.coverHours}, ${after.item}::uuid)`
  const which = sql`${VIEWS[view]} ${goesOn} ${found} order by s.cover_hours, s.item limit ${limit}`
  return read(db, { now, language }, sql`key_shelf`, which)
}

/** The shelf of an item. Throws 'not_found' for what is not delivered as a key. */
export async function getShelf(
  db: Db,
  at: { readonly now: Date; readonly language: LanguageCode },
  itemCode: string,
): Promise<Shelf> {
  const [shelf] = await read(
    db,
    at,
    ONE_ITEM,
    sql`i.code = ${itemCode} and b.delivery = 'card_key'`,
  )
  if (!shelf) throw new AppError('not_found')
  return shelf
}

/** Shelves as they are noted; an item that came a moment ago has none yet. */
const ONE_ITEM = sql`(
  select id as item, low_days, coalesce(version, 0) as version, coalesce(expiring, 0) as expiring, coalesce(cover_hours, 0) as cover_hours, coalesce(is_low, false) as is_low
  from item left join key_shelf on key_shelf.item = item.id
)`

async function read(
  db: Db,
  { now, language }: { readonly now: Date; readonly language: LanguageCode },
  shelves: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<Shelf[]> {
  const { rows } = await sql<ShelfRow>`
    with page as materialized (
      select s.item, s.low_days, s.version, s.expiring, s.cover_hours, s.is_low, i.code, ${itemNameIn(language)} as name, i.status, ${brandNameIn(language)} as brand_name, ${regionNameIn(language)} as region_name
      from ${shelves} s join item i on i.id = s.item join product p on p.code = i.product join brand b on b.code = p.brand join region r on r.code = p.region
      where ${which}
    )
    select s.item, s.code as "itemCode", s.brand_name as "brandName", s.region_name as "regionName", s.name as "itemName", s.status = 'active' as "isOnSale",
      coalesce(l.is_to_order, false) as "isToOrder", coalesce(held.free, 0)::integer as free, coalesce(held.claimed, 0)::integer as reserved, coalesce(held.quarantined, 0)::integer as quarantined,
      s.expiring, coalesce(sales.sold, 0)::integer as sold, s.cover_hours as "coverHours", s.is_low as "isLow", s.low_days as "lowDays", s.version, held.values, coalesce(held.without, 0)::integer as "withoutCost"
    from page s left join stock_level l on l.item = s.item
    left join lateral (
      select sum(each.free) as free, sum(each.claimed) as claimed, sum(each.quarantined) as quarantined, sum(each.keys) filter (where each.currency is null) as without,
        jsonb_agg(jsonb_build_object('currency', each.currency, 'minor', each.minor::text) order by each.currency) filter (where each.currency is not null) as values
      from (
        select b.cost_currency as currency, sum(k.free) as free, sum(k.claimed) as claimed, sum(k.quarantined) as quarantined, sum(k.free + k.claimed + k.quarantined) as keys,
          sum((k.free + k.claimed + k.quarantined) * b.cost_minor) as minor
        from key_batch_level k join key_batch b on b.id = k.batch_id where k.item = s.item and (k.free <> 0 or k.claimed <> 0 or k.quarantined <> 0) group by b.cost_currency
      ) as each
    ) as held on true
    left join lateral (select sum(sold) as sold from key_sale_day d where d.item = s.item and d.day > ${dayOf(now)}::date - ${SHOWN_SALES_DAYS}::integer) as sales on true
    order by s.cover_hours, s.item`.execute(db)
  return rows.map((row) => ({
    ...row,
    coverHours: row.coverHours >= NEVER_EMPTY_HOURS ? null : row.coverHours,
    values: valuesOf(row.values),
  }))
}

const valuesOf = (values: ShelfRow['values']): ShelfValue[] =>
  (values ?? []).map(({ currency, minor }) => ({ currency, minor: BigInt(minor) }))

export interface ShelfTotals {
  readonly shelves: number
  readonly low: number
  readonly free: number
  readonly quarantined: number
  readonly expiring: number
  readonly values: readonly ShelfValue[]
}

/** All shelves together: of the last minute, and what their keys cost of the last seconds. */
export async function sumShelves(db: Db): Promise<ShelfTotals> {
  const { rows } = await sql<Omit<ShelfTotals, 'values'> & { values: ShelfRow['values'] }>`
    select count(*)::integer as shelves, count(*) filter (where is_low)::integer as low, coalesce(sum(free), 0)::integer as free,
      count(*) filter (where quarantined > 0)::integer as quarantined, count(*) filter (where expiring > 0)::integer as expiring,
      (select jsonb_agg(jsonb_build_object('currency', currency, 'minor', minor::text) order by currency) from (
        select b.cost_currency as currency, sum((k.free + k.claimed + k.quarantined) * b.cost_minor) as minor
        from key_batch_level k join key_batch b on b.id = k.batch_id where b.cost_currency is not null and (k.free <> 0 or k.claimed <> 0 or k.quarantined <> 0) group by b.cost_currency
      ) as each) as values
    from key_shelf`.execute(db)
  const [row] = rows
  const none = { shelves: 0, low: 0, free: 0, quarantined: 0, expiring: 0 }
  return { ...(row ?? none), values: valuesOf(row?.values ?? null) }
}

/** Shelves on sale that run low, those told of in alerts. */
export async function countLowShelves(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from key_shelf where is_low and free > 0`.execute(db)
  return rows[0]?.count ?? 0
}

export interface Batch {
  readonly id: string
  readonly itemCode: string
  readonly fileName: string
  readonly supplier: string | null
  readonly cost: ShelfValue | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly imported: number
  readonly duplicates: number
  readonly refused: number
  readonly free: number
  readonly reserved: number
  readonly sold: number
  readonly quarantined: number
  readonly void: number
  /** Keys of it that shoppers reported as faulty. */
  readonly reported: number
  readonly withdrawnAt: Date | null
}

export interface BatchCursor {
  readonly at: Date
  readonly id: string
}

type BatchRow = Omit<Batch, 'cost'> & { costMinor: string | null; costCurrency: string | null }

const BATCH = sql`
  b.id, i.code as "itemCode", b.file_name as "fileName", b.supplier, b.cost_minor::text as "costMinor", b.cost_currency as "costCurrency", b.created_at as "createdAt", b.created_by as "createdBy",
  b.imported, b.duplicates, b.refused, coalesce(l.free, 0) as free, coalesce(l.claimed, 0) as reserved, coalesce(l.delivered, 0) as sold, coalesce(l.quarantined, 0) as quarantined,
  coalesce(l.void, 0) as void, b.withdrawn_at as "withdrawnAt"`

/** Units that were reported as faulty, each once. */
const REPORTED = sql`(select distinct u.unit_id from service_case c join service_case_unit u on u.case_id = c.id where c.kind = 'faulty_key')`

/** What an item's keys came in by, newest first. Throws 'not_found' where there is no such item. */
export async function listShelfBatches(
  db: Db,
  itemCode: string,
  after: BatchCursor | null,
  limit: number,
): Promise<Batch[]> {
  const item = await db
    .selectFrom('item')
    .select('id')
    .where('code', '=', itemCode)
    .executeTakeFirst()
  if (!item) throw new AppError('not_found')
  const goesOn =
    after === null ? sql`` : sql`and (b.created_at, b.id) < (${after.at}, ${after.id}::uuid)`
  const { rows } = await sql<BatchRow>`
    with page as materialized (
      select b.* from key_batch b where b.item = ${item.id} ${goesOn} order by b.created_at desc, b.id desc limit ${limit}
    ), reports as (
      select k.batch_id, count(*)::integer as count from ${REPORTED} as r join card_key k on k.unit_id = r.unit_id where k.item = ${item.id} group by k.batch_id
    )
    select ${BATCH}, coalesce(reports.count, 0) as reported
    from page b join item i on i.id = b.item left join key_batch_level l on l.batch_id = b.id left join reports on reports.batch_id = b.id order by b.created_at desc, b.id desc`.execute(
    db,
  )
  return rows.map(batchOf)
}

/** One batch of an item. Throws 'not_found'. */
export async function getBatch(db: Db, itemCode: string, id: string): Promise<Batch> {
  if (!isUuid(id)) throw new AppError('not_found')
  const { rows } = await sql<BatchRow>`
    select ${BATCH}, (select count(*)::integer from ${REPORTED} as r join card_key k on k.unit_id = r.unit_id where k.batch_id = b.id) as reported
    from key_batch b join item i on i.id = b.item left join key_batch_level l on l.batch_id = b.id where b.id = ${id}::uuid and i.code = ${itemCode}`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return batchOf(row)
}

/** Batches of which shoppers reported keys as faulty, most reports first. */
export async function listReportedBatches(db: Db, limit: number): Promise<Batch[]> {
  const { rows } = await sql<BatchRow>`
    with reports as (
      select k.batch_id, count(*)::integer as count from ${REPORTED} as r join card_key k on k.unit_id = r.unit_id group by k.batch_id order by count(*) desc, k.batch_id limit ${limit}
    )
    select ${BATCH}, reports.count as reported
    from reports join key_batch b on b.id = reports.batch_id join item i on i.id = b.item left join key_batch_level l on l.batch_id = b.id order by reports.count desc, b.id`.execute(
    db,
  )
  return rows.map(batchOf)
}

function batchOf({ costMinor, costCurrency, ...row }: BatchRow): Batch {
  const cost =
    costMinor === null || costCurrency === null
      ? null
      : { currency: costCurrency, minor: BigInt(costMinor) }
  return { ...row, cost }
}

/** Whether keys are there of which no batch was ever counted: a release before took them in. */
export async function isNeverCounted(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select not exists (select from key_batch_level) and not exists (select from stock_change where batch_id is not null) and exists (select from card_key) as is`.execute(
    db,
  )
  return rows[0]?.is ?? false
}
