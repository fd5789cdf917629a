import type { Waits } from '#features/team/approval/commands.ts'
import { findByPublicId } from '#features/team/approval/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { mayDo, requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { ProviderRefusal, type PaymentProvider } from '#providers/payment/provider.ts'
import {
  askToReturn,
  closeReturned,
  matchUnmatched,
  previewMatch,
  type AskedMatch,
  type MatchPreview,
} from './commands.ts'
import { getUnmatched, type UnmatchedPayment } from './queries.ts'
import { confirmationOf } from './rules.ts'

/**
 * Gives a payment back at its provider; asked for again after an answer was lost, it is given back once. Closing it writes the
 * audit. Throws 'not_found', 'order_closed' for one that was seen to, and a refusal where the provider will not.
 * @returns the act that waits for another person; null where it is given back
 */
export async function returnUnmatched(
  ctx: OperatorCtx,
  outside: readonly PaymentProvider[],
  publicId: string,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  await getReturnable(ctx, outside, publicId)
  const waits = await askToReturn(ctx, publicId)
  if (waits === null) await returnAsDecided(ctx, outside, publicId)
  return waits
}

/** `returnUnmatched` once it is decided, by whoever carries it out. */
export async function returnAsDecided(
  ctx: Ctx,
  outside: readonly PaymentProvider[],
  publicId: string,
): Promise<void> {
  const { unmatched, provider } = await getReturnable(ctx, outside, publicId)
  const told = await provider
    .refund({
      ourReference: unmatched.id,
      paymentReference: unmatched.reference,
      amount: unmatched.amount,
    })
    .catch((error: unknown) => {
      throw error instanceof ProviderRefusal
        ? refusal(
            `${unmatched.provider} refuses: ${error.message}. Look there what became of it, then say so with payments close.`,
            error,
          )
        : error
    })
  if (told.status === 'failed')
    throw refusal(
      `${unmatched.provider} could not give it back: ${told.failure ?? 'it does not say why'}.`,
    )
  await closeReturned(ctx, publicId, told.reference)
}

async function getReturnable(
  { db }: Ctx,
  outside: readonly PaymentProvider[],
  publicId: string,
): Promise<{ readonly unmatched: UnmatchedPayment; readonly provider: PaymentProvider }> {
  const unmatched = await getUnmatched(db, publicId)
  const provider = outside.find(({ code }) => code === unmatched.provider)
  if (!provider)
    throw refusal(
      `${unmatched.provider} is not set up here: give it back there, then say so with payments close.`,
    )
  if (unmatched.outcome !== null) throw new AppError('order_closed')
  return { unmatched, provider }
}

/**
 * `matchUnmatched`, once the payment's service has confirmed the money. Throws 'order_closed' where part of it went back or is disputed,
 * and 'payment_unreachable' where the service does not answer.
 */
export async function matchConfirmed(
  ctx: OperatorCtx,
  outside: readonly PaymentProvider[],
  asked: AskedMatch,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return matchUnmatched(ctx, asked, await confirm(ctx, outside, asked.id))
}

/** Tells what `matchConfirmed` would do, once the payment's service has confirmed the money, and changes nothing. Throws as it does. */
export async function previewConfirmed(
  ctx: OperatorCtx,
  outside: readonly PaymentProvider[],
  id: string,
  orderNumber: string,
): Promise<MatchPreview> {
  requirePermission(ctx, 'payment.note')
  return previewMatch(ctx, id, orderNumber, await confirm(ctx, outside, id))
}

/**
 * Asks about money that waits for an approval to pay for an order, a moment before that is given. Throws as `matchConfirmed` does.
 * @returns what approving it needs; null for what is no such act, or not the caller's to approve
 */
export async function confirmMatch(
  ctx: OperatorCtx,
  openOutside: () => Promise<readonly PaymentProvider[]>,
  act: string,
): Promise<string | null> {
  const waiting = await findByPublicId(ctx.db, act)
  const isTheirs = waiting?.askedBy !== ctx.actor && mayDo(ctx.operator, 'payment.note')
  if (waiting?.kind !== 'stray_match' || waiting.status !== 'waiting' || !isTheirs) return null
  return confirm(ctx, await openOutside(), waiting.subject)
}

/** Money of which anything went back is given back or closed, not matched: the order would be taken for paid by all of it. */
async function confirm(
  { db }: Ctx,
  outside: readonly PaymentProvider[],
  publicId: string,
): Promise<string> {
  const unmatched = await getUnmatched(db, publicId)
  const provider = outside.find(({ code }) => code === unmatched.provider)
  if (!provider)
    throw refusal(
      `${unmatched.provider} is not set up here: it cannot be asked whether the money is still there.`,
    )
  const told = await provider.fetch(unmatched.reference).catch((error: unknown) => {
    const code = error instanceof ProviderRefusal ? 'order_closed' : 'payment_unreachable'
    throw new AppError(code, {}, { cause: error })
  })
  const isWhole =
    told.status === 'captured' &&
    told.ourReference === unmatched.ourReference &&
    told.captured?.minor === unmatched.amount.minor &&
    told.captured.currency === unmatched.amount.currency &&
    (told.reversed?.minor ?? 0n) === 0n &&
    (told.refundedMinor ?? 0n) === 0n &&
    !told.isDisputed
  if (!isWhole) throw new AppError('order_closed')
  return confirmationOf(unmatched)
}
