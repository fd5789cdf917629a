import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { findReturnable, getRefundId, isRepeated, lockRefund, type Returnable } from '../queries.ts'
import type { Refund, RefundDestination } from '../rules.ts'
import { insertRefund, type NewRefund } from './request.ts'

/**
 * Hands a refund that its provider has refused out anew, as another row: to where it was to go, or as store credit. Who asked and who
 * approved stay. Throws 'not_found', 'order_closed' for one that has not failed, was repeated already, or whose money is gone meanwhile.
 * @returns its public id
 */
export async function repeatRefund(
  ctx: OperatorCtx,
  publicId: string,
  destination: RefundDestination,
): Promise<string> {
  return transaction(ctx, (tx) => repeatRefundIn(tx, ctx, publicId, destination))
}

/** `repeatRefund` as part of a call that is answered with it. */
export async function repeatRefundIn(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  destination: RefundDestination,
): Promise<string> {
  requirePermission(ctx, 'order.refund')
  const now = ctx.now()
  const { order, refund } = await lockRefund(tx, await getRefundId(tx, publicId))
  const row = await tx
    .selectFrom('refund')
    .select(['reason', 'requested_by', 'approved_by'])
    .where('id', '=', refund.id)
    .executeTakeFirstOrThrow()
  const returnable = await getRepeatable(tx, refund)
  const { id: again, publicId: repeated } = await insertRefund(tx, ctx, {
    ...returnable,
    amountMinor: refund.amountMinor,
    orderId: order.id,
    feeMinor: refund.feeMinor,
    restMinor: refund.restMinor,
    destination,
    reason: row.reason,
    requestedBy: row.requested_by,
    approvedBy: row.approved_by,
  })
  await sql`insert into refund_unit (refund_id, unit_id) select ${again}, unit_id from refund_unit where refund_id = ${refund.id}`.execute(
    tx,
  )
  await takePlace(tx, refund.id, again)
  await recordAudit(tx, ctx, now, [
    {
      action: 'refund_repeated',
      subject: 'refund',
      subjectCode: repeated,
      before: { refund: publicId },
      after: {
        destination,
        amount_minor: refund.amountMinor.toString(),
        currency: refund.currency,
      },
    },
  ])
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    { reason: 'refund_asked', details: { amount_minor: refund.amountMinor.toString() } },
  )
  return repeated
}

/** What goes back to several payments stays together: with its units there is one credit note, of all of it. */
async function takePlace(tx: Tx, former: string, again: string): Promise<void> {
  await tx
    .updateTable('refund_part')
    .set({ refund_id: again })
    .where('refund_id', '=', former)
    .execute()
  await tx
    .updateTable('refund_part')
    .set({ of_refund_id: again })
    .where('of_refund_id', '=', former)
    .execute()
}

/** The money of a refund that may be handed out anew. Throws 'order_closed' for one that may not. */
async function getRepeatable(
  tx: Tx,
  refund: Refund,
): Promise<Returnable & Pick<NewRefund, 'purpose'>> {
  const returnable = await findReturnable(tx, refund.orderId, refund.attemptId)
  if (
    refund.status !== 'failed' ||
    refund.purpose === 'reversal' ||
    (await isRepeated(tx, refund)) ||
    !returnable ||
    returnable.amountMinor < refund.amountMinor
  )
    throw new AppError('order_closed')
  return { ...returnable, purpose: refund.purpose }
}
