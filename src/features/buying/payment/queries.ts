import type { LanguageCode } from '#kernel/language.ts'
import { sql, type Selectable } from 'kysely'
import { lockOrderOfAttempt, type LockedOrder } from '#features/buying/order/queries.ts'
import type { OrderStatus } from '#features/buying/order/rules.ts'
import type { GoodsKind } from '#features/goods/pay-method/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { PaymentAttemptTable } from '#platform/tables.ts'
import type { PaymentStatus } from './rules.ts'

export interface Attempt {
  readonly id: string
  readonly publicId: string
  readonly orderId: string
  readonly provider: string
  readonly method: string
  readonly status: PaymentStatus
  readonly currency: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly reference: string | null
  readonly redirectUrl: string | null
  readonly capturedMinor: bigint
  readonly capturedCurrency: string | null
  readonly captures: number
  readonly refundedMinor: bigint
  /** Taken back by the payer's bank. */
  readonly reversedMinor: bigint
  readonly isApplied: boolean
  /** Its payer's bank asks for it back, and that is not decided yet. */
  readonly isDisputed: boolean
  readonly checks: number
  readonly createdAt: Date
}

export function attemptOf(row: Selectable<PaymentAttemptTable>): Attempt {
  return {
    id: row.id,
    publicId: row.public_id,
    orderId: row.order_id,
    provider: row.provider,
    method: row.method,
    status: row.status,
    currency: row.currency,
    amountMinor: BigInt(row.amount_minor),
    feeMinor: BigInt(row.fee_minor),
    reference: row.provider_reference,
    redirectUrl: row.redirect_url,
    capturedMinor: BigInt(row.captured_minor),
    capturedCurrency: row.captured_currency,
    captures: row.captures,
    refundedMinor: BigInt(row.refunded_minor),
    reversedMinor: BigInt(row.reversed_minor),
    isApplied: row.is_applied,
    isDisputed: row.is_disputed,
    checks: row.checks,
    createdAt: row.created_at,
  }
}

export async function getAttempt(db: Db | Tx, id: string): Promise<Attempt> {
  return attemptOf(
    await db
      .selectFrom('payment_attempt')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
}

/** The open attempt of an order, if there is one. */
export async function findOpenAttempt(db: Db | Tx, orderId: string): Promise<Attempt | null> {
  const row = await db
    .selectFrom('payment_attempt')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('status', 'in', ['created', 'requires_action', 'seen', 'authorised'])
    .executeTakeFirst()
  return row ? attemptOf(row) : null
}

/** How often paying for an order was begun. */
export async function countAttempts(tx: Tx, orderId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('payment_attempt')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** An attempt and its order, locked in the order in which all rows are: order first. */
export async function lockAttempt(
  tx: Tx,
  id: string,
): Promise<{ readonly order: LockedOrder; readonly attempt: Attempt }> {
  const order = await lockOrderOfAttempt(tx, id)
  return {
    order,
    attempt: attemptOf(
      await tx
        .selectFrom('payment_attempt')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow(),
    ),
  }
}

/** Whether there is such an attempt at a provider: it may tell of payments that are not the shop's. */
export async function isAttemptAt(
  db: Db | Tx,
  { id, provider }: { readonly id: string; readonly provider: string },
): Promise<boolean> {
  return (
    (await db
      .selectFrom('payment_attempt')
      .select('id')
      .where('id', '=', id)
      .where('provider', '=', provider)
      .executeTakeFirst()) !== undefined
  )
}

/** Whether a payment of the shop has that name. */
export async function isAttempt(db: Db | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_attempt')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** What somebody has given back of a payment by hand at its provider, and an operator has booked: it counts as taken back. */
export async function findBooked(db: Db | Tx, attemptId: string): Promise<bigint> {
  const { rows } = await sql<{ minor: string }>`
    select coalesce(sum(told_minor - known_minor), 0)::text as minor from payment_difference where attempt_id = ${attemptId} and outcome = 'booked'`.execute(
    db,
  )
  return BigInt(rows[0]?.minor ?? 0)
}

/** What a provider is told of an order, and what decides whether its payment is overdue. */
export async function findOrderOf(
  db: Db,
  orderId: string,
): Promise<{
  readonly publicId: string
  readonly number: string
  readonly language: LanguageCode
  readonly expiresAt: Date
}> {
  const row = await db
    .selectFrom('shop_order')
    .select(['public_id', 'number', 'language', 'expires_at'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return {
    publicId: row.public_id,
    number: row.number,
    language: row.language,
    expiresAt: row.expires_at,
  }
}

/** A shopper's order as far as ways to pay it depend on it. Amounts in minor units of its currency. */
export interface Payable {
  readonly id: string
  readonly status: OrderStatus
  readonly currency: string
  readonly goodsMinor: bigint
  readonly country: string | null
  readonly expiresAt: Date
  readonly kinds: readonly GoodsKind[]
  /** What the shopper may spend of the shop's credit in this currency. */
  readonly creditMinor: bigint
}

/** How this shopper last paid an order; null before their first. */
export async function findLastMethod(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('shop_order as o')
    .innerJoin('payment_attempt as p', 'p.order_id', 'o.id')
    .select('p.method')
    .where('o.account_id', '=', accountId)
    .where('p.is_applied', '=', true)
    .orderBy('o.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.method ?? null
}

/** Throws 'not_found' for what is not theirs. */
export async function getPayable(db: Db, accountId: string, publicId: string): Promise<Payable> {
  const row = await db
    .selectFrom('shop_order as o')
    .select(['o.id', 'o.status', 'o.currency', 'o.goods_minor', 'o.country', 'o.expires_at'])
    .select(
      sql<
        GoodsKind[]
      >`(select json_agg(distinct case when l.delivery = 'store_credit' then to_json(l.delivery::text)::jsonb else to_json(l.goods_type)::jsonb end) from order_line l where l.order_id = o.id)`.as(
        'kinds',
      ),
    )
    .select(sql<string>`spendable_credit(o.account_id, o.currency)::text`.as('credit'))
    .where('o.account_id', '=', accountId)
    .where('o.public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return {
    id: row.id,
    status: row.status,
    currency: row.currency,
    goodsMinor: BigInt(row.goods_minor),
    country: row.country,
    expiresAt: row.expires_at,
    kinds: row.kinds,
    creditMinor: BigInt(row.credit),
  }
}
