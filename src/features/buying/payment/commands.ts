import { sql } from 'kysely'
import { closeDispute, openDispute } from '#features/buying/after-sales/commands.ts'
import { countOpenCases, findDisputed } from '#features/buying/after-sales/queries.ts'
import {
  changeOrder,
  endOrder,
  reserveStock,
  setExpiry,
  unreserveStock,
} from '#features/buying/order/commands.ts'
import { lockOrder, lockOrderById } from '#features/buying/order/queries.ts'
import { recordReversal, undoReversal } from '#features/buying/refund/commands.ts'
import { findReturnable } from '#features/buying/refund/queries.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { notifySoon } from '#platform/notifications.ts'
import { newPublicId } from '#platform/secrets.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import type { Notice, ProviderPayment } from '#providers/payment/provider.ts'
import { attemptOf, findBooked, findOpenAttempt, lockAttempt, type Attempt } from './queries.ts'
import {
  expiryOnceStarted,
  firstCheck,
  isOpen,
  isSlow,
  nextCheck,
  nextStatus,
  noticeDueAgain,
} from './rules.ts'
import { decide, disposeOf } from './write/arrived.ts'
import { settlePlainly } from './write/plainly.ts'
import { startPlainly, type BegunAttempt, type StartedPayment } from './write/start-plainly.ts'

/** Workers listen here for notices that have come. */
export const NOTICES_CHANNEL = 'payment_notices'
const TAKEN_MS = 30_000

/**
 * Opens an attempt to pay an order before the provider is called, and reserves its goods where payers answer within minutes: with days
 * to pay, somebody without money could empty the shelves. With it the buyer agrees to the terms and to delivery at once. An attempt with
 * the same method that is open already is given again. Throws 'order_closed' when it can no longer be paid, 'out_of_stock', 'conflict' while another
 * method's attempt is open, 'not_found' for what is not theirs.
 */
export async function startPayment(ctx: Ctx, wanted: StartedPayment): Promise<BegunAttempt> {
  return (await startPlainly(ctx, wanted)) ?? startByRules(ctx, wanted)
}

/** What `startPayment` does wherever beginning to pay is more than plain, and may do everywhere. */
export async function startByRules(
  ctx: Ctx,
  { order: publicId, accountId, provider, method, feeMinor, livesMinutes }: StartedPayment,
): Promise<BegunAttempt> {
  return transaction(ctx, async (tx, now) => {
    const order = await lockOrder(tx, accountId, publicId)
    if (order.status === 'waiting_for_payment') {
      const open = await findOpenAttempt(tx, order.id)
      if (open?.provider === provider && open.method === method) return { ...open, order }
      throw new AppError('conflict')
    }
    if (order.status !== 'pending_payment' || order.expiresAt <= now)
      throw new AppError('order_closed')
    if (isSlow(livesMinutes)) await unreserveStock(tx, ctx, order.id)
    else await reserveStock(tx, ctx, order.id)
    const expiresAt = expiryOnceStarted(order.expiresAt, livesMinutes, now)
    if (expiresAt.getTime() !== order.expiresAt.getTime()) await setExpiry(tx, order.id, expiresAt)
    const row = await tx
      .insertInto('payment_attempt')
      .values({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        order_id: order.id,
        provider,
        method,
        currency: order.currency,
        amount_minor: order.goodsMinor + feeMinor,
        fee_minor: feeMinor,
        check_at: firstCheck(now),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await changeOrder(
      tx,
      ctx,
      order,
      { feeMinor, waivedAt: order.waivedAt ?? now },
      { reason: 'payment_started', details: { provider, method } },
    )
    return { ...attemptOf(row), order }
  })
}

/**
 * Notes what the provider made of an attempt: its name for it and where the payer goes on. It does not wait for the disk: should the
 * server's machine fail, what is lost of it is asked for again, under the same id.
 */
export async function recordSession(
  ctx: Ctx,
  attemptId: string,
  payment: Pick<ProviderPayment, 'reference' | 'redirectUrl'>,
): Promise<void> {
  const now = ctx.now()
  // One that has ended while its provider was asked may be paid all the same: it is asked about.
  await ctx.db
    .updateTable('payment_attempt')
    .set({
      status: sql`case status when 'created' then 'requires_action' else status end`,
      check_at: sql`case status when 'created' then check_at else ${firstCheck(now)} end`,
      provider_reference: payment.reference,
      redirect_url: payment.redirectUrl,
      updated_at: now,
    })
    .where('id', '=', attemptId)
    .where('provider_reference', 'is', null)
    .where('status', 'in', ['created', 'expired'])
    .returning(sql`set_config('synchronous_commit', 'off', true)`.as('unwaited'))
    .execute()
}

const NOTICES_A_TRIP = 32

/**
 * Stores a verified notice before it is answered, and tells the workers. The stored row alone is the work: a word that is lost
 * delays it by a second. Notices that come at the same time are stored together. @returns false for one that came before
 */
export async function recordNotice(
  ctx: Ctx,
  provider: string,
  { eventId, kind, paymentReference }: Notice,
  body: Uint8Array,
): Promise<boolean> {
  const isNew = await storeNotice(ctx.db, {
    provider,
    eventId,
    kind,
    paymentReference,
    body: Buffer.from(body),
    at: ctx.now(),
  })
  if (isNew) notifySoon(ctx, NOTICES_CHANNEL)
  return isNew
}

interface StoredNotice extends Notice {
  readonly provider: string
  readonly body: Buffer
  readonly at: Date
}

const storeNotice = batchWrites(
  NOTICES_A_TRIP,
  async (db, notices: readonly StoredNotice[]): Promise<boolean[]> => {
    const column = <Name extends keyof StoredNotice>(name: Name) =>
      notices.map((notice) => notice[name])
    const { rows } = await sql<{ name: string }>`
    insert into provider_event (provider, event_id, kind, provider_reference, body, received_at)
    select * from unnest(${column('provider')}::text[], ${column('eventId')}::text[], ${column('kind')}::text[], ${column('paymentReference')}::text[], ${column('body')}::bytea[], ${column('at')}::timestamptz[])
    on conflict (provider, event_id) do nothing returning provider || ' ' || event_id as name`.execute(
      db,
    )
    // Of two that are the same the first was stored.
    const stored = new Set(rows.map(({ name }) => name))
    return notices.map(({ provider, eventId }) => stored.delete(`${provider} ${eventId}`))
  },
)

export interface TakenNotice {
  readonly provider: string
  readonly eventId: string
  /** The provider's name for the payment it is about; null where it is about none. */
  readonly reference: string | null
  /** How often it could not be worked off. */
  readonly tries: number
}

/**
 * Notices of a provider to be worked off, oldest first, that nobody else has; they are the caller's for half a minute. The claim does not wait for
 * the disk: should the server's machine fail, a claim that is lost leaves a notice to be taken again, and settling twice changes nothing.
 */
export async function takeNotices(
  ctx: Ctx,
  provider: string,
  limit: number,
): Promise<TakenNotice[]> {
  const now = ctx.now()
  const { rows } = await sql<TakenNotice>`
    with waiting as materialized (
      select provider, event_id from provider_event where provider = ${provider} and processed_at is null and due_at <= ${now} and (taken_until is null or taken_until <= ${now})
      order by due_at, received_at limit ${limit} for update skip locked
    )
    update provider_event set taken_until = ${new Date(now.getTime() + TAKEN_MS)} from waiting
    where provider_event.provider = waiting.provider and provider_event.event_id = waiting.event_id
    returning provider_event.provider, provider_event.event_id as "eventId", provider_event.provider_reference as reference, provider_event.tries,
      set_config('synchronous_commit', 'off', true)`.execute(ctx.db)
  return rows.map(({ provider, eventId, reference, tries }) => ({
    provider,
    eventId,
    reference,
    tries,
  }))
}

/** A notice that could not be worked off moves behind the others of its provider, further each time. */
export async function putOffNotice(
  ctx: Ctx,
  { provider, eventId, tries }: TakenNotice,
): Promise<void> {
  await ctx.db
    .updateTable('provider_event')
    .set({
      taken_until: null,
      tries: Math.min(tries + 1, 1_000),
      due_at: noticeDueAgain(tries, ctx.now()),
    })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .execute()
}

export async function closeNotice(
  ctx: Ctx,
  {
    provider,
    eventId,
    outcome,
  }: { readonly provider: string; readonly eventId: string; readonly outcome: string },
): Promise<void> {
  await ctx.db
    .updateTable('provider_event')
    .set({ processed_at: ctx.now(), outcome })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .execute()
}

/** `not_ours`: what the provider told belongs to another attempt, and nothing was done. */
export type Applied = 'nothing_new' | 'changed' | 'money_arrived' | 'not_ours'

/**
 * Makes an attempt and its order what the provider says they are, in one transaction: money booked, the order settled and its
 * keys delivered, or held, or the money on its way back. Facts that come again, late or out of order change nothing.
 */
export async function applyFacts(
  ctx: Ctx,
  attempt: Pick<Attempt, 'id' | 'provider'>,
  told: ProviderPayment,
): Promise<Applied> {
  return (await settlePlainly(ctx, attempt, told, null))
    ? 'money_arrived'
    : applyByRules(ctx, attempt.id, told)
}

/** What `applyFacts` does wherever a payment is more than plain, and may do everywhere. */
export async function applyByRules(
  ctx: Ctx,
  attemptId: string,
  told: ProviderPayment,
): Promise<Applied> {
  return transaction(ctx, async (tx, now) => {
    const { order, attempt } = await lockAttempt(tx, attemptId)
    if (
      told.ourReference !== attempt.id ||
      (attempt.reference !== null && attempt.reference !== told.reference)
    )
      return 'not_ours'
    const status = nextStatus(attempt.status, told.status)
    const arrived = told.captured === null ? 0n : told.captured.minor - attempt.capturedMinor
    const isMoney =
      status === 'captured' &&
      told.captured !== null &&
      arrived > 0n &&
      (attempt.capturedCurrency ?? told.captured.currency) === told.captured.currency
    // 'captured' with nothing captured is no word to act on: it is asked again.
    const isChanged = status !== attempt.status && (status !== 'captured' || isMoney)
    // What is on its way back pays for nothing.
    const keptMinor = isMoney ? told.captured.minor - (await findAskedBack(tx, attempt)) : 0n
    const isShort = isMoney && keptMinor < attempt.amountMinor
    const known = {
      ...attempt,
      ...(isMoney
        ? { capturedMinor: told.captured.minor, capturedCurrency: told.captured.currency }
        : {}),
    }
    const decision = isMoney ? decide(ctx, order, { ...known, capturedMinor: keptMinor }) : null
    await tx
      .updateTable('payment_attempt')
      .set({
        is_applied: attempt.isApplied || decision?.kind === 'settle',
        ...(isChanged ? { status, updated_at: now } : {}),
        ...(isMoney
          ? {
              captured_minor: told.captured.minor,
              captured_currency: told.captured.currency,
              captures: attempt.captures + 1,
            }
          : {}),
        provider_reference: told.reference,
        failure: told.failure?.slice(0, 200) ?? null,
        checks: attempt.checks + 1,
        check_at: nextCheck(
          isShort ? 'seen' : isChanged ? status : attempt.status,
          attempt.checks,
          attempt.createdAt,
          now,
        ),
      })
      .where('id', '=', attempt.id)
      .execute()
    if (decision) {
      await disposeOf(tx, ctx, { order, attempt: known, arrivedMinor: arrived, decision })
    } else if (isChanged && isOpen(attempt.status) && !isOpen(status)) {
      await changeOrder(tx, ctx, order, {}, { reason: `payment_${status}` })
    }
    const isDisputeNews = await followDispute(tx, ctx, attempt, told)
    const isReversed = await isTakenBack(tx, ctx, attempt.id, told)
    if (isMoney) return 'money_arrived'
    return isChanged || isDisputeNews || isReversed ? 'changed' : 'nothing_new'
  })
}

/**
 * A disputed order is held, whatever its buyer asks meanwhile; money that has not paid for it waits for a decision of its own. Which
 * payment is disputed stands in the event: another one that is sound does not end it. @returns whether anything has changed
 */
async function followDispute(
  tx: Tx,
  ctx: Ctx,
  { orderId, publicId }: Attempt,
  { isDisputed, isDisputeUnknown }: ProviderPayment,
): Promise<boolean> {
  if (isDisputeUnknown) return false
  const known = await findDisputed(tx, orderId)
  if (isDisputed === (known !== null) || (!isDisputed && known !== publicId)) return false
  const order = await lockOrderById(tx, orderId)
  if (isDisputed) {
    await openDispute(tx, ctx, order)
    const isHeld = order.hold === null || order.hold === 'refund_requested'
    await changeOrder(tx, ctx, order, isHeld ? { hold: 'disputed' } : {}, {
      reason: 'disputed',
      details: { payment: publicId },
      isToTell: true,
    })
  } else {
    await closeDispute(tx, ctx, orderId)
    const hold = (await countOpenCases(tx, orderId)) > 0 ? 'refund_requested' : null
    await changeOrder(tx, ctx, order, order.hold === 'disputed' ? { hold } : {}, {
      reason: 'dispute_over',
    })
  }
  return true
}

/** What of an attempt's money is given back, taken back, or promised to be given back. */
async function findAskedBack(tx: Tx, attempt: Attempt): Promise<bigint> {
  if (attempt.capturedMinor === 0n) return 0n
  const rest = (await findReturnable(tx, attempt.orderId, attempt.id))?.amountMinor ?? 0n
  return attempt.capturedMinor - rest
}

/** Books what the payer's bank has taken back since it was last told of. */
async function isTakenBack(
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
    isApplied: attempt.isApplied,
    reversedMinor,
    knownMinor: attempt.reversedMinor,
  })
  return true
}

/** Whether a payer's bank keeps less of a payment than is known here. While a dispute is open, or was opened anew, nothing is given back yet. */
export function isGivenBack(
  { status, captured, reversed, isDisputed, isDisputeUnknown }: ProviderPayment,
  { reversedMinor, capturedCurrency }: Pick<Attempt, 'reversedMinor' | 'capturedCurrency'>,
  bookedMinor: bigint,
): boolean {
  const isKnown =
    status === 'captured' &&
    captured !== null &&
    captured.currency === capturedCurrency &&
    !isDisputed &&
    !isDisputeUnknown
  return isKnown && (reversed?.minor ?? 0n) + bookedMinor < reversedMinor
}

/** Books what a payer's bank has given back. What was told is younger than `known`: where more has become known since, nothing is done. */
export async function applyGivenBack(
  ctx: Ctx,
  known: Attempt,
  told: ProviderPayment,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { order, attempt } = await lockAttempt(tx, known.id)
    const bookedMinor = await findBooked(tx, attempt.id)
    if (
      attempt.reversedMinor !== known.reversedMinor ||
      attempt.reference !== told.reference ||
      !isGivenBack(told, attempt, bookedMinor)
    )
      return
    const { id: attemptId, provider, isApplied, reversedMinor: knownMinor } = attempt
    await undoReversal(tx, ctx, order, {
      attemptId,
      provider,
      currency: attempt.capturedCurrency ?? attempt.currency,
      isApplied,
      knownMinor,
      reversedMinor: (told.reversed?.minor ?? 0n) + bookedMinor,
    })
  })
}

/** The provider would not make a payment: the order may be paid otherwise. Nothing of this attempt can come later. */
export async function refuseAttempt(ctx: Ctx, attemptId: string, failure: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { order, attempt } = await lockAttempt(tx, attemptId)
    if (attempt.status !== 'created') return
    await tx
      .updateTable('payment_attempt')
      .set({ status: 'failed', failure: failure.slice(0, 200), check_at: null, updated_at: now })
      .where('id', '=', attempt.id)
      .execute()
    await changeOrder(tx, ctx, order, {}, { reason: 'payment_failed' })
  })
}

/**
 * Ends an unpaid order whose payment its provider has just ended. Nothing is done while a payment is open or money is there.
 * @returns whether it has ended
 */
export async function endUnpaid(
  ctx: Ctx,
  orderId: string,
  ended: 'cancelled' | 'expired',
): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const order = await lockOrderById(tx, orderId)
    if (order.status === 'pending_payment') await endOrder(tx, ctx, order, ended)
    return order.status === 'pending_payment' || order.ended !== null
  })
}
