import { recordAudit } from '#features/base/audit/commands.ts'
import { returnMoneyInTurn } from '#features/buying/refund/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { actOnce } from './write/once.ts'
import type { DeskAct, DeskAnswer } from './rules.ts'

const UNPAID: ReadonlySet<string> = new Set(['pending_payment', 'waiting_for_payment'])

/**
 * Cancels an order that is not paid: an open payment is ended at its provider first. What came of its price goes back, which counts as any
 * money that does, and above the limits waits for another person. Its buyer is told. Throws 'order_closed' where money has come or is on its way, or the order is over, 'payment_unreachable' where the provider does not answer,
 * and as `actOnce` does. Sent again it goes on where it was cut off.
 */
export async function cancelAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct,
  /** Ends it, and its open payment at the payment's service; gives nothing back. */
  end: (accountId: string, order: string) => Promise<void>,
): Promise<DeskAnswer> {
  const { waits, isGivenBack } = await actOnce(
    ctx,
    'cancel',
    { ...asked },
    async ({ tx, ctx: own, order }) => {
      requirePermission(own, 'order.decide')
      const isHeld = order.hold === 'underpaid' && order.settledAt === null
      if (isHeld)
        return { waits: await returnMoneyInTurn(tx, own, order.number), isGivenBack: true }
      if (!UNPAID.has(order.status)) throw new AppError('order_closed')
      return { waits: null, isGivenBack: false }
    },
  )
  if (isGivenBack) return { waits }
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
  return { waits: null }
}
