import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { cancelOrder } from '#features/buying/order/commands.ts'
import { listShortLines, lockOrder } from '#features/buying/order/queries.ts'
import type { OrderStatus } from '#features/buying/order/rules.ts'
import { priceAt, type PricedMethod } from '#features/goods/pay-method/rules.ts'
import { returnHeldMoney } from '#features/buying/refund/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { type Ctx, transaction } from '#platform/ctx.ts'
import { type PaymentProvider, ProviderRefusal } from '#providers/payment/provider.ts'
import { applyFacts, endUnpaid, startPayment } from '../commands.ts'
import { type Attempt, findOpenAttempt, getAttempt, getPayable } from '../queries.ts'
import { isOpen } from '../rules.ts'
import type { StartedPayment } from '../write/start-fast-path.ts'
import { answered, endCutOff, getProvider, openSession, type PaymentServices } from './provider.ts'

/**
 * Begins to pay: the attempt is committed, then the provider is asked for a payment under the attempt's id. Cut off in between,
 * the sweep asks again and gets the same one; of what is taken in that moment it books what was, and ends what was not. @returns where the payer goes on
 */
export async function startPaying(
  ctx: Ctx,
  services: PaymentServices,
  request: StartedPayment,
): Promise<{ readonly redirectUrl: string | null; readonly attempt: string }> {
  const provider = getProvider(services, request.provider)
  const attempt = await startPayment(ctx, { ...request, livesMinutes: provider.livesMinutes })
  if (attempt.reference !== null)
    return { redirectUrl: attempt.redirectUrl, attempt: attempt.publicId }
  const opened = await openSession(ctx, services, provider, attempt, attempt.order)
  if (!(opened instanceof ProviderRefusal))
    return { redirectUrl: opened.redirectUrl, attempt: attempt.publicId }
  if (opened.message === 'insufficient_credit') throw new AppError('insufficient_credit')
  return { redirectUrl: null, attempt: attempt.publicId }
}

export interface ChosenMethod {
  /** Public id. */
  readonly order: string
  readonly accountId: string
  /** Code of a way to pay that the shop offers. */
  readonly method: string
}

/**
 * Begins to pay an order by a method the shopper has chosen; what it costs is worked out here. The open attempt of another method
 * is ended first, one of the same gives the same way on. Throws 'not_found', 'order_closed', 'check_fields' at `method`,
 * 'insufficient_credit', 'out_of_stock' with the lines that are short, 'payment_unavailable' where the provider refuses (the
 * order may be paid otherwise) and 'payment_unreachable' where it does not answer. @returns where the payer goes on
 */
export async function payOrder(
  ctx: Ctx,
  services: PaymentServices,
  shop: Pick<ShopSnapshot, 'payMethods' | 'currencyByCode'>,
  chosen: ChosenMethod,
): Promise<string> {
  const { order, accountId } = chosen
  const { id, status, priced } = await findPriced(ctx, services, shop, chosen)
  const { method, feeMinor } = priced
  const open = status === 'waiting_for_payment' ? await findOpenAttempt(ctx.db, id) : null
  try {
    if (open && (open.provider !== method.provider || open.method !== method.code))
      await endOpenPayment(ctx, services, id)
    const { redirectUrl } = await startPaying(ctx, services, {
      order,
      accountId,
      provider: method.provider,
      method: method.code,
      feeMinor,
    })
    if (redirectUrl === null) throw new AppError('payment_unavailable')
    return redirectUrl
  } catch (error) {
    if (isAppError(error) && error.code === 'out_of_stock')
      throw new AppError(
        'out_of_stock',
        {},
        { data: { lines: await listShortLines(ctx.db, id, ctx.now()) } },
      )
    throw error
  }
}

async function findPriced(
  ctx: Ctx,
  services: PaymentServices,
  shop: Pick<ShopSnapshot, 'payMethods' | 'currencyByCode'>,
  { order, accountId, method: code }: ChosenMethod,
): Promise<{ readonly id: string; readonly status: OrderStatus; readonly priced: PricedMethod }> {
  const payable = await getPayable(ctx.db, accountId, order)
  const isPayable =
    payable.status === 'waiting_for_payment' ||
    (payable.status === 'pending_payment' && payable.expiresAt > ctx.now())
  if (!isPayable) throw new AppError('order_closed')
  const currency = present(
    shop.currencyByCode.get(payable.currency),
    `currency ${payable.currency}`,
  )
  const method = shop.payMethods.find((known) => known.code === code)
  const priced = method
    ? priceAt(services.providers, method, { ...payable, currency }, shop.currencyByCode)
    : null
  if (priced?.refusal === 'no_credit') throw new AppError('insufficient_credit')
  if (priced === null || priced.refusal !== null) throw fieldError('method', 'method_unavailable')
  return { id: payable.id, status: payable.status, priced }
}

/**
 * Cancels a shopper's unpaid order; an open payment is ended at its provider first. One that was paid in part gives that back, and is
 * over once it has, unless its caller gives nothing back: then 'changed_meanwhile' is thrown. Throws 'order_closed' when money has come or is on its way, or the order is over, 'payment_unreachable' where the provider does not answer: the order stays as it is.
 */
export async function cancelUnpaid(
  ctx: Ctx,
  services: PaymentServices,
  accountId: string,
  publicId: string,
  partPaid: 'given_back' | 'left' = 'given_back',
): Promise<void> {
  const outcome = await cancelOrder(ctx, accountId, publicId)
  if (outcome === 'cancelled') return
  if (outcome === 'part_paid' && partPaid === 'left') throw new AppError('changed_meanwhile')
  const order = await transaction(ctx, (tx) => lockOrder(tx, accountId, publicId))
  if (outcome === 'part_paid') return returnHeldMoney(ctx, order.id, 'cancelled')
  await endOpenPayment(ctx, services, order.id)
  if (!(await endUnpaid(ctx, order.id, 'cancelled'))) throw new AppError('order_closed')
}

/** Ends the open attempt of an order, so that another method may be chosen. Throws 'order_closed' when money is on its way. */
export async function endOpenPayment(
  ctx: Ctx,
  services: PaymentServices,
  orderId: string,
): Promise<void> {
  const attempt = await findOpenAttempt(ctx.db, orderId)
  if (!attempt) return
  const provider = getProvider(services, attempt.provider)
  if (attempt.reference === null && provider.takesAtOnce) await endCutOff(ctx, provider, attempt)
  else await endAtProvider(ctx, services, provider, attempt)
  if (isOpen((await getAttempt(ctx.db, attempt.id)).status)) throw new AppError('order_closed')
}

/** One that its provider has not named yet is made there first: it may have been, and paid, without our having heard. */
async function endAtProvider(
  ctx: Ctx,
  services: PaymentServices,
  provider: PaymentProvider,
  attempt: Attempt,
): Promise<void> {
  const opened =
    attempt.reference === null
      ? await openSession(ctx, services, provider, attempt)
      : { reference: attempt.reference }
  if (opened instanceof ProviderRefusal) return
  await applyFacts(ctx, attempt, await answered(ctx, provider, provider.cancel(opened.reference)))
}
