import { sql } from 'kysely'
import {
  changeOrder,
  reserveStock,
  setExpiry,
  unreserveStock,
} from '#features/buying/order/commands.ts'
import { lockOrder } from '#features/buying/order/queries.ts'
import { findSpent } from '#features/buying/store-credit/queries.ts'
import { findStopOfOrder } from '#features/goods/sale-stop/queries.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { attemptOf, countAttempts, findOpenAttempt, lockAttempt } from '../queries.ts'
import { ATTEMPTS_MAX, expiryOnceStarted, firstCheck, isSlow } from '../rules.ts'
import { type BegunAttempt, type StartedPayment, startFastPath } from './start-fast-path.ts'

/**
 * Opens an attempt to pay an order before the provider is called, and reserves its goods where payers answer within minutes: with days
 * to pay, somebody without money could empty the shelves. With it the buyer agrees to the terms and to delivery at once. An attempt with
 * the same method that is open already is given again. Throws 'order_closed' when it can no longer be paid, 'out_of_stock', 'conflict' while another
 * method's attempt is open, 'too_many_attempts' after too many, 'selling_stopped' or 'check_fields' at `method` where goods or method are not sold by for the moment, 'not_found' for what is not theirs.
 */
export async function startPayment(ctx: Ctx, wanted: StartedPayment): Promise<BegunAttempt> {
  return (await startFastPath(ctx, wanted)) ?? startByRules(ctx, wanted)
}

/** What `startPayment` does wherever beginning to pay is more than plain, and may do everywhere. */
export async function startByRules(
  ctx: Ctx,
  { order: publicId, accountId, provider, method, feeMinor, livesMinutes }: StartedPayment,
): Promise<BegunAttempt> {
  return transaction(ctx, async (tx, now) => {
    const order = await lockOrder(tx, accountId, publicId)
    if (order.status === 'waiting_for_payment') {
      const open = await findOpenAttempt(tx, order.id)
      if (open?.provider === provider && open.method === method) return { ...open, order }
      throw new AppError('conflict')
    }
    if (order.status !== 'pending_payment' || order.expiresAt <= now)
      throw new AppError('order_closed')
    if ((await countAttempts(tx, order.id)) >= ATTEMPTS_MAX) throw new AppError('too_many_attempts')
    await refuseStopped(tx, order.id, method)
    if (isSlow(livesMinutes)) await unreserveStock(tx, ctx, order.id)
    else await reserveStock(tx, ctx, order.id)
    const expiresAt = expiryOnceStarted(order.expiresAt, livesMinutes, now)
    if (expiresAt.getTime() !== order.expiresAt.getTime()) await setExpiry(tx, order.id, expiresAt)
    const row = await tx
      .insertInto('payment_attempt')
      .values({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        order_id: order.id,
        provider,
        method,
        currency: order.currency,
        amount_minor: order.goodsMinor + feeMinor,
        fee_minor: feeMinor,
        check_at: firstCheck(now),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await changeOrder(
      tx,
      ctx,
      order,
      { feeMinor, waivedAt: order.waivedAt ?? now },
      { reason: 'payment_started', details: { provider, method } },
    )
    return { ...attemptOf(row), order }
  })
}

/** What is not sold for the moment is not paid for either: an order of before the stop waits, or runs out. */
async function refuseStopped(tx: Tx, orderId: string, method: string): Promise<void> {
  const stopped = await findStopOfOrder(tx, orderId, method)
  if (stopped === 'method') throw fieldError('method', 'method_unavailable')
  if (stopped === 'goods') throw new AppError('selling_stopped')
}

/**
 * Notes what the provider made of an attempt: its name for it and where the payer goes on. It does not wait for the disk: should the
 * server's machine fail, what is lost of it is asked for again, under the same id.
 */
export async function recordSession(
  ctx: Ctx,
  attemptId: string,
  payment: Pick<ProviderPayment, 'reference' | 'redirectUrl'>,
): Promise<void> {
  const now = ctx.now()
  // One that has ended while its provider was asked may be paid all the same: it is asked about.
  await ctx.db
    .updateTable('payment_attempt')
    .set({
      status: sql`case status when 'created' then 'requires_action' else status end`,
      check_at: sql`case status when 'created' then check_at else ${firstCheck(now)} end`,
      provider_reference: payment.reference,
      redirect_url: payment.redirectUrl,
      updated_at: now,
    })
    .where('id', '=', attemptId)
    .where('provider_reference', 'is', null)
    .where('status', 'in', ['created', 'expired'])
    .returning(sql`set_config('synchronous_commit', 'off', true)`.as('unwaited'))
    .execute()
}

/**
 * The provider would not make a payment, or it was cut off before one that takes its money at once: the order may be paid otherwise.
 * Nothing of this attempt can come later. One that has taken credit stays.
 */
export async function refuseAttempt(ctx: Ctx, attemptId: string, failure: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { order, attempt } = await lockAttempt(tx, attemptId)
    if (attempt.status !== 'created' || (await findSpent(tx, attempt.id))) return
    await tx
      .updateTable('payment_attempt')
      .set({ status: 'failed', failure: failure.slice(0, 200), check_at: null, updated_at: now })
      .where('id', '=', attempt.id)
      .execute()
    await changeOrder(tx, ctx, order, {}, { reason: 'payment_failed' })
  })
}
