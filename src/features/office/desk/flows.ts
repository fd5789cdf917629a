import { recordAudit } from '#features/base/audit/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { actOnce } from './write/once.ts'
import type { DeskAct } from './rules.ts'

const UNPAID: ReadonlySet<string> = new Set(['pending_payment', 'waiting_for_payment'])

/**
 * Cancels an order that is not paid: an open payment is ended at its provider first, and what came of its price goes back. Its buyer is told.
 * Throws 'order_closed' where money has come or is on its way, or the order is over, 'payment_unreachable' where the provider does not answer,
 * and as `actOnce` does. Sent again it goes on where it was cut off.
 */
export async function cancelAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct,
  /** Ends it, and its open payment at the payment's service. */
  end: (accountId: string, order: string) => Promise<void>,
): Promise<void> {
  await actOnce(ctx, 'cancel', { ...asked }, async ({ ctx: own, order }) => {
    requirePermission(own, 'order.decide')
    const isHeld = order.hold === 'underpaid' && order.settledAt === null
    if (!UNPAID.has(order.status) && !isHeld) throw new AppError('order_closed')
    return {}
  })
  const { accountId, publicId } = await getOrderByNumber(ctx.db, asked.order)
  await end(accountId, publicId)
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'order_cancelled',
        subject: 'shop_order',
        subjectCode: asked.order,
        before: null,
        after: { by: ctx.operator.name },
      },
    ]),
  )
}
