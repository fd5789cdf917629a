import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ShopSnapshot } from '#features/browse/snapshot.ts'
import { cancelOrder, expireOrder } from '#features/order/commands.ts'
import { listShortLines, lockOrder } from '#features/order/queries.ts'
import type { OrderStatus } from '#features/order/rules.ts'
import { priceAt, type PricedMethod } from '#features/pay-method/rules.ts'
import { lookAtRefunds, returnHeldMoney } from '#features/refund/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type ProviderPayment,
  type Providers,
} from '#providers/payment/provider.ts'
import {
  applyByRules,
  applyFacts,
  applyGivenBack,
  closeNotice,
  endUnpaid,
  isGivenBack,
  postponeCheck,
  recordNotice,
  recordSession,
  refuseAttempt,
  startPayment,
  takeNotices,
  type TakenNotice,
} from './commands.ts'
import {
  findOpenAttempt,
  findOrderOf,
  getAttempt,
  getPayable,
  isAttemptAt,
  listToCheck,
  type Attempt,
} from './queries.ts'
import { isOpen } from './rules.ts'
import { settlePlainly } from './write/plainly.ts'
import type { BegunAttempt, StartedPayment } from './write/start-plainly.ts'

const CHECKED_AT_ONCE = 200
const SETTLED_AT_ONCE = 16
/** Providers forget payments that nobody made: so long after its order's time, one that is no longer known is over. */
const FORGOTTEN_MS = 24 * 3_600_000

export interface PaymentServices {
  readonly providers: Providers
  /** Origin of the shop. */
  readonly publicUrl: string
}

/**
 * Begins to pay: the attempt is committed, then the provider is asked for a payment under the attempt's id. Cut off in between,
 * the sweep asks again and gets the same one. @returns where the payer goes on
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

/** With a refusal the attempt has failed, and the order may be paid otherwise. */
async function openSession(
  ctx: Ctx,
  { publicUrl }: PaymentServices,
  provider: PaymentProvider,
  attempt: Attempt,
  known?: BegunAttempt['order'],
): Promise<ProviderPayment | ProviderRefusal> {
  const order = known ?? (await findOrderOf(ctx.db, attempt.orderId))
  const amount = { minor: attempt.amountMinor, currency: attempt.currency }
  try {
    const returnUrl = `${publicUrl}${getLanguage(order.language as LanguageCode).prefix}/order/pay?order=${order.publicId}`
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

/**
 * Tells a provider that does not answer from faults of our own. Whether it has heard of us is open: the attempt stays, and is asked
 * about until that is known. Throws 'payment_unreachable', and the refusals of the provider.
 */
async function answered<T>(ctx: Ctx, { code }: PaymentProvider, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderRefusal || isAppError(error)) throw error
    ctx.log.warn('a payment provider does not answer', { provider: code, error })
    throw new AppError('payment_unreachable', {}, { cause: error })
  }
}

/**
 * Takes in a notice as it came over the wire, before it is answered. A notice that its provider did not send, or that is too old,
 * is refused; anything thrown means that the sender should send it again.
 */
export async function receiveNotice(
  ctx: Ctx,
  { providers }: PaymentServices,
  code: string,
  sent: { readonly body: Uint8Array; readonly headers: Headers },
): Promise<'stored' | 'refused' | 'no_provider'> {
  const provider = providers.get(code)
  if (!provider) return 'no_provider'
  try {
    const notice = await provider.readNotice(sent.body, sent.headers, ctx.now())
    await recordNotice(ctx, code, notice, sent.body)
    return 'stored'
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    ctx.log.warn('a payment notice was refused', { provider: code, reason: error.message })
    return 'refused'
  }
}

/** What is to be known of notices while some are being worked off. */
export interface NoticeWords {
  /** Resolves with the first word, from this call on, that a notice has come. */
  readonly next: () => Promise<void>
  /** Called when one was worked off. */
  readonly onSettled: () => void
}

const NO_WORDS: NoticeWords = { next: () => new Promise(() => {}), onSettled: () => {} }

/**
 * Works off all notices that wait, some at once, until none is left; any number of workers may do so side by side. What comes
 * meanwhile waits for none of them while there is room. One that fails, as its provider does not answer, is left for whoever
 * comes after half a minute. @returns how many were worked off
 */
export async function settleNotices(
  ctx: Ctx,
  services: PaymentServices,
  words: NoticeWords = NO_WORDS,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let count = 0
  const work = async (notice: TakenNotice): Promise<void> => {
    try {
      await settleNotice(ctx, services, notice)
      count += 1
      words.onSettled()
    } catch (error) {
      ctx.log.warn('a payment notice could not be worked off', {
        provider: notice.provider,
        event: notice.eventId,
        error,
      })
    }
  }
  let word = words.next()
  for (let isMore = true; ; ) {
    if (isMore || running.size === 0) {
      const room = SETTLED_AT_ONCE - running.size
      word = words.next()
      const taken = await takeNotices(ctx, room).catch(async (error: unknown) => {
        await Promise.all(running)
        throw error
      })
      for (const notice of taken) {
        const working: Promise<void> = work(notice).finally(() => running.delete(working))
        running.add(working)
      }
      isMore = taken.length === room
    }
    if (running.size === 0) return count
    await Promise.race([
      ...running,
      ...(isMore
        ? []
        : [
            word.then(() => {
              isMore = true
            }),
          ]),
    ])
    // Those settled in the same trip are over together: one look then fills all their places.
    await nextTurn()
  }
}

/** Works off a notice: whatever it says, its provider is asked. A notice of nothing of ours is closed as such. */
export async function settleNotice(
  ctx: Ctx,
  services: PaymentServices,
  { provider, eventId, reference }: TakenNotice,
): Promise<void> {
  if (reference === null) return closeNotice(ctx, { provider, eventId, outcome: 'no_payment' })
  const told = await fetchOrNone(getProvider(services, provider), reference)
  if (!told) return closeNotice(ctx, { provider, eventId, outcome: 'not_ours' })
  // By our own name for the payment, which the provider knows even where we have not noted its name by now.
  const attempt = { id: uuidOrNone(told.ourReference), provider }
  if (await settlePlainly(ctx, attempt, told, eventId)) return
  if (!(await isAttemptAt(ctx.db, attempt)))
    return closeNotice(ctx, { provider, eventId, outcome: 'not_ours' })
  const outcome = await applyByRules(ctx, attempt.id, told)
  await followGivenBack(ctx, getProvider(services, provider), attempt.id, told)
  await lookAtRefunds(ctx, attempt.id)
  await closeNotice(ctx, { provider, eventId, outcome })
}

/**
 * Books what a payer's bank has given back of what it took. What was told may be older than what is known by now, so that the
 * provider is asked once more.
 */
async function followGivenBack(
  ctx: Ctx,
  provider: PaymentProvider,
  attemptId: string,
  told: ProviderPayment,
): Promise<void> {
  if (told.status !== 'captured') return
  const known = await getAttempt(ctx.db, attemptId)
  if (known.reversedMinor === 0n || known.reference === null || !isGivenBack(told, known)) return
  await applyGivenBack(ctx, known, await provider.fetch(known.reference))
}

/** The shop may share its account at a provider with others, whose payments the provider tells of as well. */
async function fetchOrNone(
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

const NO_ID = '00000000-0000-0000-0000-000000000000'
const uuidOrNone = (text: string) => (isUuid(text) ? text : NO_ID)

/** Asks about every payment that is due, so that no notice is needed for any to be found; the worker calls it every minute. */
export async function sweepPayments(ctx: Ctx, services: PaymentServices): Promise<void> {
  for (const attempt of await listToCheck(ctx.db, ctx.now(), CHECKED_AT_ONCE)) {
    try {
      await checkPayment(ctx, services, attempt.id)
    } catch (error) {
      ctx.log.warn('a payment could not be asked about', {
        attempt: attempt.id,
        provider: attempt.provider,
        error,
      })
      await postponeCheck(ctx, attempt)
    }
  }
}

const forgotten = (attempt: Attempt, reference: string): ProviderPayment => ({
  reference,
  ourReference: attempt.id,
  status: 'expired',
  captured: null,
  reversed: null,
  isDisputed: false,
  redirectUrl: null,
  failure: 'forgotten by its provider',
})

/** Asks the provider how an attempt stands. One whose order's time is over, and that nobody has paid, is ended there first. */
export async function checkPayment(
  ctx: Ctx,
  services: PaymentServices,
  attemptId: string,
): Promise<void> {
  const attempt = await getAttempt(ctx.db, attemptId)
  const provider = getProvider(services, attempt.provider)
  if (attempt.reference === null) {
    await openSession(ctx, services, provider, attempt)
    return
  }
  const order = await findOrderOf(ctx.db, attempt.orderId)
  const isForgotten =
    isOpen(attempt.status) && ctx.now().getTime() - order.expiresAt.getTime() > FORGOTTEN_MS
  const told = isForgotten
    ? ((await fetchOrNone(provider, attempt.reference)) ?? forgotten(attempt, attempt.reference))
    : await provider.fetch(attempt.reference)
  const isOverdue =
    isOpen(attempt.status) && told.status === 'requires_action' && order.expiresAt <= ctx.now()
  await applyFacts(ctx, attempt, isOverdue ? await provider.cancel(attempt.reference) : told)
  await followGivenBack(ctx, provider, attempt.id, told)
  if (isOverdue) await expireOrder(ctx, attempt.orderId)
}

const ASKED_EVERY_MS = 3_000
const WAITED_MS = 2_000
const REMEMBERED = 20_000

/** Asks a provider about an attempt while its payer waits and looks. */
export type AskAbout = (attemptId: string) => Promise<void>

/**
 * Asks at most once in three seconds about the same attempt, and keeps nobody waiting for longer than two: what comes later is seen
 * at the next look. Failures are left to the sweep.
 */
export function createAsking(ctx: Ctx, services: PaymentServices): AskAbout {
  const askedAt = new LRUCache<string, number>({ max: REMEMBERED })
  return async (attemptId) => {
    const now = ctx.now().getTime()
    if (now - (askedAt.get(attemptId) ?? 0) < ASKED_EVERY_MS) return
    askedAt.set(attemptId, now)
    const asked = askNow(ctx, services, attemptId).catch((error: unknown) =>
      ctx.log.warn('a payment could not be asked about', { attempt: attemptId, error }),
    )
    await Promise.race([asked, sleep(WAITED_MS, undefined, { ref: false })])
  }
}

/** Unlike the sweep's question it counts as none, so that a payer who looks often does not put the next one off. */
async function askNow(ctx: Ctx, services: PaymentServices, attemptId: string): Promise<void> {
  const attempt = await getAttempt(ctx.db, attemptId)
  if (!isOpen(attempt.status)) return
  const provider = getProvider(services, attempt.provider)
  if (attempt.reference === null) {
    await openSession(ctx, services, provider, attempt)
    return
  }
  const told = await provider.fetch(attempt.reference)
  const isNews =
    told.status !== attempt.status ||
    (told.captured?.minor ?? 0n) !== attempt.capturedMinor ||
    told.isDisputed
  if (isNews) await applyFacts(ctx, attempt, told)
}

/**
 * Cancels a shopper's unpaid order; an open payment is ended at its provider first. One that was paid in part gives that back, and is
 * over once it has. Throws 'order_closed' when money has come or is on its way, or the order is over, 'payment_unreachable' where the provider does not answer: the order stays as it is.
 */
export async function cancelUnpaid(
  ctx: Ctx,
  services: PaymentServices,
  accountId: string,
  publicId: string,
): Promise<void> {
  const outcome = await cancelOrder(ctx, accountId, publicId)
  if (outcome === 'cancelled') return
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
  const opened =
    attempt.reference === null
      ? await openSession(ctx, services, provider, attempt)
      : { reference: attempt.reference }
  if (!(opened instanceof ProviderRefusal))
    await applyFacts(ctx, attempt, await answered(ctx, provider, provider.cancel(opened.reference)))
  if (isOpen((await getAttempt(ctx.db, attempt.id)).status)) throw new AppError('order_closed')
}

function getProvider(
  { providers }: Pick<PaymentServices, 'providers'>,
  code: string,
): PaymentProvider {
  return present(providers.get(code), `payment provider ${code}`)
}
