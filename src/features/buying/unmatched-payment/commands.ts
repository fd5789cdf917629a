import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { getStray, type StrayPayment } from './queries.ts'

/** Notes money that belongs to no payment known here; one that was noted before stays as it is. @returns false for such, and where nothing is left of it */
export async function recordStray(
  ctx: Ctx,
  provider: string,
  { reference, ourReference, captured, reversed }: ProviderPayment,
): Promise<boolean> {
  const left = (captured?.minor ?? 0n) - (reversed?.minor ?? 0n)
  if (!captured || left <= 0n) return false
  const noted = await ctx.db
    .insertInto('stray_payment')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      provider,
      provider_reference: reference,
      our_reference: ourReference,
      currency: captured.currency,
      amount_minor: left,
      found_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_reference']).doNothing())
    .executeTakeFirst()
  return noted.numInsertedOrUpdatedRows === 1n
}

/** Notes what became of it. Throws 'not_found', and 'order_closed' for one that was seen to already. */
export async function closeStray(
  ctx: OperatorCtx,
  publicId: string,
  outcome: NonNullable<StrayPayment['outcome']>,
  note: string,
): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, async (tx, now) => {
    const stray = await getStray(tx, publicId)
    const closed = await tx
      .updateTable('stray_payment')
      .set({ outcome, note, closed_at: now, closed_by: ctx.actor })
      .where('id', '=', stray.id)
      .where('outcome', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) throw new AppError('order_closed')
    const after = {
      outcome,
      note,
      provider: stray.provider,
      reference: stray.reference,
      amount_minor: stray.amount.minor.toString(),
      currency: stray.amount.currency,
    }
    await recordAudit(tx, ctx, now, [
      {
        action: 'stray_closed',
        subject: 'stray_payment',
        subjectCode: publicId,
        before: null,
        after,
      },
    ])
  })
}

/** Writes down that an operator compares with the payment services, before they are asked. */
export async function noteReconciliation(ctx: OperatorCtx, since: Date): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'reconcile',
        subject: 'payment_attempt',
        subjectCode: 'all',
        before: null,
        after: { since: since.toISOString() },
      },
    ]),
  )
}
