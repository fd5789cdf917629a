import { expireOrder } from '#features/buying/order/commands.ts'
import { BreakerOpen } from '#platform/breaker.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createPace } from '#platform/pace.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import { sweep, SweepEnds, sweepTogether } from '#platform/sweep.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { applyFacts } from '../commands.ts'
import { type Attempt, findOrderOf, getAttempt } from '../queries.ts'
import { isOpen, nextCheck } from '../rules.ts'
import {
  closeEnded,
  endByItself,
  type EndedUnpaid,
  endTogether,
  listEndingByThemselves,
  type Overdue,
  postponeCheck,
  takeDueAttempts,
} from '../write/due.ts'
import {
  endCutOff,
  fetchOrNone,
  followGivenBack,
  getProvider,
  openSession,
  type PaymentServices,
} from './provider.ts'

/** Of the payments of a provider: taken together, and under way at the same time. */
const CHECKS_A_PAGE = 64

const CHECKED_AT_ONCE = 16

/** Payments of a provider asked about in a second where it says nothing else of itself. */
const CHECKS_PER_SECOND = 20

/** Providers forget payments that nobody made: so long after its order's time, one that is no longer known is over. */
const FORGOTTEN_MS = 24 * 3_600_000

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
  if (attempt.reference === null && provider.takesAtOnce) return endCutOff(ctx, provider, attempt)
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
