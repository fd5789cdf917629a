import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { cancelOrder, expireOrder } from '#features/buying/order/commands.ts'
import { listShortLines, lockOrder } from '#features/buying/order/queries.ts'
import type { OrderStatus } from '#features/buying/order/rules.ts'
import { priceAt, type PricedMethod } from '#features/goods/pay-method/rules.ts'
import { lookAtRefunds, returnHeldMoney } from '#features/buying/refund/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { getLanguage } from '#kernel/language.ts'
import { BreakerOpen, type Room } from '#platform/breaker.ts'
import { ofThisRequest, transaction, type Ctx } from '#platform/ctx.ts'
import { createPace } from '#platform/pace.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import { sweep, SweepEnds, sweepTogether } from '#platform/sweep.ts'
import { inRequestOf } from '#platform/request-scope.ts'
import { securityEvent } from '#platform/security-log.ts'
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
  putOffNotice,
  recordNotice,
  recordSession,
  refuseAttempt,
  startPayment,
  takeNotices,
  type TakenNotice,
} from './commands.ts'
import {
  findBooked,
  findOpenAttempt,
  findOrderOf,
  getAttempt,
  getPayable,
  isAttemptAt,
  type Attempt,
} from './queries.ts'
import { isOpen, nextCheck } from './rules.ts'
import {
  closeEnded,
  endByItself,
  endTogether,
  listEndingByThemselves,
  postponeCheck,
  takeDueAttempts,
  type EndedUnpaid,
  type Overdue,
} from './write/due.ts'
import { settlePlainly } from './write/plainly.ts'
import type { BegunAttempt, StartedPayment } from './write/start-plainly.ts'

/** Of the payments of a provider: taken together, and under way at the same time. */
const CHECKS_A_PAGE = 64
const CHECKED_AT_ONCE = 16
/** Payments of a provider asked about in a second where it says nothing else of itself. */
const CHECKS_PER_SECOND = 20
/** Of the notices of a provider. */
const SETTLED_AT_ONCE = 16
/** Providers forget payments that nobody made: so long after its order's time, one that is no longer known is over. */
const FORGOTTEN_MS = 24 * 3_600_000

export interface PaymentServices {
  readonly providers: Providers
  /** Origin of the shop. */
  readonly publicUrl: string
  /** How much a provider may be asked now; everything where nobody watches them. */
  readonly room?: (provider: string) => Room
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
    securityEvent(ctx.log, 'webhook.refused', { provider: code, reason: error.message })
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

/** Works off the notices of all providers that wait. @returns how many were worked off */
export async function settleNotices(ctx: Ctx, services: PaymentServices): Promise<number> {
  const counts = await Promise.all(
    [...services.providers.keys()].map((provider) => settleNoticesOf(ctx, services, provider)),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Works off all notices of a provider that wait, some at once, until none is left; any number of workers may do so side by side. What comes
 * meanwhile waits for none of them while there is room. One that fails moves behind the others; while the provider is away they are left.
 * @returns how many were worked off
 */
export async function settleNoticesOf(
  ctx: Ctx,
  services: PaymentServices,
  provider: string,
  words: NoticeWords = NO_WORDS,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let count = 0
  const work = async (notice: TakenNotice): Promise<void> => {
    try {
      await inRequestOf(notice.request, () => settleNotice(ofThisRequest(ctx), services, notice))
      count += 1
      words.onSettled()
    } catch (error) {
      if (!(error instanceof BreakerOpen))
        ctx.log.warn('a payment notice could not be worked off', {
          provider,
          event: notice.eventId,
          error,
        })
      await putOffNotice(ctx, notice).catch(() => {})
    }
  }
  let word = words.next()
  for (let isMore = true; ; ) {
    if (isMore || running.size === 0) {
      const places = { all: SETTLED_AT_ONCE, one: 1, none: 0 }[services.room?.(provider) ?? 'all']
      const room = Math.max(0, places - running.size)
      word = words.next()
      const taken =
        room === 0
          ? []
          : await takeNotices(ctx, provider, room).catch(async (error: unknown) => {
              await Promise.all(running)
              throw error
            })
      for (const notice of taken) {
        const working: Promise<void> = work(notice).finally(() => running.delete(working))
        running.add(working)
      }
      isMore = room > 0 && taken.length === room
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
  { provider, eventId, reference }: Omit<TakenNotice, 'tries' | 'request'>,
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
  if (known.reversedMinor === 0n || known.reference === null) return
  if (!isGivenBack(told, known, await findBooked(ctx.db, attemptId))) return
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

/** Asks about every payment that is due, so that no notice is needed for any to be found. */
export async function sweepPayments(ctx: Ctx, services: PaymentServices): Promise<void> {
  await Promise.all(
    [...services.providers.keys()].map((provider) => sweepPaymentsOf(ctx, services, provider)),
  )
}

/** Asks a provider about every payment of its that is due, no faster than it likes; the worker calls it again and again. */
export async function sweepPaymentsOf(
  ctx: Ctx,
  services: PaymentServices,
  code: string,
  signal?: AbortSignal,
): Promise<number> {
  const provider = getProvider(services, code)
  const pace = createPace(provider.checksPerSecond ?? CHECKS_PER_SECOND)
  const pages = { all: CHECKS_A_PAGE, one: 1, none: 0 }
  return sweep<Attempt>(ctx, {
    what: 'a payment to be asked about',
    tone: 'warn',
    name: ({ id }) => id,
    atOnce: CHECKED_AT_ONCE,
    signal,
    next: async () => {
      const page = pages[services.room?.(code) ?? 'all']
      return page === 0 ? [] : takeDueAttempts(ctx, code, page)
    },
    work: async (attempt) => {
      if (provider.isOwn !== true) await pace(signal)
      await checkKnown(ctx, services, attempt).catch((error: unknown) => {
        if (error instanceof BreakerOpen) throw new SweepEnds()
        throw error
      })
    },
    putOff: async (attempt) => {
      await postponeCheck(ctx, attempt)
      // Nobody will ever tell how it stands: it is closed as one that its provider has forgotten.
      if (
        isOpen(attempt.status) &&
        nextCheck(attempt.status, attempt.checks, attempt.createdAt, ctx.now()) === null &&
        attempt.reference !== null
      )
        await applyFacts(ctx, attempt, forgotten(attempt, attempt.reference))
    },
  })
}

const ENDED_A_PAGE = 500

/** Ends what is past its time and needs no provider for that. @returns for how many orders that was tried */
export async function expireUnheard(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  return sweepTogether<Overdue>(ctx, {
    what: 'a payment that ends by itself',
    name: ({ orderId }) => orderId,
    signal,
    next: (last) => listEndingByThemselves(ctx.db, ctx.now(), last, ENDED_A_PAGE),
    together: (overdue) =>
      endTogether(
        ctx,
        overdue.map(({ orderId }) => orderId),
      ),
    work: ({ orderId }) => endByItself(ctx, orderId),
  })
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
  await checkKnown(ctx, services, await getAttempt(ctx.db, attemptId))
}

/** @param attempt as it was just read */
async function checkKnown(ctx: Ctx, services: PaymentServices, attempt: Attempt): Promise<void> {
  const provider = getProvider(services, attempt.provider)
  const order = await findOrderOf(ctx.db, attempt.orderId)
  if (attempt.reference === null) {
    // Nobody was ever sent there: past its time it needs no session any more.
    if (order.expiresAt <= ctx.now()) await endByItself(ctx, attempt.orderId)
    else await openSession(ctx, services, provider, attempt)
    return
  }
  const isForgotten =
    isOpen(attempt.status) && ctx.now().getTime() - order.expiresAt.getTime() > FORGOTTEN_MS
  const told = isForgotten
    ? ((await fetchOrNone(provider, attempt.reference)) ?? forgotten(attempt, attempt.reference))
    : await provider.fetch(attempt.reference)
  const isOverdue =
    isOpen(attempt.status) && told.status === 'requires_action' && order.expiresAt <= ctx.now()
  if (isOverdue) return endOverdue(ctx, attempt, await provider.cancel(attempt.reference))
  await applyFacts(ctx, attempt, told)
  await followGivenBack(ctx, provider, attempt.id, told)
}

/** A payment past its time was ended at its provider. Many end at once when a provider was away: the plain ones share their writes. */
async function endOverdue(ctx: Ctx, attempt: Attempt, told: ProviderPayment): Promise<void> {
  const ended = endedUnpaid(ctx, attempt, told)
  if (ended && (await closeTogether(ctx.db, { ctx, ended }))) return
  await applyFacts(ctx, attempt, told)
  await expireOrder(ctx, attempt.orderId)
}

const CLOSED_TOGETHER = 32

const closeTogether = batchWrites(
  CLOSED_TOGETHER,
  async (_db, passengers: readonly { readonly ctx: Ctx; readonly ended: EndedUnpaid }[]) => {
    const [first] = passengers
    const closed =
      first &&
      (await closeEnded(
        first.ctx,
        passengers.map(({ ended }) => ended),
      ))
    return passengers.map(({ ended }) => closed?.has(ended.attemptId) === true)
  },
)

/** Null where it is more than that nothing came and nothing will. */
function endedUnpaid(ctx: Ctx, attempt: Attempt, told: ProviderPayment): EndedUnpaid | null {
  const { status, reference, failure } = told
  if (status !== 'failed' && status !== 'voided' && status !== 'expired') return null
  const isPlain = told.captured === null && told.reversed === null && !told.isDisputed
  if (!isPlain || told.ourReference !== attempt.id || reference !== attempt.reference) return null
  const checkAt = nextCheck(status, attempt.checks, attempt.createdAt, ctx.now())
  return { attemptId: attempt.id, orderId: attempt.orderId, reference, status, failure, checkAt }
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
