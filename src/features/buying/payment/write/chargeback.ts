import { closeDispute, openDispute } from '#features/buying/after-sales/commands.ts'
import { countOpenCases, findDisputed } from '#features/buying/after-sales/queries.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { recordReversal, undoReversal } from '#features/buying/refund/commands.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { type Attempt, findBooked, lockAttempt } from '../queries.ts'

/**
 * A disputed order is held, whatever its buyer asks meanwhile; money that has not paid for it waits for a decision of its own. Which
 * payment is disputed stands in the event: another one that is sound does not end it. @returns whether anything has changed
 */
export async function followDispute(
  tx: Tx,
  ctx: Ctx,
  { orderId, publicId }: Attempt,
  { isDisputed, isDisputeUnknown }: ProviderPayment,
): Promise<boolean> {
  if (isDisputeUnknown) return false
  const known = await findDisputed(tx, orderId)
  if (isDisputed === (known !== null) || (!isDisputed && known !== publicId)) return false
  const order = await lockOrderById(tx, orderId)
  if (isDisputed) {
    await openDispute(tx, ctx, order)
    const isHeld = order.hold === null || order.hold === 'refund_requested'
    await changeOrder(tx, ctx, order, isHeld ? { hold: 'disputed' } : {}, {
      reason: 'disputed',
      details: { payment: publicId },
      isToTell: true,
    })
  } else {
    await closeDispute(tx, ctx, orderId)
    const hold = (await countOpenCases(tx, orderId)) > 0 ? 'refund_requested' : null
    await changeOrder(tx, ctx, order, order.hold === 'disputed' ? { hold } : {}, {
      reason: 'dispute_over',
    })
  }
  return true
}

/** Books what the payer's bank has taken back since it was last told of. */
export async function isTakenBack(
  tx: Tx,
  ctx: Ctx,
  attemptId: string,
  { reversed, isDisputeUnknown }: ProviderPayment,
): Promise<boolean> {
  if (reversed === null || isDisputeUnknown) return false
  const { order, attempt } = await lockAttempt(tx, attemptId)
  if (attempt.capturedCurrency !== reversed.currency) return false
  const taken = reversed.minor + (await findBooked(tx, attemptId))
  // No more can be taken than there was.
  const reversedMinor = taken < attempt.capturedMinor ? taken : attempt.capturedMinor
  if (reversedMinor <= attempt.reversedMinor) return false
  await recordReversal(tx, ctx, order, {
    attemptId,
    provider: attempt.provider,
    currency: reversed.currency,
    isApplied: attempt.isApplied,
    reversedMinor,
    knownMinor: attempt.reversedMinor,
  })
  return true
}

/** Whether a payer's bank keeps less of a payment than is known here. While a dispute is open, or was opened anew, nothing is given back yet. */
export function isGivenBack(
  { status, captured, reversed, isDisputed, isDisputeUnknown }: ProviderPayment,
  { reversedMinor, capturedCurrency }: Pick<Attempt, 'reversedMinor' | 'capturedCurrency'>,
  bookedMinor: bigint,
): boolean {
  const isKnown =
    status === 'captured' &&
    captured !== null &&
    captured.currency === capturedCurrency &&
    !isDisputed &&
    !isDisputeUnknown
  return isKnown && (reversed?.minor ?? 0n) + bookedMinor < reversedMinor
}

/** Books what a payer's bank has given back. What was told is younger than `known`: where more has become known since, nothing is done. */
export async function applyGivenBack(
  ctx: Ctx,
  known: Attempt,
  told: ProviderPayment,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { order, attempt } = await lockAttempt(tx, known.id)
    const bookedMinor = await findBooked(tx, attempt.id)
    if (
      attempt.reversedMinor !== known.reversedMinor ||
      attempt.reference !== told.reference ||
      !isGivenBack(told, attempt, bookedMinor)
    )
      return
    const { id: attemptId, provider, isApplied, reversedMinor: knownMinor } = attempt
    await undoReversal(tx, ctx, order, {
      attemptId,
      provider,
      currency: attempt.capturedCurrency ?? attempt.currency,
      isApplied,
      knownMinor,
      reversedMinor: (told.reversed?.minor ?? 0n) + bookedMinor,
    })
  })
}
