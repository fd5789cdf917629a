import type { LanguageCode } from '#kernel/language.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { dayOf } from '#kernel/day.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ShopOrderTable } from '#platform/tables.ts'
import { type CountedStatus, COUNTED_STATUSES, type Hold, type OrderStatus } from './rules.ts'

export {
  countBought,
  exportOrder,
  findForCheck,
  hasDisputes,
  hasUnfinishedOrders,
  listCartOrders,
  listOrders,
} from './read/of-shopper.ts'
export { findOrderNumbers } from './read/find.ts'
export {
  countByStatus,
  countHeldOrders,
  listFilteredOrders,
  listOrdersByNumber,
  listOrdersForOperators,
  type ListedOrder,
  type OrderFilters,
  type OrderListQuery,
} from './read/list.ts'
export { readVersion } from './read/version.ts'
export { findRecentRecharges, listRecharges } from './read/recharges.ts'
export {
  getOrderSheet,
  listOrdersOf,
  listShopOrders,
  listStoryEvents,
  listUndecided,
  type StoryEvent,
} from './read/for-operators.ts'

/** An order whose row the transaction holds: nobody else changes it until the commit. */
export interface LockedOrder {
  readonly id: string
  readonly publicId: string
  readonly number: string
  readonly accountId: string
  readonly status: OrderStatus
  readonly currency: string
  readonly language: LanguageCode
  readonly goodsMinor: bigint
  readonly feeMinor: bigint
  readonly totalMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly hold: Hold | null
  readonly ended: 'cancelled' | 'expired' | null
  readonly settledAt: Date | null
  /** When the buyer agreed that delivery begins at once. */
  readonly waivedAt: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** What a step may change of it; the total follows from the fee. */
export type OrderChanges = Partial<
  Pick<
    LockedOrder,
    'capturedMinor' | 'refundedMinor' | 'hold' | 'ended' | 'settledAt' | 'waivedAt' | 'feeMinor'
  >
>

/** A shopper's order, locked. Rows are locked in one order everywhere: order, payment, unit, key, refund. Throws 'not_found'. */
export async function lockOrder(tx: Tx, accountId: string, publicId: string): Promise<LockedOrder> {
  const row = await tx
    .selectFrom('shop_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return orderOf(row)
}

export async function lockOrderById(tx: Tx, id: string): Promise<LockedOrder> {
  return orderOf(
    await tx
      .selectFrom('shop_order')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  )
}

/** The order that an attempt is to pay for. */
export async function lockOrderOfAttempt(tx: Tx, attemptId: string): Promise<LockedOrder> {
  return orderOf(
    await tx
      .selectFrom('shop_order')
      .selectAll()
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('payment_attempt').select('order_id').where('id', '=', attemptId),
      )
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  )
}

function orderOf(row: Selectable<ShopOrderTable>): LockedOrder {
  return {
    id: row.id,
    publicId: row.public_id,
    number: row.number,
    accountId: row.account_id,
    status: row.status,
    currency: row.currency,
    language: row.language,
    goodsMinor: BigInt(row.goods_minor),
    feeMinor: BigInt(row.fee_minor),
    totalMinor: BigInt(row.total_minor),
    capturedMinor: BigInt(row.captured_minor),
    refundedMinor: BigInt(row.refunded_minor),
    hold: row.hold,
    ended: row.ended,
    settledAt: row.settled_at,
    waivedAt: row.waived_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}

/** An order by the number people know it by. Throws 'not_found'. */
export async function getOrderByNumber(
  db: Db | Tx,
  number: string,
): Promise<Pick<LockedOrder, 'id' | 'publicId' | 'accountId' | 'currency'>> {
  const row = await db
    .selectFrom('shop_order')
    .select(['id', 'public_id', 'account_id', 'currency'])
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return {
    id: row.id,
    publicId: row.public_id,
    accountId: row.account_id,
    currency: row.currency,
  }
}

/** What the label of an order follows from beside its own columns, and disputes, as they stand in the transaction. */
export interface Standing extends Disputes {
  readonly isPaymentOpen: boolean
  readonly isRefundOpen: boolean
  readonly units: Readonly<Record<CountedStatus, number>>
}

export async function getStanding(tx: Tx, orderId: string): Promise<Standing> {
  const { rows } = await sql<
    Omit<Standing, 'units'> & Record<CountedStatus, number>
  >`select f.*, f.is_payment_open as "isPaymentOpen", f.is_refund_open as "isRefundOpen", ${DISPUTES(sql`f.id`)} from order_facts f where f.id = ${orderId}`.execute(
    tx,
  )
  const row = present(rows[0], 'an order has facts')
  const { isDisputed, isAsked, isPaymentOpen, isRefundOpen } = row
  return {
    isDisputed,
    isAsked,
    isPaymentOpen,
    isRefundOpen,
    units: Object.fromEntries(COUNTED_STATUSES.map((status) => [status, row[status]])) as Record<
      CountedStatus,
      number
    >,
  }
}

interface Disputes {
  readonly isDisputed: boolean
  readonly isAsked: boolean
}

const DISPUTES = (order: RawBuilder<unknown>) =>
  sql`exists (select from payment_attempt where order_id = ${order} and is_disputed) as "isDisputed",
    exists (select from service_case where order_id = ${order} and status = 'open' and kind <> 'dispute') as "isAsked"`

/** Whether a payment of an order is disputed, and whether its buyer has asked the shop for something that is not decided. */
export async function getDisputes(tx: Tx, orderId: string): Promise<Disputes> {
  const { rows } = await sql<Disputes>`select ${DISPUTES(sql`${orderId}::uuid`)}`.execute(tx)
  return present(rows[0], 'a row')
}

/** Promises broken, with how often. Reads every order: for the schedule and for operators, not for pages. */
export async function countViolations(
  db: Db,
): Promise<{ readonly invariant: string; readonly count: number }[]> {
  const { rows } = await sql<{
    invariant: string
    count: number
  }>`select invariant, count(*)::integer as count from invariant_violation group by invariant order by invariant`.execute(
    db,
  )
  return rows
}

/** When something happened to any order last; null where there is none. */
export async function findLastEvent(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('order_event')
    .select('at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Lines of an unpaid order of whose cards there are not enough left, by their place in it. */
export async function listShortLines(
  db: Db | Tx,
  orderId: string,
  now: Date,
): Promise<{ readonly line: number; readonly item: string }[]> {
  const { rows } = await sql<{ line: number; item: string }>`
    select l.position::integer as line, l.item_code as item from order_line l
    where l.order_id = ${orderId} and l.delivery = 'card_key' and not is_made_to_order(l.item, ${now}) and l.quantity > (
      select count(*) from (
        select from card_key k where k.item = l.item and k.status = 'free' and k.expires_on > ${dayOf(now)}::date limit l.quantity
      ) as free)
    order by l.position`.execute(db)
  return rows
}

/** What of an order's price the shop has borne itself, as it took less for the whole. */
export async function getShortfall(tx: Tx, orderId: string): Promise<bigint> {
  const row = await tx
    .selectFrom('shop_order')
    .select('shortfall_minor')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return BigInt(row.shortfall_minor)
}

/** Codes of items of which an order's cards cannot all be had now, beside those that are reserved for it already. */
export async function listShortItems(tx: Tx, orderId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ item: string }>`
    select i.code as item from (
      select u.item, count(*) as wanted from order_unit u where u.order_id = ${orderId} and u.delivery = 'card_key' and u.status in ('queued', 'released')
        and not exists (select from card_key k where k.unit_id = u.id) group by u.item
    ) as open join item i on i.id = open.item
    where not is_made_to_order(open.item, ${now}) and open.wanted > (
      select count(*) from (
        select from card_key k where k.item = open.item and k.status = 'free' and k.expires_on > ${dayOf(now)}::date limit open.wanted
      ) as free)
    order by i.code`.execute(tx)
  return rows.map(({ item }) => item)
}

export interface DueOrder {
  readonly id: string
  /** To the last digit, as the page after it begins there. */
  readonly expiresAt: string
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Orders past their time that have no payment open, longest over first, behind `last`. */
export async function listExpiring(
  db: Db,
  now: Date,
  last: DueOrder | null,
  limit: number,
): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    select id, expires_at::text as "expiresAt" from shop_order where status in ('pending_payment', 'waiting_for_payment') and status = 'pending_payment' and expires_at <= ${now}
      and (expires_at, id) > (${last?.expiresAt ?? '-infinity'}::timestamptz, ${last?.id ?? NO_ID}::uuid) order by expires_at, id limit ${limit}`.execute(
    db,
  )
  return rows
}
