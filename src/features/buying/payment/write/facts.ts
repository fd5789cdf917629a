import { changeOrder } from '#features/buying/order/commands.ts'
import { findReturnable } from '#features/buying/refund/queries.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { type Attempt, lockAttempt } from '../queries.ts'
import { isOpen, nextCheck, nextStatus } from '../rules.ts'
import { decide, disposeOf } from './arrived.ts'
import { settleFastPath } from './settle-fast-path.ts'
import { isTakenBack, openedDispute } from './chargeback.ts'

/** `not_ours`: what the provider told belongs to another attempt, and nothing was done. */
export type Applied = 'nothing_new' | 'changed' | 'money_arrived' | 'not_ours'

/**
 * Makes an attempt and its order what the provider says they are, in one transaction: money booked, the order settled and its
 * keys delivered, or held, or the money on its way back. Facts that come again, late or out of order change nothing: a dispute is over,
 * and what a bank took is back, only by a second question (`applyGivenBack`).
 */
export async function applyFacts(
  ctx: Ctx,
  attempt: Pick<Attempt, 'id' | 'provider'>,
  told: ProviderPayment,
): Promise<Applied> {
  return (await settleFastPath(ctx, attempt, told, null))
    ? 'money_arrived'
    : applyByRules(ctx, attempt.id, told)
}

/** What `applyFacts` does wherever a payment is more than plain, and may do everywhere. */
export async function applyByRules(
  ctx: Ctx,
  attemptId: string,
  told: ProviderPayment,
): Promise<Applied> {
  return transaction(ctx, async (tx, now) => {
    const { order, attempt } = await lockAttempt(tx, attemptId)
    if (
      told.ourReference !== attempt.id ||
      (attempt.reference !== null && attempt.reference !== told.reference)
    )
      return 'not_ours'
    const status = nextStatus(attempt.status, told.status)
    const arrived = told.captured === null ? 0n : told.captured.minor - attempt.capturedMinor
    const isMoney =
      status === 'captured' &&
      told.captured !== null &&
      arrived > 0n &&
      (attempt.capturedCurrency ?? told.captured.currency) === told.captured.currency
    // 'captured' with nothing captured is no word to act on: it is asked again.
    const isChanged = status !== attempt.status && (status !== 'captured' || isMoney)
    // What is on its way back pays for nothing.
    const keptMinor = isMoney ? told.captured.minor - (await findAskedBack(tx, attempt)) : 0n
    const isShort = isMoney && keptMinor < attempt.amountMinor
    const known = {
      ...attempt,
      ...(isMoney
        ? { capturedMinor: told.captured.minor, capturedCurrency: told.captured.currency }
        : {}),
    }
    const isDisputed =
      known.isDisputed ||
      (told.isDisputed && told.isDisputeUnknown !== true && known.capturedMinor > 0n)
    const decision = isMoney ? decide(ctx, order, { ...known, capturedMinor: keptMinor }) : null
    await tx
      .updateTable('payment_attempt')
      .set({
        is_applied: attempt.isApplied || decision?.kind === 'settle',
        ...(isChanged ? { status, updated_at: now } : {}),
        ...(isMoney
          ? {
              captured_minor: told.captured.minor,
              captured_currency: told.captured.currency,
              captures: attempt.captures + 1,
            }
          : {}),
        is_disputed: isDisputed,
        provider_reference: told.reference,
        failure: told.failure?.slice(0, 200) ?? null,
        checks: attempt.checks + 1,
        check_at: nextCheck(
          isShort ? 'seen' : isChanged ? status : attempt.status,
          attempt.checks,
          attempt.createdAt,
          now,
        ),
      })
      .where('id', '=', attempt.id)
      .execute()
    if (decision) {
      await disposeOf(tx, ctx, { order, attempt: known, arrivedMinor: arrived, decision })
    } else if (isChanged && isOpen(attempt.status) && !isOpen(status)) {
      await changeOrder(tx, ctx, order, {}, { reason: `payment_${status}` })
    }
    if (isDisputed && !attempt.isDisputed) await openedDispute(tx, ctx, attempt)
    const isReversed = await isTakenBack(tx, ctx, attempt.id, told)
    if (isMoney) return 'money_arrived'
    return isChanged || isDisputed !== attempt.isDisputed || isReversed ? 'changed' : 'nothing_new'
  })
}

/** What of an attempt's money is given back, taken back, or promised to be given back. */
async function findAskedBack(tx: Tx, attempt: Attempt): Promise<bigint> {
  if (attempt.capturedMinor === 0n) return 0n
  const rest = (await findReturnable(tx, attempt.orderId, attempt.id))?.amountMinor ?? 0n
  return attempt.capturedMinor - rest
}
