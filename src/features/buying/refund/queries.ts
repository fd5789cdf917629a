import { sql, type Selectable } from 'kysely'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { RefundTable } from '#platform/tables.ts'
import {
  TO_STORE_CREDIT,
  type Refund,
  type RefundDestination,
  type RefundedUnit,
  type RefundStatus,
} from './rules.ts'

export function refundOf(row: Selectable<RefundTable>): Refund {
  return {
    id: row.id,
    orderId: row.order_id,
    attemptId: row.attempt_id,
    purpose: row.purpose,
    destination: row.destination,
    status: row.status,
    isApproved: row.approved_by !== null,
    currency: row.currency,
    amountMinor: BigInt(row.amount_minor),
    feeMinor: BigInt(row.fee_minor),
    restMinor: BigInt(row.rest_minor),
    provider: row.provider,
    checks: row.checks,
    updatedAt: row.updated_at,
    request: row.request_id,
  }
}

/** A refund with its order, locked: order, payment, refund, as everywhere. */
export async function lockRefund(
  tx: Tx,
  id: string,
): Promise<{
  readonly order: LockedOrder
  readonly refund: Refund
  readonly paymentReference: string | null
  /** Its payment is disputed right now. */
  readonly isDisputed: boolean
}> {
  const { order_id: orderId, attempt_id: attemptId } = await tx
    .selectFrom('refund')
    .select(['order_id', 'attempt_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const order = await lockOrderById(tx, orderId)
  const attempt = await tx
    .selectFrom('payment_attempt')
    .select(['provider_reference', 'is_disputed'])
    .where('id', '=', attemptId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const row = await tx
    .selectFrom('refund')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return {
    order,
    refund: refundOf(row),
    paymentReference: attempt.provider_reference,
    isDisputed: attempt.is_disputed,
  }
}

/** Whom a refund waits for. */
export async function getPayee(db: Db, publicId: string): Promise<string> {
  const row = await db
    .selectFrom('refund')
    .select(['provider', 'destination'])
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  return row.destination === TO_STORE_CREDIT ? TO_STORE_CREDIT : row.provider
}

/** The units a refund is for. */
export async function listRefundedUnits(tx: Tx, refundId: string): Promise<RefundedUnit[]> {
  const rows = await tx
    .selectFrom('refund_unit as r')
    .innerJoin('order_unit as u', 'u.id', 'r.unit_id')
    .select(['u.id', 'u.price_minor', 'u.delivered_at'])
    .where('r.refund_id', '=', refundId)
    .orderBy('u.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    priceMinor: BigInt(row.price_minor),
    wasDelivered: row.delivered_at !== null,
  }))
}

export interface Returnable {
  readonly attemptId: string
  readonly provider: string
  readonly currency: string
  readonly amountMinor: bigint
}

/** What the attempts of an order brought and is neither given back nor asked back yet. */
export async function listReturnable(tx: Tx, orderId: string): Promise<Returnable[]> {
  const { rows } = await sql<{ id: string; provider: string; currency: string; rest: string }>`
    select p.id, p.provider, p.captured_currency as currency, (p.captured_minor - coalesce((select sum(r.amount_minor) from refund r
      where r.attempt_id = p.id and r.status not in ('failed', 'rejected')), 0))::text as rest
    from payment_attempt p where p.order_id = ${orderId} and p.captured_minor > 0 order by p.id`.execute(
    tx,
  )
  return rows
    .map((row) => ({
      attemptId: row.id,
      provider: row.provider,
      currency: row.currency,
      amountMinor: BigInt(row.rest),
    }))
    .filter(({ amountMinor }) => amountMinor > 0n)
}

/** What is left of the payments that its goods were paid by: the order's own first, and others that were accepted with it. Locked. */
export async function listGoodsMoney(tx: Tx, orderId: string): Promise<Returnable[]> {
  const paying = await tx
    .selectFrom('payment_attempt as p')
    .select('p.id')
    .where('p.order_id', '=', orderId)
    .where(
      sql<boolean>`(p.is_applied or exists (select from accepted_part s where s.attempt_id = p.id))`,
    )
    .orderBy('p.is_applied', 'desc')
    .orderBy('p.id')
    .forNoKeyUpdate()
    .execute()
  const left = await listReturnable(tx, orderId)
  return paying.flatMap(({ id }) => left.filter(({ attemptId }) => attemptId === id))
}

/** What of a payment has paid for its order. */
export async function getPaidBy(tx: Tx, attemptId: string): Promise<bigint> {
  const { rows } = await sql<{
    minor: string
  }>`select paid_by(${attemptId})::text as minor`.execute(tx)
  return BigInt(rows[0]?.minor ?? 0)
}

/** Refunds that belong together: one of units, and what goes back with it to other payments. */
export async function listShares(tx: Tx, refundId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('refund_part')
    .select('refund_id')
    .where('of_refund_id', '=', refundId)
    .execute()
  return [refundId, ...rows.map((row) => row.refund_id)]
}

/** What went back for units of an order, or is asked back: their price, and of its fee, less what such refunds left out. */
export async function getAskedBack(
  tx: Tx,
  orderId: string,
): Promise<{ readonly priceMinor: bigint; readonly feeMinor: bigint }> {
  const { rows } = await sql<{ price: string; fee: string }>`
    select coalesce(sum(amount_minor - fee_minor + rest_minor), 0)::text as price, coalesce(sum(fee_minor - rest_minor), 0)::text as fee from refund
    where order_id = ${orderId} and purpose = 'goods' and status not in ('failed', 'rejected')`.execute(
    tx,
  )
  return { priceMinor: BigInt(rows[0]?.price ?? 0), feeMinor: BigInt(rows[0]?.fee ?? 0) }
}

/**
 * That a refund of money which paid for nothing can still be kept: nobody has handed it to its payment service, or nobody has sent it by
 * transfer nor said that they have.
 */
export const RECALLABLE = sql<boolean>`(r.purpose = 'surplus' and (r.status in ('requested', 'approved') or (
  r.status = 'submitted' and r.provider = ${BANK_TRANSFER} and r.destination = 'original' and not exists (select from bank_return b where b.refund_id = r.id)
    and not exists (select from operator_act a where a.kind = 'bank_return' and a.subject = r.public_id and a.status = 'waiting'))))`

/** What of a payment is neither given back, taken back, nor beyond recall. Its bank may have taken what a refund was to give back: no reversal is booked of that. */
export const KEEPABLE = sql`(p.captured_minor - p.reversed_minor - coalesce((select sum(r.amount_minor) from refund r
  where r.attempt_id = p.id and r.purpose <> 'reversal' and r.status not in ('failed', 'rejected') and not ${RECALLABLE}), 0))`

/** Whether an unpaid order has money that a person may accept for it. */
export async function hasKeepable(db: Db, orderNumber: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from shop_order o join payment_attempt p on p.order_id = o.id where o.number = ${orderNumber} and o.settled_at is null and o.refunded_minor < o.captured_minor
      and p.captured_currency = o.currency and p.currency = o.currency and ${KEEPABLE} > 0
      and not exists (select from payment_attempt d where d.order_id = o.id and d.is_disputed)) as "is"`.execute(
    db,
  )
  return rows[0]?.is === true
}

/** The same of one attempt; undefined where nothing is left of it. */
export async function findReturnable(
  tx: Tx,
  orderId: string,
  attemptId: string,
): Promise<Returnable | undefined> {
  return (await listReturnable(tx, orderId)).find((left) => left.attemptId === attemptId)
}

/** Whether a payment still has what a refund of it gives back: not taken by a bank, nor sent out by other refunds. */
export async function isCovered(tx: Tx, refund: Refund): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select p.captured_minor - p.reversed_minor - coalesce((select sum(r.amount_minor) from refund r where r.attempt_id = p.id and r.id <> ${refund.id}
      and r.purpose <> 'reversal' and r.status in ('submitted', 'unknown', 'succeeded')), 0) >= ${refund.amountMinor.toString()}::numeric as "is"
    from payment_attempt p where p.id = ${refund.attemptId}`.execute(tx)
  return rows[0]?.is === true
}

/** How often a payment's bank took more than was left of it. */
export async function countWriteOffs(tx: Tx, attemptId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from ledger_transfer where source = 'write_off' and source_id = ${attemptId}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** That a refund which failed was asked for anew: by a later one of the same payment for the same thing. */
const REPEATED = sql<boolean>`exists (select from refund n where n.attempt_id = r.attempt_id and n.id <> r.id and n.purpose = r.purpose and n.amount_minor = r.amount_minor
  and n.reason = r.reason and n.created_at >= r.updated_at and not exists (select unit_id from refund_unit where refund_id = n.id except select unit_id from refund_unit where refund_id = r.id))`

/** That a refund which failed gives back what a person has accepted for the order since. */
const PAYS = sql<boolean>`(r.purpose = 'surplus' and exists (select from accepted_payment c join payment_attempt p on p.order_id = c.order_id
  where p.id = r.attempt_id and r.created_at <= c.accepted_at and paid_by(p.id) > 0 and r.amount_minor > p.captured_minor - paid_by(p.id) - coalesce(
    (select sum(n.amount_minor) from refund n where n.attempt_id = p.id and n.purpose <> 'goods' and n.status not in ('failed', 'rejected')), 0)))`

/** That a refund which failed is nobody's to see to any more: asked for anew, or its money went another way meanwhile. */
const SEEN_TO = sql<boolean>`(r.purpose = 'reversal' or ${REPEATED} or ${PAYS} or r.amount_minor > (
  select p.captured_minor - coalesce(sum(n.amount_minor), 0) from payment_attempt p left join refund n on n.attempt_id = p.id and n.order_id = p.order_id and n.status not in ('failed', 'rejected')
  where p.id = r.attempt_id group by p.captured_minor))`

/** Whether it was asked for anew, or its money pays for the order by now. */
export async function isRepeated(tx: Tx, { id }: Pick<Refund, 'id'>): Promise<boolean> {
  return (
    await tx
      .selectFrom('refund as r')
      .select(sql<boolean>`(${REPEATED} or ${PAYS})`.as('is'))
      .where('r.id', '=', id)
      .executeTakeFirstOrThrow()
  ).is
}

/** Refunds that their provider has refused, and whose money is still with the shop. */
export async function countRefused(db: Db): Promise<number> {
  const row = await db
    .selectFrom('refund as r')
    .where('r.status', '=', 'failed')
    .where(({ not }) => not(SEEN_TO))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function listUnitIds(
  tx: Tx,
  orderId: string,
  publicIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', orderId)
    .where('public_id', 'in', publicIds)
    .execute()
  return rows.map(({ id }) => id)
}

/** Throws 'not_found'. */
export async function getRefundId(db: Db | Tx, publicId: string): Promise<string> {
  const row = await db
    .selectFrom('refund')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.id
}

export interface OpenRefund {
  readonly refund: string
  readonly orderNumber: string
  readonly status: RefundStatus
  readonly amountMinor: bigint
  readonly currency: string
  readonly destination: RefundDestination
  readonly reason: string
  readonly requestedBy: string
  readonly approvedBy: string | null
  readonly failure: string | null
  readonly createdAt: Date
}

/** Refunds that are not done, and of all others the newest, for operators. */
export async function listForOperators(db: Db, limit: number): Promise<OpenRefund[]> {
  const rows = await db
    .selectFrom('refund as r')
    .innerJoin('shop_order as o', 'o.id', 'r.order_id')
    .select([
      'r.public_id',
      'o.number',
      'r.status',
      'r.amount_minor',
      'r.currency',
      'r.destination',
      'r.reason',
      'r.requested_by',
      'r.approved_by',
      'r.failure',
      'r.created_at',
    ])
    .orderBy(sql`r.status in ('succeeded', 'rejected') or (r.status = 'failed' and ${SEEN_TO})`)
    .orderBy('r.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    refund: row.public_id,
    orderNumber: row.number,
    status: row.status,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    destination: row.destination,
    reason: row.reason,
    requestedBy: row.requested_by,
    approvedBy: row.approved_by,
    failure: row.failure,
    createdAt: row.created_at,
  }))
}
