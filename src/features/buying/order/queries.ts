import type { LanguageCode } from '#kernel/language.ts'
import { sql, type Selectable } from 'kysely'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ShopOrderTable } from '#platform/tables.ts'
import {
  ORDER_STATUSES,
  UNIT_STATUSES,
  type Hold,
  type OrderFacts,
  type OrderFilter,
  type OrderStatus,
  type UnitStatus,
} from './rules.ts'

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
): Promise<Pick<LockedOrder, 'id' | 'publicId' | 'currency'>> {
  const row = await db
    .selectFrom('shop_order')
    .select(['id', 'public_id', 'currency'])
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return { id: row.id, publicId: row.public_id, currency: row.currency }
}

/** What the label of an order follows from: its own columns as given, the rest as it stands in the transaction. */
export async function getFacts(
  tx: Tx,
  order: Pick<
    LockedOrder,
    'id' | 'capturedMinor' | 'refundedMinor' | 'hold' | 'ended' | 'settledAt'
  >,
): Promise<OrderFacts> {
  const row = await tx
    .selectFrom('order_facts')
    .selectAll()
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  const counts = row as unknown as Record<UnitStatus, number>
  return {
    capturedMinor: order.capturedMinor,
    refundedMinor: order.refundedMinor,
    hold: order.hold,
    ended: order.ended,
    isSettled: order.settledAt !== null,
    isPaymentOpen: row.is_payment_open === true,
    isRefundOpen: row.is_refund_open === true,
    units: Object.fromEntries(UNIT_STATUSES.map((status) => [status, counts[status]])) as Record<
      UnitStatus,
      number
    >,
  }
}

const UNPAID: readonly OrderStatus[] = ['pending_payment', 'waiting_for_payment']
const AFTER_SALES = sql<boolean>`(o.status = 'refunded' or coalesce(o.hold, '') in ('disputed', 'refund_requested') or o.has_claims)`

/** Of columns that stand in the index `shop_order_listed`. */
const FILTERS: Readonly<Record<OrderFilter, ReturnType<typeof sql<boolean>>>> = {
  all: sql<boolean>`true`,
  pending_payment: sql<boolean>`o.status in (${sql.join(UNPAID)})`,
  pending_shipment: sql<boolean>`(o.status in ('waiting_for_shipment', 'shipping') or (o.status = 'processing' and not ${AFTER_SALES}))`,
  completed: sql<boolean>`o.status = 'completed'`,
  after_sales: AFTER_SALES,
  game_card: sql<boolean>`o.has_cards`,
  direct_charging: sql<boolean>`o.has_charging`,
}

export interface OrderQuery {
  /** All of them must fit. */
  readonly filters: readonly OrderFilter[]
  readonly page: number
  readonly limit: number
}

/**
 * One page of a shopper's orders, newest first, as ids, with how many there are. The pages before are passed over in the index
 * alone; what the page shows is read by id.
 */
export async function listOrders(
  db: Db,
  accountId: string,
  { filters, page, limit }: OrderQuery,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const fitting = () =>
    filters.reduce(
      (query, filter) => query.where(FILTERS[filter]),
      db.selectFrom('shop_order as o').where('o.account_id', '=', accountId),
    )
  const [rows, { count }] = await Promise.all([
    fitting()
      .select('o.id')
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    fitting()
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { ids: rows.map(({ id }) => id), total: Number(count) }
}

/** How many orders a shopper has, and how many keys they were given, those taken back included: the figures beside their rooms. */
export async function countBought(
  db: Db,
  accountId: string,
): Promise<{ readonly orders: number; readonly keys: number }> {
  const { rows } = await sql<{ orders: number; keys: number }>`
    select count(*)::integer as orders, coalesce(sum(cards_delivered), 0)::integer as keys from shop_order where account_id = ${accountId}`.execute(
    db,
  )
  return rows[0] ?? { orders: 0, keys: 0 }
}

/** Whether anything of a shopper's is still open: then the account cannot be cancelled. */
export async function hasUnfinishedOrders(db: Db | Tx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('shop_order')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', [...UNPAID, 'waiting_for_shipment', 'shipping', 'processing'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The id of a number's order, where it was bought with that e-mail address; the caller answers both misses alike. */
export async function findForCheck(
  db: Db,
  { number, email }: { readonly number: string; readonly email: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('shop_order as o')
    .innerJoin('account as a', 'a.id', 'o.account_id')
    .select('o.id')
    .where('o.number', '=', number)
    .where('a.email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return row?.id ?? null
}

/** A shopper's orders with what was bought, for the export of everything about them. */
export async function exportOrder(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ order: Record<string, unknown> }>`
    select json_build_object('number', o.number, 'status', o.status, 'currency', o.currency, 'total_minor', o.total_minor::text, 'refunded_minor', o.refunded_minor::text,
      'country', o.country, 'evidence', o.evidence, 'terms_version', o.terms_version, 'created_at', o.created_at, 'lines', (
        select json_agg(json_build_object('item', l.item_code, 'name', l.product_name || ' ' || l.item_name, 'quantity', l.quantity,
          'price_minor', l.price_minor::text, 'account_fields', l.account_fields) order by l.position) from order_line l where l.order_id = o.id)) as order
    from shop_order o where o.account_id = ${accountId} order by o.created_at, o.id`.execute(db)
  return rows.map((row) => row.order)
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
    where l.order_id = ${orderId} and l.delivery = 'card_key' and l.quantity > (
      select count(*) from (
        select from card_key k where k.item = l.item and k.status = 'free' and k.expires_on > ${dayOf(now)}::date limit l.quantity
      ) as free)
    order by l.position`.execute(db)
  return rows
}

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
    db
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
      .where('u.order_id', '=', id)
      .orderBy('l.position')
      .orderBy('u.unit_no')
      .execute(),
    db
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
      .where('order_id', '=', id)
      .orderBy('id')
      .execute(),
    db
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
      .where('order_id', '=', id)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('order_event')
      .select(['at', 'reason', 'to_status', 'actor'])
      .where('order_id', '=', id)
      .orderBy('seq')
      .execute(),
  ])
  return { ...shown, units, payments, refunds, events }
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
