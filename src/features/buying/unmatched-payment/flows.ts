import type { Waits } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { ProviderRefusal, type PaymentProvider } from '#providers/payment/provider.ts'
import { askToReturn, closeReturned } from './commands.ts'
import { getUnmatched, type UnmatchedPayment } from './queries.ts'

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
