import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import { type Hold, ORDER_STATUSES, type OrderStatus } from '../rules.ts'
import type { LockedOrder } from '../queries.ts'

export interface UndecidedOrder {
  readonly number: string
  readonly hold: Hold | null
  /** What happened to it last. */
  readonly reason: string
  readonly currency: string
  readonly totalMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly since: Date
}

/** Orders that hold money and wait for a decision, longest first. */
export async function listUndecided(db: Db, limit: number): Promise<UndecidedOrder[]> {
  const rows = await db
    .selectFrom('shop_order as o')
    .select([
      'o.number',
      'o.hold',
      'o.currency',
      'o.total_minor',
      'o.captured_minor',
      'o.refunded_minor',
      'o.updated_at',
    ])
    .select(
      sql<string>`(select e.reason from order_event e where e.order_id = o.id order by e.seq desc limit 1)`.as(
        'reason',
      ),
    )
    .where('o.status', '=', 'processing')
    .orderBy('o.updated_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    number: row.number,
    hold: row.hold,
    reason: row.reason,
    currency: row.currency,
    totalMinor: BigInt(row.total_minor),
    capturedMinor: BigInt(row.captured_minor),
    refundedMinor: BigInt(row.refunded_minor),
    since: row.updated_at,
  }))
}

export interface ShopOrdersQuery {
  /** Null for all. */
  readonly status: OrderStatus | null
  /** Number of the last order of the page before; null for the newest. */
  readonly before: string | null
  readonly limit: number
}

export type ShopOrder = Pick<
  LockedOrder,
  'number' | 'status' | 'hold' | 'currency' | 'totalMinor' | 'createdAt' | 'settledAt'
>

/** The shop's orders, newest first. The newest of each status are read, as their index is by status. */
export async function listShopOrders(
  db: Db,
  { status, before, limit }: ShopOrdersQuery,
): Promise<ShopOrder[]> {
  const older =
    before === null
      ? sql``
      : sql`and (created_at, id) < ((select created_at from last), (select id from last))`
  const { rows } = await sql<Omit<ShopOrder, 'totalMinor'> & { readonly total: string }>`
    with last as (select created_at, id from shop_order where number = ${before})
    select o.number, o.status, o.hold, o.currency, o.total_minor::text as total, o.created_at as "createdAt", o.settled_at as "settledAt"
    from unnest(${status === null ? [...ORDER_STATUSES] : [status]}::text[]) as wanted (status) cross join lateral (
      select * from shop_order where status = wanted.status ${older} order by created_at desc, id desc limit ${limit}
    ) as o order by o.created_at desc, o.id desc limit ${limit}`.execute(db)
  return rows.map(({ total, ...row }) => ({ ...row, totalMinor: BigInt(total) }))
}

/** Orders of the shopper with this address, newest first; of somebody who was erased there is none. */
export async function listOrdersOf(db: Db, email: string, limit: number): Promise<ShopOrder[]> {
  const rows = await db
    .selectFrom('shop_order as o')
    .innerJoin('account as a', 'a.id', 'o.account_id')
    .select(['o.number', 'o.status', 'o.hold', 'o.currency', 'o.total_minor'])
    .select(['o.created_at', 'o.settled_at'])
    .where('a.email', '=', email.toLowerCase())
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ total_minor: total, created_at, settled_at, ...row }) => ({
    ...row,
    totalMinor: BigInt(total),
    createdAt: created_at,
    settledAt: settled_at,
  }))
}

/**
 * Everything about an order for operators. Neither keys nor the accounts that goods go to: those are shown to whoever delivers, and to
 * nobody else. Throws 'not_found'.
 */
export async function getOrderSheet(db: Db, number: string) {
  const order = await db
    .selectFrom('shop_order')
    .select([
      'id',
      'number',
      'status',
      'hold',
      'currency',
      'total_minor',
      'captured_minor',
      'refunded_minor',
      'language',
      'country',
      'created_at',
      'settled_at',
      'expires_at',
    ])
    .where('number', '=', number)
    .executeTakeFirst()
  if (!order) throw new AppError('not_found')
  const { id, ...shown } = order
  const [units, payments, refunds, events] = await Promise.all([
    listUnits(db, id),
    listPayments(db, id),
    listRefunds(db, id),
    listEvents(db, id),
  ])
  return { ...shown, units, payments, refunds, events }
}

function listUnits(db: Db, orderId: string) {
  return db
    .selectFrom('order_unit as u')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .select([
      'u.public_id',
      'l.product_name',
      'l.item_name',
      'u.price_minor',
      'u.delivery',
      'u.status',
      'u.delivered_at',
      'u.claimed_by',
      'u.proof',
    ])
    .where('u.order_id', '=', orderId)
    .orderBy('l.position')
    .orderBy('u.unit_no')
    .execute()
}

function listPayments(db: Db, orderId: string) {
  return db
    .selectFrom('payment_attempt')
    .select([
      'public_id',
      'provider',
      'method',
      'status',
      'currency',
      'amount_minor',
      'captured_minor',
      'captured_currency',
      'created_at',
      'failure',
    ])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}

function listRefunds(db: Db, orderId: string) {
  return db
    .selectFrom('refund')
    .select([
      'public_id',
      'amount_minor',
      'currency',
      'destination',
      'status',
      'reason',
      'requested_by',
      'approved_by',
      'failure',
    ])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}

function listEvents(db: Db, orderId: string) {
  return db
    .selectFrom('order_event')
    .select(['at', 'reason', 'to_status', 'actor'])
    .where('order_id', '=', orderId)
    .orderBy('seq')
    .execute()
}

/** What happened to an order, first to last, with who did it. */
export async function listStoryEvents(db: Db, number: string) {
  const rows = await db
    .selectFrom('order_event as e')
    .innerJoin('shop_order as o', 'o.id', 'e.order_id')
    .select(['e.at', 'e.from_status', 'e.to_status', 'e.reason', 'e.details', 'e.actor'])
    .where('o.number', '=', number)
    .orderBy('e.seq')
    .execute()
  return rows.map(({ from_status: from, to_status: to, details, ...event }) => ({
    ...event,
    from: from as OrderStatus | null,
    to: to as OrderStatus,
    details: details as Readonly<Record<string, string | number>>,
  }))
}
export type StoryEvent = Awaited<ReturnType<typeof listStoryEvents>>[number]
