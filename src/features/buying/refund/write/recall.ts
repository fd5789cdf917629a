import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { KEEPABLE, RECALLABLE, type Returnable } from '../queries.ts'
import { ACCEPTED } from '../rules.ts'

/** Acts by which money is accepted for an order that it had not paid for. */
export const ACCEPTING = ['late_accept', 'short_accept'] as const

/** What an attempt has brought that could pay for its order: nothing of it is given back, taken back, or beyond recall. */
export async function listKeepable(tx: Tx, orderId: string): Promise<Returnable[]> {
  await tx
    .selectFrom('refund')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const { rows } = await sql<{ id: string; provider: string; currency: string; minor: string }>`
    select p.id, p.provider, p.currency, ${KEEPABLE}::text as minor from payment_attempt p join shop_order o on o.id = p.order_id
    where p.order_id = ${orderId} and p.captured_currency = o.currency and p.currency = o.currency and not p.is_disputed order by p.id`.execute(
    tx,
  )
  return rows
    .map(({ id, minor, ...of }) => ({ ...of, attemptId: id, amountMinor: BigInt(minor) }))
    .filter(({ amountMinor }) => amountMinor > 0n)
}

/** Whether some of a payment is on its way back, and could still be kept. */
export async function hasRecallable(tx: Tx, attemptId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('refund as r')
    .select('r.id')
    .where('r.attempt_id', '=', attemptId)
    .where(RECALLABLE)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether somebody waits for another person's yes to keep an order's money. */
export async function findAcceptingUntil(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  orderNumber: string,
): Promise<Date | null> {
  const row = await tx
    .selectFrom('operator_act')
    .select('ends_at')
    .where('kind', 'in', ACCEPTING)
    .where('subject', '=', orderNumber)
    .where('status', '=', 'waiting')
    .where('ends_at', '>', ctx.now())
    .executeTakeFirst()
  return row?.ends_at ?? null
}

/** Keeps what of a payment was on its way back, and is accepted for its order now. Order and payment are locked. */
export async function recallReturns(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  attemptId: string,
): Promise<void> {
  await sql`
    update refund r set status = case r.status when 'submitted' then 'failed' else 'rejected' end, failure = ${ACCEPTED}, check_at = null, updated_at = ${ctx.now()}
    where r.attempt_id = ${attemptId} and ${RECALLABLE}`.execute(tx)
}

/** What waited for that yes goes back with the next sweep, as nobody accepts it. */
export async function releaseReturns(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  orderId: string,
): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ check_at: ctx.now() })
    .where('order_id', '=', orderId)
    .where('purpose', '=', 'surplus')
    .where('status', 'in', ['requested', 'approved'])
    .execute()
}
