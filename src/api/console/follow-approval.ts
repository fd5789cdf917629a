import { findReceipt } from '#features/buying/bank-transfer/queries.ts'
import { checkPayment, type PaymentServices } from '#features/buying/payment/flows.ts'
import { submitRefund } from '#features/buying/refund/flows.ts'
import { getRefundId } from '#features/buying/refund/queries.ts'
import { returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { settleAsDecided } from '#features/supply/purchase/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { isAppError } from '#kernel/error.ts'

/** What asks a provider once the approval is written; approved again it is asked again, and a sweep asks where this failed. */
export async function followApproval(
  ctx: OperatorCtx,
  payments: PaymentServices,
  { kind, subject, details }: Act,
): Promise<void> {
  if (kind === 'bank_receipt') {
    const attemptId = await findReceipt(ctx.db, subject)
    if (attemptId) await checkPayment(ctx, payments, attemptId)
  }
  if (kind === 'bank_return')
    await submitRefund(ctx, payments.providers, await getRefundId(ctx.db, subject))
  if (kind === 'doubt_failure')
    await settleAsDecided(ctx, subject, { outcome: 'failed', proof: String(details['proof']) })
  if (kind === 'stray_return')
    await returnUnmatched(ctx, [...payments.providers.values()], subject).catch(
      (error: unknown) => {
        // It was given back already.
        if (!isAppError(error) || error.code !== 'order_closed') throw error
      },
    )
}
