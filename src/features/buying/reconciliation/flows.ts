import { applyFacts } from '#features/buying/payment/commands.ts'
import { recordUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import { findAttempt, type KnownAttempt } from '#features/buying/unmatched-payment/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { FormerAway } from '#providers/payment/former.ts'
import {
  ProviderRefusal,
  type ListSpan,
  type PaymentProvider,
  type ProviderPayment,
  type UnreadPayment,
} from '#providers/payment/provider.ts'
import {
  COMPARED_EVERY_MS,
  noteDifferences,
  recordComparable,
  recordFailures,
  recordReached,
  type FailedPayment,
} from './commands.ts'
import { findReached, listDisputed, listFailing } from './queries.ts'

const DAY_MS = 86_400_000
/** How far the first comparison looks back. */
const FIRST_DAYS = 35
/** Services tell of some things hours late: the last day is looked at twice. */
const AGAIN_MS = DAY_MS
const DISPUTED_AT_ONCE = 1_000

/** Asks the provider how a payment stands, by our id, and makes it so. */
export type CheckPayment = (attemptId: string) => Promise<void>

/** What became of a payment that its provider told of. */
export type Followed = 'same' | 'changed' | 'unmatched' | 'unpaid'

/** Payments in a row that got no answer, after which the provider is taken to be away. */
export const AWAY_AFTER = 20
/** Nights and hours in which comparing a payment may fail before it holds the others up no longer. */
const TRIES_MOST = 8

/**
 * Compares with a provider what it tells of the days since the last time, a day at a time: payments, refunds, disputes and reversals,
 * whoever made them. What the shop can book is booked; what else differs is noted for somebody to see to. Cut off, it goes on with the
 * day it was at, and looking twice changes nothing. A payment that cannot be compared keeps none from being so; the day it is of is looked
 * at again until it can, or until it has failed so often that it is noted as a difference.
 */
export async function reconcileProvider(
  ctx: Ctx,
  provider: PaymentProvider,
  check: CheckPayment,
  signal?: AbortSignal,
): Promise<void> {
  const now = ctx.now()
  const reached = await findReached(ctx.db, provider.code)
  if (reached && now.getTime() - reached.getTime() < COMPARED_EVERY_MS) return
  const first = reached ?? new Date(now.getTime() - FIRST_DAYS * DAY_MS)
  const comparison = await openComparison(ctx, provider, check)
  for (const reference of await listDisputed(ctx.db, provider.code, DISPUTED_AT_ONCE)) {
    await comparison.follow({ reference, ourReference: null }, () => provider.fetch(reference))
  }
  for (let from = first.getTime(); from < now.getTime() && !signal?.aborted; from += DAY_MS) {
    const span = {
      since: new Date(from - AGAIN_MS),
      until: new Date(Math.min(from + DAY_MS, now.getTime())),
      unread: comparison.noteFailure,
    }
    for await (const told of reportedIn(provider, span)) {
      if (signal?.aborted) return
      await comparison.follow(told, async () => told)
    }
    // A day with a payment that could not be compared is looked at once more, and so are those after it.
    if (comparison.counts.failed === 0) await recordReached(ctx, provider.code, span.until)
  }
  // Only now: the provider has answered, so that it was not away.
  await recordFailures(ctx, provider.code, [...comparison.failures.values()], TRIES_MOST)
  ctx.log.info('compared with a payment provider', {
    provider: provider.code,
    ...comparison.counts,
  })
  if (comparison.counts.failed > 0)
    throw new Error(
      `${comparison.counts.failed} payments of ${provider.code} could not be compared`,
    )
}

interface Comparison {
  readonly counts: Readonly<Record<Followed | 'failed' | 'given_up', number>>
  /** By the provider's name for the payment. */
  readonly failures: ReadonlyMap<string, FailedPayment>
  readonly follow: (payment: UnreadPayment, read: () => Promise<ProviderPayment>) => Promise<void>
  readonly noteFailure: (payment: UnreadPayment, error: unknown) => void
}

async function openComparison(
  ctx: Ctx,
  provider: PaymentProvider,
  check: CheckPayment,
): Promise<Comparison> {
  const triesBefore = await listFailing(ctx.db, provider.code)
  const counts = { same: 0, changed: 0, unmatched: 0, unpaid: 0, failed: 0, given_up: 0 }
  const failures = new Map<string, FailedPayment>()
  let inARow = 0
  const noteFailure = ({ reference, ourReference }: UnreadPayment, error: unknown) => {
    if (failures.has(reference)) return
    // No is an answer: of payments of an account that the shop has left, say, there may be any number, even if its keys were ended.
    inARow = error instanceof ProviderRefusal || error instanceof FormerAway ? 0 : inARow + 1
    ctx.log.error('a payment could not be compared with its provider', {
      provider: provider.code,
      reference,
      error,
    })
    const tries = (triesBefore.get(reference) ?? 0) + 1
    counts[tries >= TRIES_MOST ? 'given_up' : 'failed'] += 1
    failures.set(reference, { reference, ourReference, tries, failure: String(error) })
    if (inARow >= AWAY_AFTER)
      throw new Error(`${provider.code} could not be asked about ${inARow} payments in a row`)
  }
  const follow: Comparison['follow'] = async (payment, read) => {
    try {
      counts[await followReported(ctx, provider, await read(), check)] += 1
    } catch (error) {
      return noteFailure(payment, error)
    }
    inARow = 0
    if (triesBefore.delete(payment.reference))
      await recordComparable(ctx, provider.code, payment.reference)
  }
  return { counts, failures, follow, noteFailure }
}

async function* reportedIn(
  provider: PaymentProvider,
  span: ListSpan,
): AsyncIterable<ProviderPayment> {
  yield* provider.list(span)
  if (provider.listChanged) yield* provider.listChanged(span)
}

/** Makes a payment here what its provider says it is; what belongs to no order here, and what differs all the same, is noted. */
export async function followReported(
  ctx: Ctx,
  provider: PaymentProvider,
  told: ProviderPayment,
  check: CheckPayment,
): Promise<Followed> {
  const known = await findAttempt(ctx.db, provider.code, told.ourReference)
  if (!known) {
    if (told.captured !== null)
      return (await recordUnmatched(ctx, provider.code, told)) ? 'unmatched' : 'same'
    const isOpen = ['requires_action', 'seen', 'authorised'].includes(told.status)
    return isOpen ? 'unpaid' : 'same'
  }
  const isChanged = await isCaughtUp(ctx, provider, known, told, check)
  if (await noteDifferences(ctx, known.id, told))
    ctx.log.error('a payment differs from what its provider tells, see: differences list', {
      provider: provider.code,
      reference: told.reference,
    })
  return isChanged ? 'changed' : 'same'
}

/** A payment whose name at its provider was lost gets it with what is told. */
async function isCaughtUp(
  ctx: Ctx,
  provider: PaymentProvider,
  known: KnownAttempt,
  told: ProviderPayment,
  check: CheckPayment,
): Promise<boolean> {
  const isSame =
    told.status === known.status &&
    (told.captured?.minor ?? 0n) === known.capturedMinor &&
    (told.reversed?.minor ?? 0n) + known.bookedMinor === known.reversedMinor &&
    told.isDisputed === known.isDisputed
  if (isSame) return false
  const applied = await applyFacts(ctx, { id: known.id, provider: provider.code }, told)
  // What a bank has given back is booked with a second question.
  if (told.status === 'captured') await check(known.id)
  return applied === 'changed' || applied === 'money_arrived'
}
