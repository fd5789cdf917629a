import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { OrderFilter, OrderStatus } from '../rules.ts'

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

/** Ids of a shopper's orders of the cart that wait for their money, newest first: what they hold is in the cart again if none comes. */
export async function listCartOrders(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('shop_order')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', UNPAID)
    .where('from_cart', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
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

/** Whether a bank disputes a payment of a shopper right now. */
export async function hasDisputes(db: Db | Tx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('shop_order as o')
    .innerJoin('payment_attempt as p', 'p.order_id', 'o.id')
    .select('o.id')
    .where('o.account_id', '=', accountId)
    .where('p.is_disputed', '=', true)
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
          'price_minor', l.price_minor::text, 'account_fields', l.account_fields, 'amount_minor', l.amount_minor::text, 'amount_currency', l.amount_currency) order by l.position) from order_line l where l.order_id = o.id),
      'notes', (select json_agg(json_build_object('text', n.text, 'created_at', n.created_at) order by n.created_at) from order_note n where n.order_id = o.id)) as order
    from shop_order o where o.account_id = ${accountId} order by o.created_at, o.id`.execute(db)
  return rows.map((row) => row.order)
}
