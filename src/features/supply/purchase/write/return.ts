import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { withdrawUnseen } from '#features/buying/vault/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import type { ReturnOutcome } from '#providers/supply/provider.ts'
import { lockPurchase, type Purchase } from '../queries.ts'
import { isCardKind } from '../rules.ts'
import { givenBack } from './books.ts'
import { endPurchase, TOLD_MAX } from './ending.ts'

/**
 * Withdraws the cards of a purchase that are to be given back to their supplier, before it is asked: none of them can be sold or shown any
 * more from now on, and its reference is our word for it. Only what nobody has seen goes back, and only once its buyers have their money. Throws 'not_found', 'order_closed' for a
 * purchase that is no such, 'conflict' for one that has been given back.
 */
export async function askReturn(ctx: OperatorCtx, reference: string): Promise<Purchase> {
  requirePermission(ctx, 'order.decide')
  const known = await ctx.db
    .selectFrom('purchase')
    .select(['id', 'order_id as orderId'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  return transaction(ctx, async (tx, now) => {
    await lockOrderById(tx, known.orderId)
    const purchase = await lockPurchase(tx, known.id)
    if (purchase.status === 'reversed') throw new AppError('conflict')
    if (purchase.status !== 'done' || !isCardKind(purchase.told.kind))
      throw new AppError('order_closed')
    if (!(await withdrawUnseen(tx, ctx, purchase.id))) throw new AppError('order_closed')
    await recordAudit(tx, ctx, now, [
      {
        action: 'supply_return_asked',
        subject: 'purchase',
        subjectCode: reference,
        before: { status: purchase.status },
        after: { supplier: purchase.supplier },
      },
    ])
    return purchase
  })
}

/** Writes what the supplier has said to that: its money is back, or what it has said instead. */
export async function recordReturn(
  ctx: OperatorCtx,
  { id, orderId }: Purchase,
  outcome: ReturnOutcome,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await lockOrderById(tx, orderId)
    const purchase = await lockPurchase(tx, id)
    if (purchase.status !== 'done') return
    if (outcome.kind === 'accepted') {
      await endPurchase(tx, ctx, purchase, { status: 'reversed' })
      await post(tx, ctx, givenBack(purchase, purchase.actualMinor ?? 0n))
    } else
      await tx
        .updateTable('purchase')
        .set({
          told: (outcome.kind === 'failed' ? outcome.text : outcome.why).slice(0, TOLD_MAX),
          updated_at: now,
        })
        .where('id', '=', id)
        .execute()
  })
}
