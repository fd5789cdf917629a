import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { isAboveLimit, type Currency } from '#features/goods/currency/rules.ts'
import { bookBack, post } from '#features/base/ledger/commands.ts'
import { changeOrder, changeUnits, moveUnits } from '#features/buying/order/commands.ts'
import {
  getOrderByNumber,
  lockOrderById,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { isRefundable } from '#features/buying/order/rules.ts'
import { settleCredit } from '#features/buying/store-credit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { limitOf, requirePermission } from '#features/team/operator/rules.ts'
import { releaseKeys, voidKeys } from '#features/buying/vault/commands.ts'
import { assert } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import {
  countWriteOffs,
  isRepeated,
  listRefundedUnits,
  listReturnable,
  listUnitIds,
  lockRefund,
  readSecondPersonLimit,
  type Returnable,
} from './queries.ts'
import {
  mayComeBack,
  nextLook,
  nextRefundCheck,
  REFUND_TRANSITIONS,
  refundPostings,
  reversalParts,
  reversalPostings,
  type Refund,
  type RefundDestination,
  type RefundStatus,
} from './rules.ts'

/** Who asks for a refund that a rule of the shop demands; the rule has approved it. */
const SYSTEM = 'system'

/** Money that paid for nothing goes back where it came from. The label is the caller's to change. */
export async function returnSurplus(
  tx: Tx,
  ctx: Ctx,
  orderId: string,
  surplus: Returnable,
  reason: string,
): Promise<void> {
  await insertRefund(tx, ctx, {
    ...surplus,
    orderId,
    feeMinor: 0n,
    purpose: 'surplus',
    destination: 'original',
    reason,
    requestedBy: SYSTEM,
    approvedBy: SYSTEM,
  })
}

interface NewRefund extends Returnable {
  readonly orderId: string
  readonly feeMinor: bigint
  readonly purpose: 'goods' | 'surplus'
  readonly destination: RefundDestination
  readonly reason: string
  readonly requestedBy: string
  readonly approvedBy: string | null
}

async function insertRefund(tx: Tx, ctx: Ctx, refund: NewRefund): Promise<string> {
  const id = ctx.newId()
  const now = ctx.now()
  await tx
    .insertInto('refund')
    .values({
      id,
      public_id: newPublicId(ctx),
      order_id: refund.orderId,
      attempt_id: refund.attemptId,
      purpose: refund.purpose,
      destination: refund.destination,
      currency: refund.currency,
      amount_minor: refund.amountMinor,
      fee_minor: refund.feeMinor,
      reason: refund.reason,
      requested_by: refund.requestedBy,
      approved_by: refund.approvedBy,
      provider: refund.provider,
      check_at: refund.approvedBy === null ? null : now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  if (refund.approvedBy !== null)
    await enqueue(tx, 'submit_refund', { refund: id }, `submit_refund:${id}`)
  return id
}

export interface ReversedPayment {
  readonly attemptId: string
  readonly provider: string
  readonly currency: string
  /** It has paid for the order. */
  readonly isApplied: boolean
  /** What the payer's bank has taken by now, and what of it is known here. */
  readonly reversedMinor: bigint
  readonly knownMinor: bigint
}

/**
 * Books what a payer's bank has taken back of a payment. What was delivered is a loss; where everything is taken, what was not is
 * kept. Order and payment are locked. @returns the order as it is now
 */
export async function recordReversal(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  payment: ReversedPayment,
): Promise<LockedOrder> {
  const { attemptId, provider, currency } = payment
  const rest =
    (await listReturnable(tx, order.id)).find((returnable) => returnable.attemptId === attemptId)
      ?.amountMinor ?? 0n
  const known = await tx
    .selectFrom('refund')
    .select(['purpose', 'amount_minor'])
    .where('attempt_id', '=', attemptId)
    .where('status', 'not in', ['failed', 'rejected'])
    .execute()
  const forGoods = known
    .filter(({ purpose }) => purpose !== 'surplus')
    .reduce((sum, { amount_minor: minor }) => sum + BigInt(minor), 0n)
  const goodsMinor =
    !payment.isApplied || forGoods >= order.totalMinor
      ? 0n
      : order.totalMinor - forGoods < rest
        ? order.totalMinor - forGoods
        : rest
  const waiting = payment.isApplied
    ? await tx
        .selectFrom('order_unit')
        .select(['id', 'price_minor'])
        .where('order_id', '=', order.id)
        .where('status', 'in', ['queued', 'failed'])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
    : []
  const parts = reversalParts({
    minor: payment.reversedMinor - payment.knownMinor,
    restMinor: rest,
    goodsMinor,
    undeliveredMinor: waiting.reduce((sum, { price_minor: minor }) => sum + BigInt(minor), 0n),
  })
  const id = ctx.newId()
  const now = ctx.now()
  const amountMinor = parts.heldMinor + parts.ordersMinor + parts.lossMinor
  if (amountMinor > 0n) {
    await tx
      .insertInto('refund')
      .values({
        id,
        public_id: newPublicId(ctx),
        order_id: order.id,
        attempt_id: attemptId,
        purpose: 'reversal',
        destination: 'original',
        status: 'succeeded',
        currency,
        amount_minor: amountMinor,
        reason: 'reversed',
        requested_by: SYSTEM,
        approved_by: SYSTEM,
        provider,
        created_at: now,
        updated_at: now,
      })
      .execute()
  }
  await post(
    tx,
    ctx,
    reversalPostings(
      { id, attemptId, provider, currency, accountId: order.accountId },
      parts,
      await countWriteOffs(tx, attemptId),
    ),
  )
  await tx
    .updateTable('payment_attempt')
    .set((row) => ({
      refunded_minor: row('refunded_minor', '+', amountMinor.toString()),
      reversed_minor: payment.reversedMinor,
    }))
    .where('id', '=', attemptId)
    .execute()
  await settleCredit(tx, ctx, { accountId: order.accountId, currency, attemptId })
  if (parts.ordersMinor > 0n)
    await keepBack(
      tx,
      id,
      waiting.map((unit) => unit.id),
    )
  const refundedMinor =
    currency === order.currency ? order.refundedMinor + amountMinor : order.refundedMinor
  const isAllBack =
    order.settledAt === null &&
    refundedMinor === order.capturedMinor &&
    (await listReturnable(tx, order.id)).length === 0
  if (isAllBack && refundedMinor > 0n)
    await releaseKeys(tx, await moveUnits(tx, order.id, 'queued', 'released'))
  return changeOrder(
    tx,
    ctx,
    order,
    { refundedMinor, ...(isAllBack ? { hold: null } : {}) },
    {
      reason: 'reversed',
      details: { amount_minor: (payment.reversedMinor - payment.knownMinor).toString(), currency },
    },
  )
}

/** Units whose money is gone are not delivered; keys reserved for them go on to others. */
async function keepBack(tx: Tx, refundId: string, unitIds: readonly string[]): Promise<void> {
  await tx
    .insertInto('refund_unit')
    .values(unitIds.map((unit) => ({ refund_id: refundId, unit_id: unit })))
    .execute()
  for (const status of ['refund_due', 'refunded'] as const)
    await changeUnits(tx, unitIds, { status })
  await releaseKeys(tx, unitIds)
}

/**
 * Books back what a payer's bank had taken and has given back, all or to what it still keeps. Goods that were kept back are owed
 * again: what needs a key waits for one as what is short does. Money that had paid for nothing goes back to its payer. Order and
 * payment are locked.
 */
export async function undoReversal(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  payment: ReversedPayment,
): Promise<LockedOrder> {
  const { attemptId, currency, reversedMinor, knownMinor } = payment
  const rows = await tx
    .selectFrom('refund')
    .select(['id', 'amount_minor'])
    .where('attempt_id', '=', attemptId)
    .where('purpose', '=', 'reversal')
    .where('status', '=', 'succeeded')
    .orderBy('id')
    .execute()
  for (const { id } of rows) await bookBack(tx, ctx, 'refund', id)
  await bookBack(tx, ctx, 'write_off', attemptId)
  const minor = rows.reduce((sum, row) => sum + BigInt(row.amount_minor), 0n)
  if (rows.length > 0)
    await tx
      .updateTable('refund')
      .set({ status: 'failed', failure: 'given back by the bank', updated_at: ctx.now() })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  const isShort = await oweAgain(
    tx,
    rows.map(({ id }) => id),
  )
  await tx
    .updateTable('payment_attempt')
    .set((row) => ({
      refunded_minor: row('refunded_minor', '-', minor.toString()),
      reversed_minor: '0',
    }))
    .where('id', '=', attemptId)
    .execute()
  if (reversedMinor === 0n)
    await settleCredit(tx, ctx, { accountId: order.accountId, currency, attemptId })
  const refundedMinor =
    currency === order.currency ? order.refundedMinor - minor : order.refundedMinor
  const over = await endedAgain(tx, order)
  const details = { amount_minor: (knownMinor - reversedMinor).toString(), currency }
  const hold = isShort
    ? 'out_of_stock'
    : currency === order.currency
      ? order.hold
      : (order.hold ?? 'wrong_currency')
  let changed = await changeOrder(
    tx,
    ctx,
    order,
    { refundedMinor, ...over, hold },
    { reason: knownMinor > reversedMinor ? 'reversal_undone' : 'reversal_booked_anew', details },
  )
  if (reversedMinor > 0n)
    changed = await recordReversal(tx, ctx, changed, { ...payment, knownMinor: 0n })
  const held =
    over.ended && knownMinor > reversedMinor
      ? (await listReturnable(tx, order.id)).find(
          (returnable) => returnable.attemptId === attemptId,
        )
      : undefined
  if (!held) return changed
  await returnSurplus(tx, ctx, order.id, held, 'paid_after_refund')
  return changeOrder(tx, ctx, changed, {}, { reason: 'paid_after_refund', isToTell: true })
}

/** Units that were kept back with these reversals wait to be delivered. @returns whether one of them needs a key */
async function oweAgain(tx: Tx, reversalIds: readonly string[]): Promise<boolean> {
  if (reversalIds.length === 0) return false
  const kept = await tx
    .selectFrom('refund_unit')
    .select('unit_id')
    .where('refund_id', 'in', [...reversalIds])
    .execute()
  const ids = kept.map((row) => row.unit_id)
  const units = await changeUnits(tx, ids, { status: 'queued' }, 'refunded')
  return units.some(({ delivery }) => delivery === 'card_key')
}

export interface GoodsRefund {
  readonly orderId: string
  /** Units to be given back; null for all that are left. */
  readonly unitIds: readonly string[] | null
  readonly destination: RefundDestination
  readonly reason: string
  readonly requestedBy: string
  /** Null where another person has yet to approve it. */
  readonly approvedBy: string | null
}

/**
 * Asks for the price of units back, with the method's fee where nothing else of the order remains. From now on they are not
 * delivered. Throws 'order_closed' when the order is not paid, or one of the units is on its way, in doubt, given back already, or store credit that was given.
 */
export async function requestRefund(ctx: Ctx, request: GoodsRefund): Promise<AskedRefund> {
  return transaction(ctx, (tx) => askForRefund(tx, ctx, request))
}

export interface AskedRefund {
  readonly refundId: string
  readonly amountMinor: bigint
}

/** `requestRefund` as part of a decision that is written with it. */
export async function askForRefund(tx: Tx, ctx: Ctx, request: GoodsRefund): Promise<AskedRefund> {
  const order = await lockOrderById(tx, request.orderId)
  const attempt = await tx
    .selectFrom('payment_attempt')
    .select(['id', 'provider', 'currency'])
    .where('order_id', '=', order.id)
    .where('is_applied', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const units = await tx
    .selectFrom('order_unit')
    .select(['id', 'status', 'delivery', 'price_minor'])
    .where('order_id', '=', order.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const left = units.filter(({ status }) => status !== 'refund_due' && status !== 'refunded')
  const chosen =
    request.unitIds === null ? left : left.filter(({ id }) => request.unitIds?.includes(id))
  const isPossible =
    chosen.length > 0 &&
    chosen.length === (request.unitIds?.length ?? left.length) &&
    chosen.every(isRefundable)
  if (order.settledAt === null || !attempt || !isPossible) throw new AppError('order_closed')
  const feeMinor = chosen.length === left.length ? order.feeMinor : 0n
  const amountMinor = chosen.reduce((sum, { price_minor: price }) => sum + BigInt(price), feeMinor)
  // Less may be left where the payer's bank has taken some of it.
  const rest =
    (await listReturnable(tx, order.id)).find(({ attemptId }) => attemptId === attempt.id)
      ?.amountMinor ?? 0n
  if (amountMinor > rest) throw new AppError('order_closed')
  const refundId = await insertRefund(tx, ctx, {
    ...request,
    attemptId: attempt.id,
    provider: attempt.provider,
    currency: attempt.currency,
    amountMinor,
    feeMinor,
    purpose: 'goods',
  })
  await tx
    .insertInto('refund_unit')
    .values(chosen.map(({ id }) => ({ refund_id: refundId, unit_id: id })))
    .execute()
  const ids = chosen.map(({ id }) => id)
  await changeUnits(tx, ids, { status: 'refund_due' })
  // A key that never left the shop goes on to somebody else.
  await releaseKeys(
    tx,
    chosen.filter(({ status }) => status === 'queued').map(({ id }) => id),
  )
  const isDecided = order.hold === 'out_of_stock' || order.hold === 'refund_requested'
  await changeOrder(tx, ctx, order, isDecided ? { hold: null } : {}, {
    reason: 'refund_asked',
    details: { amount_minor: amountMinor.toString() },
  })
  return { refundId, amountMinor }
}

/** Gives everything back that an order holds without having been paid by it: too little, too late, another currency. Throws 'order_closed' where there is nothing. */
export async function returnHeldMoney(ctx: Ctx, orderId: string, reason: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    const returnable = await listReturnable(tx, order.id)
    if (order.settledAt !== null || returnable.length === 0) throw new AppError('order_closed')
    for (const surplus of returnable) await returnSurplus(tx, ctx, order.id, surplus, reason)
    await recordAudit(tx, ctx, now, [
      {
        action: 'money_returned',
        subject: 'shop_order',
        subjectCode: order.number,
        before: { hold: order.hold },
        after: { reason },
      },
    ])
    await changeOrder(tx, ctx, order, {}, { reason: 'money_returned', isToTell: true })
  })
}

/** An operator sends back what did not pay for its order. Throws 'not_found', and as `returnHeldMoney` does, which writes the audit. */
export async function returnMoneyByOperator(ctx: OperatorCtx, orderNumber: string): Promise<void> {
  requirePermission(ctx, 'order.decide')
  await returnHeldMoney(
    ctx,
    (await getOrderByNumber(ctx.db, orderNumber)).id,
    'returned_by_operator',
  )
}

export interface SubmittedRefund {
  readonly refund: Refund
  readonly paymentReference: string | null
  /** It was handed over before: its outcome, or what has become of it since, is asked for, and it is not handed over again blindly. */
  readonly isInDoubt: boolean
}

/**
 * Marks a refund as handed over, before it is. Null when there is nothing to hand over: it is decided, not approved, or another
 * one of the same payment is under way (then it is looked at again later).
 */
export async function beginRefund(ctx: Ctx, refundId: string): Promise<SubmittedRefund | null> {
  return transaction(ctx, async (tx, now) => {
    const { refund, paymentReference } = await lockRefund(tx, refundId)
    if (refund.status === 'submitted' || refund.status === 'unknown')
      return { refund, paymentReference, isInDoubt: true }
    if (refund.status === 'succeeded') {
      const next = nextLook(refund, refund.updatedAt, now)
      await tx.updateTable('refund').set({ check_at: next }).where('id', '=', refund.id).execute()
      return mayComeBack(refund) ? { refund, paymentReference, isInDoubt: true } : null
    }
    if (!refund.isApproved || (refund.status !== 'requested' && refund.status !== 'approved'))
      return null
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
    return { refund: { ...refund, status: 'submitted' }, paymentReference, isInDoubt: false }
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
    if (status === 'succeeded') await finish(tx, ctx, order, refund)
    else if (refund.status === 'succeeded') await takeBack(tx, ctx, order, refund)
    else if (status === 'failed') await changeOrder(tx, ctx, order, {}, { reason: 'refund_failed' })
  })
}

async function finish(tx: Tx, ctx: Ctx, order: LockedOrder, refund: Refund): Promise<void> {
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
  const isAllBack =
    order.settledAt === null &&
    (await listReturnable(tx, order.id)).length === 0 &&
    refundedMinor === order.capturedMinor
  // It will not be paid any more: what was reserved for it goes on to others.
  if (isAllBack && refundedMinor > 0n)
    await releaseKeys(tx, await moveUnits(tx, order.id, 'queued', 'released'))
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
async function takeBack(tx: Tx, ctx: Ctx, order: LockedOrder, refund: Refund): Promise<void> {
  const { id, attemptId, amountMinor, currency } = refund
  await bookBack(tx, ctx, 'refund', id)
  const units = await listRefundedUnits(tx, id)
  const ids = units.map((unit) => unit.id)
  await changeUnits(tx, ids, { status: 'refund_due' }, 'refunded')
  const attempt = await tx
    .updateTable('payment_attempt')
    .set((row) => ({ refunded_minor: row('refunded_minor', '-', amountMinor.toString()) }))
    .where('id', '=', attemptId)
    .returning(['provider', 'is_applied', 'reversed_minor'])
    .executeTakeFirstOrThrow()
  const refundedMinor =
    currency === order.currency ? order.refundedMinor - amountMinor : order.refundedMinor
  const changes = {
    refundedMinor,
    ...(await endedAgain(tx, order)),
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
      isApplied: attempt.is_applied,
      reversedMinor,
      knownMinor: reversedMinor,
    })
}

/** An order that gave everything back unpaid is over once money of it is back: nothing of it is kept for its buyer any more. */
async function endedAgain(
  tx: Tx,
  { id, settledAt, ended }: LockedOrder,
): Promise<{ ended?: 'cancelled' }> {
  if (settledAt !== null || ended !== null) return {}
  const released = await tx
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', id)
    .where('status', '=', 'released')
    .limit(1)
    .executeTakeFirst()
  return released ? { ended: 'cancelled' } : {}
}

export interface OperatorRefund {
  readonly orderNumber: string
  /** Public ids; null for all units that are left. */
  readonly units: readonly string[] | null
  readonly destination: RefundDestination
  readonly reason: string
}

export interface OperatorAsked extends AskedRefund {
  /** By which another person approves it. */
  readonly publicId: string
  readonly currency: string
  readonly needsApproval: boolean
}

/**
 * An operator gives units back. Up to the shop's limit a rule approves it; what is more another person must. Throws 'not_found'
 * for an order or unit that is not there, and as `requestRefund` does.
 */
export async function refundByOperator(
  ctx: OperatorCtx,
  asked: OperatorRefund,
): Promise<OperatorAsked> {
  requirePermission(ctx, 'order.refund')
  const currencies = await listCurrencies(ctx.db)
  return transaction(ctx, async (tx, now) => {
    const order = await getOrderByNumber(tx, asked.orderNumber)
    const unitIds = asked.units && (await listUnitIds(tx, order.id, asked.units))
    if (unitIds && unitIds.length !== asked.units?.length) throw new AppError('not_found')
    const { refundId, amountMinor } = await askForRefund(tx, ctx, {
      orderId: order.id,
      unitIds,
      destination: asked.destination,
      reason: asked.reason,
      requestedBy: ctx.actor,
      approvedBy: null,
    })
    const amount = { minor: amountMinor, currency: order.currency }
    const needsApproval =
      isAboveLimit(amount, currencies, await readSecondPersonLimit(tx)) ||
      isAboveOwnLimit(ctx, amount, currencies)
    if (!needsApproval)
      await tx
        .updateTable('refund')
        .set({ approved_by: SYSTEM, check_at: now })
        .where('id', '=', refundId)
        .execute()
    const { public_id: publicId } = await tx
      .selectFrom('refund')
      .select('public_id')
      .where('id', '=', refundId)
      .executeTakeFirstOrThrow()
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_asked',
        subject: 'refund',
        subjectCode: publicId,
        before: null,
        after: {
          amount_minor: amountMinor.toString(),
          currency: order.currency,
          reason: asked.reason,
        },
      },
    ])
    return { refundId, publicId, amountMinor, currency: order.currency, needsApproval }
  })
}

/** Whether it is more than somebody of the operator's role may give back without another person. */
export function isAboveOwnLimit(
  { operator }: OperatorCtx,
  amount: { readonly minor: bigint; readonly currency: string },
  currencies: readonly Currency[],
): boolean {
  const limit = limitOf(operator, 'order.refund')
  return limit !== null && isAboveLimit(amount, currencies, limit)
}

/**
 * Another person than the one who asked approves a refund; said again it changes nothing. Throws 'not_found', 'forbidden' for
 * who asked for it, or whose role may not give back so much, 'order_closed' for one that is decided.
 */
export async function approveRefund(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.refund')
  const currencies = await listCurrencies(ctx.db)
  await transaction(ctx, async (tx, now) => {
    const known = await tx
      .selectFrom('refund')
      .select('id')
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found')
    await lockRefund(tx, known.id)
    const {
      status,
      requested_by: requestedBy,
      approved_by: approvedBy,
      amount_minor: minor,
      currency,
    } = await tx
      .selectFrom('refund')
      .select(['status', 'requested_by', 'approved_by', 'amount_minor', 'currency'])
      .where('id', '=', known.id)
      .executeTakeFirstOrThrow()
    if (approvedBy === ctx.actor) return
    if (status !== 'requested' || approvedBy !== null) throw new AppError('order_closed')
    if (requestedBy === ctx.actor) throw new AppError('forbidden')
    if (isAboveOwnLimit(ctx, { minor: BigInt(minor), currency }, currencies))
      throw new AppError('forbidden', { limit: 'order.refund', role: ctx.operator.role })
    await tx
      .updateTable('refund')
      .set({ approved_by: ctx.actor, check_at: now, updated_at: now })
      .where('id', '=', known.id)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_approved',
        subject: 'refund',
        subjectCode: publicId,
        before: null,
        after: { approved_by: ctx.actor },
      },
    ])
  })
}

/**
 * Hands a refund that its provider has refused out anew, as another row: to where it was to go, or as store credit. Who asked and who
 * approved stay. Throws 'not_found', 'order_closed' for one that has not failed, was repeated already, or whose money is gone meanwhile.
 * @returns its public id
 */
export async function repeatRefund(
  ctx: OperatorCtx,
  publicId: string,
  destination: RefundDestination,
): Promise<string> {
  requirePermission(ctx, 'order.refund')
  return transaction(ctx, async (tx, now) => {
    const known = await tx
      .selectFrom('refund')
      .select('id')
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found')
    const { order, refund } = await lockRefund(tx, known.id)
    const row = await tx
      .selectFrom('refund')
      .select(['reason', 'requested_by', 'approved_by'])
      .where('id', '=', refund.id)
      .executeTakeFirstOrThrow()
    const returnable = (await listReturnable(tx, order.id)).find(
      ({ attemptId }) => attemptId === refund.attemptId,
    )
    if (
      refund.status !== 'failed' ||
      refund.purpose === 'reversal' ||
      (await isRepeated(tx, refund)) ||
      !returnable ||
      returnable.amountMinor < refund.amountMinor
    )
      throw new AppError('order_closed')
    const again = await insertRefund(tx, ctx, {
      ...returnable,
      amountMinor: refund.amountMinor,
      orderId: order.id,
      feeMinor: refund.feeMinor,
      purpose: refund.purpose,
      destination,
      reason: row.reason,
      requestedBy: row.requested_by,
      approvedBy: row.approved_by,
    })
    await sql`insert into refund_unit (refund_id, unit_id) select ${again}, unit_id from refund_unit where refund_id = ${refund.id}`.execute(
      tx,
    )
    const { public_id: repeated } = await tx
      .selectFrom('refund')
      .select('public_id')
      .where('id', '=', again)
      .executeTakeFirstOrThrow()
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_repeated',
        subject: 'refund',
        subjectCode: repeated,
        before: { refund: publicId },
        after: {
          destination,
          amount_minor: refund.amountMinor.toString(),
          currency: refund.currency,
        },
      },
    ])
    await changeOrder(
      tx,
      ctx,
      order,
      {},
      { reason: 'refund_asked', details: { amount_minor: refund.amountMinor.toString() } },
    )
    return repeated
  })
}
