import { AppError, isAppError } from '#kernel/error.ts'
import { getLanguage } from '#kernel/language.ts'
import type { Room } from '#platform/breaker.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  type PaymentProvider,
  type ProviderPayment,
  ProviderRefusal,
  type Providers,
} from '#providers/payment/provider.ts'
import {
  applyFacts,
  applyGivenBack,
  isGivenBack,
  recordSession,
  refuseAttempt,
} from '../commands.ts'
import { type Attempt, findBooked, findOrderOf, getAttempt } from '../queries.ts'
import type { BegunAttempt } from '../write/start-fast-path.ts'

export interface PaymentServices {
  readonly providers: Providers
  /** Origin of the shop. */
  readonly publicUrl: string
  /** How much a provider may be asked now; everything where nobody watches them. */
  readonly room?: (provider: string) => Room
}

/** Throws 'payment_unreachable' for one whose settings were taken away: nobody can ask it, and what is open there stays as it is. */
export function getProvider(
  { providers }: Pick<PaymentServices, 'providers'>,
  code: string,
): PaymentProvider {
  const provider = providers.get(code)
  if (!provider) throw new AppError('payment_unreachable')
  return provider
}

/** With a refusal the attempt has failed, and the order may be paid otherwise. */
export async function openSession(
  ctx: Ctx,
  { publicUrl }: PaymentServices,
  provider: PaymentProvider,
  attempt: Attempt,
  known?: BegunAttempt['order'],
): Promise<ProviderPayment | ProviderRefusal> {
  const order = known ?? (await findOrderOf(ctx.db, attempt.orderId))
  const amount = { minor: attempt.amountMinor, currency: attempt.currency }
  try {
    const returnUrl = `${publicUrl}${getLanguage(order.language).prefix}/order/pay?order=${order.publicId}`
    const payment = await answered(
      ctx,
      provider,
      provider.create({
        ourReference: attempt.id,
        amount,
        orderNumber: order.number,
        startedAt: attempt.createdAt,
        language: order.language,
        returnUrl,
      }),
    )
    await recordSession(ctx, attempt.id, payment)
    // Some are paid in the moment they are made, and nobody tells of it.
    if (payment.status !== 'requires_action') await applyFacts(ctx, attempt, payment)
    return payment
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await refuseAttempt(ctx, attempt.id, error.message)
    return error
  }
}

/** Books a payment whose making takes its money, if that was done: by what its provider says, not by what this shop came to note. */
export async function followTaken(
  ctx: Ctx,
  provider: PaymentProvider,
  attempt: Attempt,
): Promise<void> {
  const told = await provider.fetch(attempt.id)
  if (told.captured !== null) await applyFacts(ctx, attempt, told)
}

/**
 * Of a payment whose making takes its money, and was cut off. Where the money was taken it is booked. Where it was not the attempt ends:
 * what somebody confirmed and had not done is not done later, when they may have left; they may confirm it anew.
 */
export async function endCutOff(
  ctx: Ctx,
  provider: PaymentProvider,
  attempt: Attempt,
): Promise<void> {
  await refuseAttempt(ctx, attempt.id, 'cut off before it was taken')
  await followTaken(ctx, provider, attempt)
}

/**
 * Tells a provider that does not answer from faults of our own. Whether it has heard of us is open: the attempt stays, and is asked
 * about until that is known. Throws 'payment_unreachable', and the refusals of the provider.
 */
export async function answered<T>(
  ctx: Ctx,
  { code }: PaymentProvider,
  asked: Promise<T>,
): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderRefusal || isAppError(error)) throw error
    ctx.log.warn('a payment provider does not answer', { provider: code, error })
    throw new AppError('payment_unreachable', {}, { cause: error })
  }
}

/** The shop may share its account at a provider with others, whose payments the provider tells of as well. */
export async function fetchOrNone(
  provider: PaymentProvider,
  reference: string,
): Promise<ProviderPayment | null> {
  try {
    return await provider.fetch(reference)
  } catch (error) {
    if (error instanceof ProviderRefusal) return null
    throw error
  }
}

/**
 * Ends a dispute that is over, and books what a payer's bank has given back of what it took. What was told may be older than what is known by now, so that the
 * provider is asked once more.
 */
export async function followGivenBack(
  ctx: Ctx,
  provider: PaymentProvider,
  attemptId: string,
  told: ProviderPayment,
): Promise<void> {
  if (told.status !== 'captured') return
  const known = await getAttempt(ctx.db, attemptId)
  if ((known.reversedMinor === 0n && !known.isDisputed) || known.reference === null) return
  if (!isGivenBack(told, known, await findBooked(ctx.db, attemptId))) return
  await applyGivenBack(ctx, known, await provider.fetch(known.reference))
}
