import { bookBack, post } from '#features/base/ledger/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { settleCredit } from '#features/buying/store-credit/commands.ts'
import { voidKeys } from '#features/buying/vault/commands.ts'
import { assert } from '#kernel/assert.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { isCovered, listRefundedUnits, lockRefund } from '../queries.ts'
import {
  mayComeBack,
  nextLook,
  nextRefundCheck,
  type Refund,
  REFUND_TRANSITIONS,
  refundPostings,
  type RefundStatus,
  whileDisputed,
} from '../rules.ts'
import { cancelledIfReleased, undoReversal } from './chargeback.ts'
import { findAcceptingUntil } from './recall.ts'
import { releaseOnceAllIsBack } from './surplus.ts'
import { endRefund } from './waiting.ts'

export interface SubmittedRefund {
  readonly refund: Refund
  readonly paymentReference: string | null
  readonly isDisputed: boolean
  /** It was handed over before: its outcome, or what has become of it since, is asked for, and it is not handed over again blindly. */
  readonly isInDoubt: boolean
  /** Its money is still there. */
  readonly isCovered: boolean
}

/**
 * Marks a refund as handed over, before it is. Null when there is nothing to hand over: it is decided, not approved, or another
 * one of the same payment is under way (then it is looked at again later).
 */
export async function beginRefund(ctx: Ctx, refundId: string): Promise<SubmittedRefund | null> {
  return transaction(ctx, async (tx, now) => {
    const { order, refund, paymentReference, isDisputed } = await lockRefund(tx, refundId)
    const hasMoney = await isCovered(tx, refund)
    const submitted = { paymentReference, isDisputed, isCovered: hasMoney }
    if (refund.status === 'submitted' || refund.status === 'unknown')
      return { ...submitted, refund, isInDoubt: true }
    if (refund.status === 'succeeded') {
      const next = nextLook(refund, refund.updatedAt, now)
      await tx.updateTable('refund').set({ check_at: next }).where('id', '=', refund.id).execute()
      return mayComeBack(refund) ? { ...submitted, refund, isInDoubt: true } : null
    }
    if (!refund.isApproved || (refund.status !== 'requested' && refund.status !== 'approved'))
      return null
    if (isDisputed) {
      await tx
        .updateTable('refund')
        .set({ check_at: whileDisputed(now) })
        .where('id', '=', refund.id)
        .execute()
      return null
    }
    // Somebody has asked to keep it for the order.
    const keptUntil =
      refund.purpose === 'surplus' ? await findAcceptingUntil(tx, ctx, order.number) : null
    if (keptUntil) {
      await tx
        .updateTable('refund')
        .set({ check_at: keptUntil })
        .where('id', '=', refund.id)
        .execute()
      return null
    }
    if (!hasMoney) {
      await endUncovered(tx, ctx, order, refund)
      return null
    }
    const other = await tx
      .selectFrom('refund')
      .select('id')
      .where('attempt_id', '=', refund.attemptId)
      .where('id', '<>', refund.id)
      .where('status', 'in', ['approved', 'submitted', 'unknown'])
      .executeTakeFirst()
    const check_at = nextRefundCheck(0, now)
    if (other) {
      await tx.updateTable('refund').set({ check_at }).where('id', '=', refund.id).execute()
      return null
    }
    if (refund.status === 'requested')
      await tx
        .updateTable('refund')
        .set({ status: 'approved' })
        .where('id', '=', refund.id)
        .execute()
    await tx
      .updateTable('refund')
      .set({ status: 'submitted', check_at, updated_at: now })
      .where('id', '=', refund.id)
      .execute()
    return { ...submitted, refund: { ...refund, status: 'submitted' }, isInDoubt: false }
  })
}

/** A bank took the money before the shop knew that a refund waits for it. */
async function endUncovered(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  { id, amountMinor }: Refund,
): Promise<void> {
  const isShort = await endRefund(tx, ctx, id)
  await changeOrder(tx, ctx, order, isShort ? { hold: order.hold ?? 'out_of_stock' } : {}, {
    reason: 'refund_failed',
    details: { amount_minor: amountMinor.toString() },
  })
}

export interface RefundAnswer {
  /** 'submitted': the provider has it and is not done. 'unknown': whether it has it is in doubt. */
  readonly status: Extract<RefundStatus, 'submitted' | 'succeeded' | 'failed' | 'unknown'>
  readonly reference: string | null
  readonly failure: string | null
}

/** Has the refunds of a payment asked about with the next sweep: its provider has told that something happened to it. */
export async function lookAtRefunds(ctx: Ctx, attemptId: string): Promise<void> {
  await ctx.db
    .updateTable('refund')
    .set({ check_at: ctx.now() })
    .where('order_id', '=', ({ selectFrom }) =>
      selectFrom('payment_attempt').select('order_id').where('id', '=', attemptId),
    )
    .where('attempt_id', '=', attemptId)
    .where('destination', '=', 'original')
    .where('purpose', '<>', 'reversal')
    .where('status', 'in', ['submitted', 'unknown', 'succeeded'])
    .execute()
}

/** Writes what became of a refund. What is decided stays so, but for one that was sent out and came back; an answer that comes twice changes nothing. */
export async function recordRefund(
  ctx: Ctx,
  refundId: string,
  answer: RefundAnswer,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { order, refund } = await lockRefund(tx, refundId)
    const status = REFUND_TRANSITIONS[refund.status].includes(answer.status)
      ? answer.status
      : refund.status
    const isInDoubt = status === 'submitted' || status === 'unknown'
    if (!isInDoubt && status === refund.status) return
    await tx
      .updateTable('refund')
      .set((row) => ({
        status,
        provider_reference: row.fn.coalesce('provider_reference', row.val(answer.reference)),
        failure: answer.failure,
        updated_at: now,
        checks: refund.checks + 1,
        check_at: isInDoubt
          ? nextRefundCheck(refund.checks + 1, now)
          : status === 'succeeded'
            ? nextLook(refund, now, now)
            : null,
      }))
      .where('id', '=', refund.id)
      .execute()
    if (status === 'succeeded') await bookSucceeded(tx, ctx, order, refund)
    else if (refund.status === 'succeeded') await bookReturned(tx, ctx, order, refund)
    else if (status === 'failed') await changeOrder(tx, ctx, order, {}, { reason: 'refund_failed' })
  })
}

async function bookSucceeded(tx: Tx, ctx: Ctx, order: LockedOrder, refund: Refund): Promise<void> {
  const units = await listRefundedUnits(tx, refund.id)
  await post(tx, ctx, refundPostings(refund, units, order.accountId))
  if (refund.destination === 'store_credit')
    await settleCredit(tx, ctx, {
      accountId: order.accountId,
      currency: refund.currency,
      attemptId: refund.attemptId,
    })
  await tx
    .updateTable('payment_attempt')
    .set((row) => ({ refunded_minor: row('refunded_minor', '+', refund.amountMinor.toString()) }))
    .where('id', '=', refund.attemptId)
    .execute()
  if (units.length > 0) {
    const ids = units.map(({ id }) => id)
    const given = await changeUnits(tx, ids, { status: 'refunded' }, 'refund_due')
    assert(given.length === ids.length, 'units of a refund wait for it')
    await voidKeys(tx, ids)
  }
  const refundedMinor =
    refund.currency === order.currency
      ? order.refundedMinor + refund.amountMinor
      : order.refundedMinor
  const isAllBack = await releaseOnceAllIsBack(tx, order, refundedMinor)
  await changeOrder(
    tx,
    ctx,
    order,
    { refundedMinor, ...(isAllBack ? { hold: null } : {}) },
    {
      reason: 'refunded',
      details: { amount_minor: refund.amountMinor.toString(), currency: refund.currency },
      isToTell: true,
    },
  )
}

/**
 * A refund was sent out and has come back to the provider: what was booked is booked back, and its units wait for another refund.
 * An order that was never paid for is over all the same.
 */
async function bookReturned(tx: Tx, ctx: Ctx, order: LockedOrder, refund: Refund): Promise<void> {
  const { id, attemptId, amountMinor, currency } = refund
  await bookBack(tx, ctx, 'refund', id)
  await bookBack(tx, ctx, 'refund_rest', id)
  const units = await listRefundedUnits(tx, id)
  const ids = units.map((unit) => unit.id)
  await changeUnits(tx, ids, { status: 'refund_due' }, 'refunded')
  const attempt = await tx
    .updateTable('payment_attempt')
    .set((row) => ({ refunded_minor: row('refunded_minor', '-', amountMinor.toString()) }))
    .where('id', '=', attemptId)
    .returning(['provider', 'reversed_minor'])
    .executeTakeFirstOrThrow()
  const refundedMinor =
    currency === order.currency ? order.refundedMinor - amountMinor : order.refundedMinor
  const changes = {
    refundedMinor,
    ...(await cancelledIfReleased(tx, order)),
    ...(currency === order.currency ? {} : { hold: order.hold ?? ('wrong_currency' as const) }),
  }
  const changed = await changeOrder(tx, ctx, order, changes, {
    reason: 'refund_failed',
    details: { amount_minor: amountMinor.toString(), currency },
    isToTell: true,
  })
  const reversedMinor = BigInt(attempt.reversed_minor)
  // What the bank had taken beyond what was there is taken of this money.
  if (reversedMinor > 0n)
    await undoReversal(tx, ctx, changed, {
      attemptId,
      provider: attempt.provider,
      currency,
      reversedMinor,
      knownMinor: reversedMinor,
    })
}
