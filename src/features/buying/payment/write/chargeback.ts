import { closeDispute, openDispute } from '#features/buying/after-sales/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { getDisputes, lockOrderById } from '#features/buying/order/queries.ts'
import { recordReversal, undoReversal, wakeRefunds } from '#features/buying/refund/commands.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { type Attempt, findBooked, lockAttempt } from '../queries.ts'

/** A payment that its payer's bank disputes holds its order, whatever its buyer asks meanwhile, and all money that waits to be given back. */
export async function openedDispute(
  tx: Tx,
  ctx: Ctx,
  { orderId, publicId }: Attempt,
): Promise<void> {
  const order = await lockOrderById(tx, orderId)
  await openDispute(tx, ctx, order)
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    { reason: 'disputed', details: { payment: publicId }, isToTell: true },
  )
}

/** A dispute is over: the order is held by that of another payment, or goes on, and what waited to be given back is looked at again. */
async function closedDispute(tx: Tx, ctx: Ctx, { id, orderId, publicId }: Attempt): Promise<void> {
  const order = await lockOrderById(tx, orderId)
  await tx
    .updateTable('payment_attempt')
    .set({ is_disputed: false, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
  if (!(await getDisputes(tx, orderId)).isDisputed) await closeDispute(tx, ctx, orderId)
  await changeOrder(tx, ctx, order, {}, { reason: 'dispute_over', details: { payment: publicId } })
  await wakeRefunds(tx, ctx, id)
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
    reversedMinor,
    knownMinor: attempt.reversedMinor,
  })
  return true
}

/** Whether what was told says that a dispute is over, or that a payer's bank keeps less of a payment than is known here. */
export function isGivenBack(
  told: ProviderPayment,
  known: Pick<Attempt, 'reversedMinor' | 'capturedCurrency' | 'isDisputed'>,
  bookedMinor: bigint,
): boolean {
  const { status, captured, isDisputed, isDisputeUnknown } = told
  const isKnown =
    status === 'captured' &&
    captured !== null &&
    captured.currency === known.capturedCurrency &&
    !isDisputed &&
    isDisputeUnknown !== true
  return isKnown && (known.isDisputed || keepsLess(told, known, bookedMinor))
}

/** While a dispute is open, or was opened anew, nothing is given back yet. */
const keepsLess = (
  { reversed }: ProviderPayment,
  { reversedMinor }: Pick<Attempt, 'reversedMinor'>,
  bookedMinor: bigint,
) => (reversed?.minor ?? 0n) + bookedMinor < reversedMinor

/**
 * Ends a dispute that is over, and books what a payer's bank has given back. What was told is younger than `known`: where more has become
 * known since, nothing is done.
 */
export async function applyGivenBack(
  ctx: Ctx,
  known: Attempt,
  told: ProviderPayment,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { attempt } = await lockAttempt(tx, known.id)
    const bookedMinor = await findBooked(tx, attempt.id)
    if (
      attempt.reversedMinor !== known.reversedMinor ||
      attempt.isDisputed !== known.isDisputed ||
      attempt.reference !== told.reference ||
      !isGivenBack(told, attempt, bookedMinor)
    )
      return
    // What was lost is booked while the money still counts as disputed, so that nothing of it goes out in between.
    await isTakenBack(tx, ctx, attempt.id, told)
    if (attempt.isDisputed) await closedDispute(tx, ctx, attempt)
    if (!keepsLess(told, attempt, bookedMinor)) return
    const { id: attemptId, provider, reversedMinor: knownMinor } = attempt
    await undoReversal(tx, ctx, await lockOrderById(tx, attempt.orderId), {
      attemptId,
      provider,
      currency: attempt.capturedCurrency ?? attempt.currency,
      knownMinor,
      reversedMinor: (told.reversed?.minor ?? 0n) + bookedMinor,
    })
  })
}
