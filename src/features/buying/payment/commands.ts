import { endOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { type Ctx, transaction } from '#platform/ctx.ts'

export { recordSession, refuseAttempt, startByRules, startPayment } from './write/start.ts'
export {
  closeNotice,
  NOTICES_CHANNEL,
  putOffNotice,
  recordNotice,
  removeOldNotices,
  type TakenNotice,
  takeNotices,
} from './write/notice.ts'
export { applyByRules, applyFacts } from './write/facts.ts'
export {
  acceptPlanned,
  inOrder,
  planAcceptance,
  requireOpen,
  requireShareable,
} from './write/accept.ts'
export {
  acceptInTurn,
  acceptMoneyByOperator,
  acceptWaitingMoney,
  leaveWaitingMoney,
  previewAcceptance,
} from './write/accept-by-operator.ts'
export { addTransfer, takeUnmatched } from './write/take-unmatched.ts'
export { applyGivenBack, isGivenBack } from './write/chargeback.ts'
export { askSoon } from './write/due.ts'

/**
 * Ends an unpaid order whose payment its provider has just ended. Nothing is done while a payment is open or money is there.
 * @returns whether it has ended
 */
export async function endUnpaid(
  ctx: Ctx,
  orderId: string,
  ended: 'cancelled' | 'expired',
): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const order = await lockOrderById(tx, orderId)
    if (order.status === 'pending_payment') await endOrder(tx, ctx, order, ended)
    return order.status === 'pending_payment' || order.ended !== null
  })
}
