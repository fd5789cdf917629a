import { cancelOrder, expireOrder } from '#features/order/commands.ts'
import { lockOrder } from '#features/order/queries.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { ProviderRefusal, type PaymentProvider, type ProviderPayment, type Providers } from '#providers/payment/provider.ts'
import { applyFacts, closeNotice, endUnpaid, postponeCheck, recordSession, refuseAttempt, startPayment, type Applied, type StartedPayment } from './commands.ts'
import { findByReference, findOpenAttempt, findOrderOf, getAttempt, listToCheck, type Attempt } from './queries.ts'
import { isOpen } from './rules.ts'

const CHECKED_AT_ONCE = 200

export interface PaymentServices {
  readonly providers: Providers
  /** Origin of the shop. */
  readonly publicUrl: string
}

/**
 * Begins to pay: the attempt is committed, then the provider is asked for a payment under the attempt's id. Cut off in between,
 * the sweep asks again and gets the same one. @returns where the payer goes on
 */
export async function startPaying(ctx: Ctx, services: PaymentServices, request: StartedPayment): Promise<{ readonly redirectUrl: string | null; readonly attempt: string }> {
  const provider = getProvider(services, request.provider)
  const attempt = await startPayment(ctx, request)
  if (attempt.reference !== null) return { redirectUrl: attempt.redirectUrl, attempt: attempt.publicId }
  const payment = await openSession(ctx, services, provider, attempt)
  return { redirectUrl: payment?.redirectUrl ?? null, attempt: attempt.publicId }
}

/** Null when the provider refuses: the attempt has failed, and the order may be paid otherwise. */
async function openSession(ctx: Ctx, { publicUrl }: PaymentServices, provider: PaymentProvider, attempt: Attempt): Promise<ProviderPayment | null> {
  const order = await findOrderOf(ctx.db, attempt.orderId)
  const amount = { minor: attempt.amountMinor, currency: attempt.currency }
  try {
    const payment = await provider.create({ ourReference: attempt.id, amount, orderNumber: order.number, language: order.language, returnUrl: `${publicUrl}/order/pay?order=${order.publicId}` })
    await recordSession(ctx, attempt.id, payment)
    return payment
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await refuseAttempt(ctx, attempt.id, error.message)
    return null
  }
}

/** Works off a notice: whatever it says, its provider is asked. A notice of nothing of ours is closed as such. */
export async function settleNotice(ctx: Ctx, services: PaymentServices, notice: { readonly provider: string; readonly eventId: string }): Promise<void> {
  const row = await ctx.db.selectFrom('provider_event').select(['provider_reference', 'processed_at']).where('provider', '=', notice.provider).where('event_id', '=', notice.eventId).executeTakeFirst()
  if (!row || row.processed_at !== null) return
  const outcome = row.provider_reference === null ? 'no_payment' : await settleReference(ctx, services, notice.provider, row.provider_reference)
  await closeNotice(ctx, { ...notice, outcome })
}

/** A notice may come before we have noted the provider's name for the payment: the provider knows ours. */
async function settleReference(ctx: Ctx, services: PaymentServices, code: string, reference: string): Promise<Applied> {
  const known = await findByReference(ctx.db, code, reference)
  const told = await getProvider(services, code).fetch(reference)
  const attemptId = known?.id ?? (await ctx.db.selectFrom('payment_attempt').select('id').where('id', '=', uuidOrNone(told.ourReference)).where('provider', '=', code).executeTakeFirst())?.id
  return attemptId === undefined ? 'not_ours' : applyFacts(ctx, attemptId, told)
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const uuidOrNone = (text: string) => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : NO_ID)

/** Asks about every payment that is due, so that no notice is needed for any to be found; the worker calls it every minute. */
export async function sweepPayments(ctx: Ctx, services: PaymentServices): Promise<void> {
  for (const attempt of await listToCheck(ctx.db, ctx.now(), CHECKED_AT_ONCE)) {
    try {
      await checkPayment(ctx, services, attempt.id)
    } catch (error) {
      ctx.log.warn('a payment could not be asked about', { attempt: attempt.id, provider: attempt.provider, error })
      await postponeCheck(ctx, attempt)
    }
  }
}

/** Asks the provider how an attempt stands. One whose order's time is over, and that nobody has paid, is ended there first. */
export async function checkPayment(ctx: Ctx, services: PaymentServices, attemptId: string): Promise<void> {
  const attempt = await getAttempt(ctx.db, attemptId)
  const provider = getProvider(services, attempt.provider)
  if (attempt.reference === null) {
    await openSession(ctx, services, provider, attempt)
    return
  }
  const told = await provider.fetch(attempt.reference)
  const order = await findOrderOf(ctx.db, attempt.orderId)
  const isOverdue = isOpen(attempt.status) && told.status === 'requires_action' && order.expiresAt <= ctx.now()
  await applyFacts(ctx, attempt.id, isOverdue ? await provider.cancel(attempt.reference) : told)
  if (isOverdue) await expireOrder(ctx, attempt.orderId)
}

/**
 * Cancels a shopper's unpaid order; an open payment is ended at its provider first. Throws 'order_closed' when money has come or
 * is on its way, or the order is over.
 */
export async function cancelUnpaid(ctx: Ctx, services: PaymentServices, accountId: string, publicId: string): Promise<void> {
  if ((await cancelOrder(ctx, accountId, publicId)) === 'cancelled') return
  const order = await transaction(ctx, (tx) => lockOrder(tx, accountId, publicId))
  await endOpenPayment(ctx, services, order.id)
  if (!(await endUnpaid(ctx, order.id, 'cancelled'))) throw new AppError('order_closed')
}

/** Ends the open attempt of an order, so that another method may be chosen. Throws 'order_closed' when money is on its way. */
export async function endOpenPayment(ctx: Ctx, services: PaymentServices, orderId: string): Promise<void> {
  const attempt = await findOpenAttempt(ctx.db, orderId)
  if (!attempt) return
  const provider = getProvider(services, attempt.provider)
  const reference = attempt.reference ?? (await openSession(ctx, services, provider, attempt))?.reference
  if (reference !== undefined) await applyFacts(ctx, attempt.id, await provider.cancel(reference))
  if (isOpen((await getAttempt(ctx.db, attempt.id)).status)) throw new AppError('order_closed')
}

function getProvider({ providers }: Pick<PaymentServices, 'providers'>, code: string): PaymentProvider {
  return present(providers.get(code), `payment provider ${code}`)
}
