import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db.ts'
import { ORDER_STATUSES, type Hold, type OrderStatus } from '../rules.ts'

/** An order as one row of the operators' list. */
export interface ListedOrder {
  readonly number: string
  readonly status: OrderStatus
  readonly hold: Hold | null
  readonly currency: string
  readonly totalMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly country: string | null
  readonly createdAt: Date
  readonly settledAt: Date | null
  /** When it became what it is. */
  readonly updatedAt: Date
  /** Null when the person has been erased. */
  readonly shopper: string | null
  /** Of its first line; the code of its product. */
  readonly product: string
  readonly productName: string
  readonly itemName: string
  readonly lines: number
  readonly provider: string | null
  readonly method: string | null
  readonly hasOpenCase: boolean
}

/** What else orders of a list have in common; left out: whatever it is. */
export interface OrderFilters {
  readonly hold?: Hold
  readonly provider?: string
  readonly method?: string
  readonly supplier?: string
  /** Code of a product. */
  readonly product?: string
  readonly country?: string
  /** In the smallest unit of a currency, together with it. */
  readonly currency?: string
  readonly least?: bigint
  readonly most?: bigint
  /** Days of the shop's clock in words, ready to compare: made at or after, and before. */
  readonly since?: Date
  readonly until?: Date
  readonly hasCase?: boolean
}

export interface OrderListQuery {
  readonly statuses: readonly OrderStatus[]
  /** Number of an order: those older or newer than it. Null begins with the newest. */
  readonly from: { readonly number: string; readonly direction: 'older' | 'newer' } | null
  readonly limit: number
  readonly filters?: OrderFilters
}

/** A page of a list, and how far was looked for it where it ends before it is full: nothing is scanned without end. */
interface OrderListPage {
  readonly orders: readonly ListedOrder[]
  /** The last order that was looked at; null where all were. */
  readonly lookedTo: { readonly number: string; readonly at: Date } | null
}

/** Orders looked at for one page of a filtered list. */
const LOOKED_MOST = 1_000

/**
 * The shop's orders, newest first, whatever the direction they are paged in. Read by the index of each status: as many of each as a page
 * holds, so that neither the number of orders nor that of the page matters.
 */
export async function listOrdersForOperators(
  db: Db,
  { statuses, from, limit }: OrderListQuery,
): Promise<ListedOrder[]> {
  const isNewer = from?.direction === 'newer'
  const order = isNewer ? sql`created_at asc, id asc` : sql`created_at desc, id desc`
  const beyond = from
    ? sql`and (created_at, id) ${isNewer ? sql`>` : sql`<`} ((select created_at from edge), (select id from edge))`
    : sql``
  const rows = await readRows(
    db,
    sql`with edge as (select created_at, id from shop_order where number = ${from?.number ?? null}),
      listed as (
        select o.* from unnest(${[...(statuses.length > 0 ? statuses : ORDER_STATUSES)]}::text[]) as wanted (status) cross join lateral (
          select * from shop_order where status = wanted.status ${beyond} order by ${order} limit ${limit}
        ) as o order by ${order} limit ${limit})`,
  )
  return rows
}

/** How many orders each status has, counted to one more than `most` and no further: as many entries of an index are read. */
export async function countByStatus(
  db: Db,
  most: number,
): Promise<ReadonlyMap<OrderStatus, number>> {
  const { rows } = await sql<{ status: OrderStatus; count: number }>`
    select wanted.status, counted.count from unnest(${[...ORDER_STATUSES]}::text[]) as wanted (status) cross join lateral (
      select count(*)::integer as count from (select from shop_order where status = wanted.status limit ${most + 1}) as found) as counted`.execute(
    db,
  )
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/**
 * The same of those that have something in common: as many as are found among the next orders of these statuses, of which a bounded number is
 * looked at, whatever is looked for and however rare it is.
 */
export async function listFilteredOrders(
  db: Db,
  { statuses, from, limit, filters = {} }: OrderListQuery,
): Promise<OrderListPage> {
  const isNewer = from?.direction === 'newer'
  const order = isNewer ? sql`created_at asc, id asc` : sql`created_at desc, id desc`
  const { since, until } = filters
  const bounds = [
    from
      ? sql`(created_at, id) ${isNewer ? sql`>` : sql`<`} ((select created_at from edge), (select id from edge))`
      : null,
    since ? sql`created_at >= ${since}` : null,
    until ? sql`created_at < ${until}` : null,
  ].filter((bound) => bound !== null)
  const looked = sql`edge as (select created_at, id from shop_order where number = ${from?.number ?? null}),
    looked as materialized (
      select o.* from unnest(${[...(statuses.length > 0 ? statuses : ORDER_STATUSES)]}::text[]) as wanted (status) cross join lateral (
        select * from shop_order where status = wanted.status ${bounds.map((bound) => sql`and ${bound} `).reduce((all, one) => sql`${all}${one}`, sql``)} order by ${order} limit ${LOOKED_MOST}
      ) as o order by ${order} limit ${LOOKED_MOST})`
  const orders = await readRows(
    db,
    sql`with ${looked}, listed as (select o.* from looked o where ${conditionOf(filters)} order by ${order} limit ${limit})`,
  )
  if (orders.length >= limit) return { orders, lookedTo: null }
  const { rows } = await sql<{ number: string; at: Date; count: number }>`with ${looked}
    select number, created_at as at, (select count(*)::integer from looked) as count from looked order by ${isNewer ? sql`created_at desc, id desc` : sql`created_at asc, id asc`} limit 1`.execute(
    db,
  )
  const last = rows[0]
  return {
    orders,
    lookedTo: last && last.count >= LOOKED_MOST ? { number: last.number, at: last.at } : null,
  }
}

function conditionOf(filters: OrderFilters): RawBuilder<unknown> {
  const { hold, provider, method, supplier, product, country, currency, least, most } = filters
  const attempt = (column: RawBuilder<unknown>, value: string) =>
    sql`exists (select from payment_attempt p where p.order_id = o.id and ${column} = ${value})`
  return [
    hold === undefined ? null : sql`o.hold = ${hold}`,
    country === undefined ? null : sql`o.country = ${country}`,
    currency === undefined ? null : sql`o.currency = ${currency}`,
    least === undefined ? null : sql`o.total_minor >= ${least.toString()}::numeric`,
    most === undefined ? null : sql`o.total_minor <= ${most.toString()}::numeric`,
    provider === undefined ? null : attempt(sql`p.provider`, provider),
    method === undefined ? null : attempt(sql`p.method`, method),
    product === undefined
      ? null
      : sql`exists (select from order_line l where l.order_id = o.id and l.product = ${product})`,
    supplier === undefined
      ? null
      : sql`exists (select from purchase b where b.order_id = o.id and b.supplier = ${supplier})`,
    filters.hasCase
      ? sql`exists (select from service_case c where c.order_id = o.id and c.status = 'open')`
      : null,
  ]
    .filter((condition) => condition !== null)
    .reduce((all, one) => sql`${all} and ${one}`, sql`true`)
}

/** Those of these numbers, newest first. */
export function listOrdersByNumber(db: Db, numbers: readonly string[]): Promise<ListedOrder[]> {
  return readRows(
    db,
    sql`with listed as (select * from shop_order where number = any(${[...numbers]}::text[]))`,
  )
}

type Row = Omit<ListedOrder, 'totalMinor' | 'capturedMinor' | 'refundedMinor'> & {
  readonly total: string
  readonly captured: string
  readonly refunded: string
}

async function readRows(db: Db, listed: RawBuilder<unknown>): Promise<ListedOrder[]> {
  const { rows } = await sql<Row>`${listed}
    select o.number, o.status, o.hold, o.currency, o.total_minor::text as total, o.captured_minor::text as captured, o.refunded_minor::text as refunded,
      o.country, o.created_at as "createdAt", o.settled_at as "settledAt", o.updated_at as "updatedAt", a.nickname as shopper,
      l.product, l.product_name as "productName", l.item_name as "itemName", (select count(*)::integer from order_line where order_id = o.id) as lines,
      p.provider, p.method, exists (select from service_case c where c.order_id = o.id and c.status = 'open') as "hasOpenCase"
    from listed o join account a on a.id = o.account_id
      join lateral (select product, product_name, item_name from order_line where order_id = o.id order by position limit 1) as l on true
      left join lateral (select provider, method from payment_attempt where order_id = o.id order by is_applied desc, id desc limit 1) as p on true
    order by o.created_at desc, o.id desc`.execute(db)
  return rows.map(({ total, captured, refunded, ...row }) => ({
    ...row,
    totalMinor: BigInt(total),
    capturedMinor: BigInt(captured),
    refundedMinor: BigInt(refunded),
  }))
}

/** What a number beside an entry shows at most. */
const COUNTED = 99

/** Orders that wait for a decision, counted to 100 and no further. */
export async function countHeldOrders(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from shop_order where status = 'processing' limit ${COUNTED + 1}) as held`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
