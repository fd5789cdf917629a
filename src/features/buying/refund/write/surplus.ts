import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder, moveUnits } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { endActsAbout } from '#features/team/approval/commands.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { AppError } from '#kernel/error.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { listReturnable, type Returnable } from '../queries.ts'
import type { RefundDestination } from '../rules.ts'
import { ACCEPTING, listKeepable, recallReturns } from './recall.ts'
import { insertRefund, SYSTEM } from './request.ts'

interface SurplusWay {
  readonly destination?: RefundDestination
  /** Until then a person may still accept it for the order. */
  readonly notBefore?: Date | null
}

/** Money that paid for nothing goes back where it came from, or into store credit. The label is the caller's to change. */
export async function returnSurplus(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  surplus: Returnable,
  reason: string,
  { destination = 'original', notBefore = null }: SurplusWay = {},
): Promise<void> {
  await insertRefund(tx, ctx, {
    ...surplus,
    orderId,
    feeMinor: 0n,
    restMinor: 0n,
    purpose: 'surplus',
    destination,
    reason,
    requestedBy: SYSTEM,
    approvedBy: SYSTEM,
    notBefore,
  })
}

/** Gives everything back that an order holds without having been paid by it: too little, too late, another currency. Throws 'order_closed' where there is nothing. */
export async function returnHeldMoney(ctx: Ctx, orderId: string, reason: string): Promise<void> {
  await transaction(ctx, (tx) => returnHeld(tx, ctx, orderId, reason))
}

/** `returnHeldMoney` as part of a decision that is written with it; into store credit goes what is on its way back and still here as well. */
export async function returnHeld(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  reason: string,
  destination: RefundDestination = 'original',
): Promise<void> {
  const order = await lockOrderById(tx, orderId)
  const returnable = await listHeld(tx, order.id, destination)
  if (order.settledAt !== null || returnable.length === 0) throw new AppError('order_closed')
  for (const surplus of returnable) {
    if (destination === 'store_credit') await recallReturns(tx, ctx, surplus.attemptId)
    await returnSurplus(tx, ctx, order.id, surplus, reason, { destination })
  }
  for (const kind of ['held_money', ...ACCEPTING] as const)
    await endActsAbout(tx, ctx, kind, order.number)
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'money_returned',
      subject: 'shop_order',
      subjectCode: order.number,
      before: { hold: order.hold },
      after: { reason, destination },
    },
  ])
  // Of credit its buyer is told once it is there.
  const isToTell = destination === 'original'
  await changeOrder(tx, ctx, order, {}, { reason: 'money_returned', isToTell })
}

/** What an unpaid order holds, and could be given back there. */
export const listHeld = (
  tx: Tx,
  orderId: string,
  destination: RefundDestination,
): Promise<Returnable[]> =>
  destination === 'original' ? listReturnable(tx, orderId) : listKeepable(tx, orderId)

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
