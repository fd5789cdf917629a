import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder, moveUnits } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { endActsAbout } from '#features/team/approval/commands.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { AppError } from '#kernel/error.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { listReturnable, type Returnable } from '../queries.ts'
import { insertRefund, SYSTEM } from './request.ts'

/** Money that paid for nothing goes back where it came from. The label is the caller's to change. */
export async function returnSurplus(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  surplus: Returnable,
  reason: string,
): Promise<void> {
  await insertRefund(tx, ctx, {
    ...surplus,
    orderId,
    feeMinor: 0n,
    restMinor: 0n,
    purpose: 'surplus',
    destination: 'original',
    reason,
    requestedBy: SYSTEM,
    approvedBy: SYSTEM,
  })
}

/** Gives everything back that an order holds without having been paid by it: too little, too late, another currency. Throws 'order_closed' where there is nothing. */
export async function returnHeldMoney(ctx: Ctx, orderId: string, reason: string): Promise<void> {
  await transaction(ctx, (tx) => returnHeld(tx, ctx, orderId, reason))
}

/** `returnHeldMoney` as part of a decision that is written with it. */
export async function returnHeld(tx: Tx, ctx: Ctx, orderId: string, reason: string): Promise<void> {
  const order = await lockOrderById(tx, orderId)
  const returnable = await listReturnable(tx, order.id)
  if (order.settledAt !== null || returnable.length === 0) throw new AppError('order_closed')
  for (const surplus of returnable) await returnSurplus(tx, ctx, order.id, surplus, reason)
  await endActsAbout(tx, ctx, 'held_money', order.number)
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'money_returned',
      subject: 'shop_order',
      subjectCode: order.number,
      before: { hold: order.hold },
      after: { reason },
    },
  ])
  await changeOrder(tx, ctx, order, {}, { reason: 'money_returned', isToTell: true })
}

/**
 * Whether an order that was never paid for has given back all that came for it. It will not be paid any more: what was reserved for
 * it goes on to others.
 */
export async function releaseOnceAllIsBack(
  tx: Tx,
  order: LockedOrder,
  refundedMinor: bigint,
): Promise<boolean> {
  if (order.settledAt !== null || refundedMinor !== order.capturedMinor) return false
  if ((await listReturnable(tx, order.id)).length > 0) return false
  if (refundedMinor > 0n) await releaseKeys(tx, await moveUnits(tx, order.id, 'queued', 'released'))
  return true
}
