import { bookBack, post } from '#features/base/ledger/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { settleCredit } from '#features/buying/store-credit/commands.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { countWriteOffs, findReturnable, getPaidBy, listGoodsMoney } from '../queries.ts'
import { reversalParts, reversalPostings } from '../rules.ts'
import { releaseOnceAllIsBack, returnSurplus } from './surplus.ts'
import { SYSTEM } from './request.ts'
import { endWaiting } from './waiting.ts'

export interface ReversedPayment {
  readonly attemptId: string
  readonly provider: string
  readonly currency: string
  /** What the payer's bank has taken by now, and what of it is known here. */
  readonly reversedMinor: bigint
  readonly knownMinor: bigint
}

/**
 * Books what a payer's bank has taken back of a payment, and ends refunds that waited for that money. What was delivered is a loss; where
 * everything is taken, what was not is kept. Order and payment are locked. @returns the order as it is now
 */
export async function recordReversal(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  payment: ReversedPayment,
): Promise<LockedOrder> {
  const { attemptId, provider, currency } = payment
  const takenMinor = payment.reversedMinor - payment.knownMinor
  const freeMinor = (await findReturnable(tx, order.id, attemptId))?.amountMinor ?? 0n
  const ended = await endWaiting(tx, ctx, { attemptId, missingMinor: takenMinor - freeMinor })
  const restMinor = freeMinor + ended.amountMinor
  const goodsMinor = await goodsNotGivenBack(tx, attemptId)
  // What other payments of the order still pay for is delivered, and somebody's to decide.
  const isLast = goodsMinor > 0n && !(await hasOtherGoodsMoney(tx, order.id, attemptId))
  const waiting = isLast ? await lockUndelivered(tx, order.id) : []
  const parts = reversalParts({
    minor: takenMinor,
    restMinor,
    goodsMinor: goodsMinor < restMinor ? goodsMinor : restMinor,
    undeliveredMinor: waiting.reduce((sum, { priceMinor }) => sum + priceMinor, 0n),
  })
  const id = ctx.newId()
  const restOfUnits = parts.sparedMinor
  const amountMinor = parts.heldMinor + parts.ordersMinor + parts.lossMinor - restOfUnits
  if (amountMinor > 0n)
    await insertReversal(tx, ctx, order, { ...payment, id, amountMinor, restMinor: restOfUnits })
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
  if (parts.ordersMinor > 0n) {
    const unitIds = waiting.map((unit) => unit.id)
    await withholdUnits(tx, id, unitIds)
  }
  const refundedMinor =
    currency === order.currency ? order.refundedMinor + amountMinor : order.refundedMinor
  const isAllBack = await releaseOnceAllIsBack(tx, order, refundedMinor)
  const isShort = ended.isShort && parts.ordersMinor === 0n
  return changeOrder(
    tx,
    ctx,
    order,
    {
      refundedMinor,
      ...(isShort ? { hold: shortHold(order) } : {}),
      ...(isAllBack ? { hold: null } : {}),
    },
    { reason: 'reversed', details: { amount_minor: takenMinor.toString(), currency } },
  )
}

/** Who is looked at more closely gets nothing from the shelf either: that comes with the decision. */
const shortHold = ({ hold }: LockedOrder) => (hold === 'risk' ? 'risk' : 'out_of_stock')

/** What an attempt has paid for the goods of its order, less what of it is given back or taken back by now. */
async function goodsNotGivenBack(tx: Tx, attemptId: string): Promise<bigint> {
  const paidMinor = await getPaidBy(tx, attemptId)
  const known = await tx
    .selectFrom('refund')
    .select('amount_minor')
    .where('attempt_id', '=', attemptId)
    .where('purpose', '<>', 'surplus')
    .where('status', 'not in', ['failed', 'rejected'])
    .execute()
  const givenBack = known.reduce((sum, { amount_minor: minor }) => sum + BigInt(minor), 0n)
  return givenBack < paidMinor ? paidMinor - givenBack : 0n
}

/** Whether something is left of another payment that was accepted with this one. */
const hasOtherGoodsMoney = async (tx: Tx, orderId: string, attemptId: string): Promise<boolean> =>
  (await listGoodsMoney(tx, orderId)).some((payment) => payment.attemptId !== attemptId)

async function lockUndelivered(
  tx: Tx,
  orderId: string,
): Promise<{ readonly id: string; readonly priceMinor: bigint }[]> {
  const rows = await tx
    .selectFrom('order_unit')
    .select(['id', 'price_minor'])
    .where('order_id', '=', orderId)
    .where('status', 'in', ['queued', 'failed', 'needs_input'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, priceMinor: BigInt(row.price_minor) }))
}

async function insertReversal(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  reversal: Pick<ReversedPayment, 'attemptId' | 'provider' | 'currency'> & {
    readonly id: string
    readonly amountMinor: bigint
    readonly restMinor: bigint
  },
): Promise<void> {
  const now = ctx.now()
  await tx
    .insertInto('refund')
    .values({
      id: reversal.id,
      public_id: newPublicId(ctx),
      order_id: order.id,
      attempt_id: reversal.attemptId,
      purpose: 'reversal',
      destination: 'original',
      status: 'succeeded',
      currency: reversal.currency,
      amount_minor: reversal.amountMinor,
      rest_minor: reversal.restMinor,
      reason: 'reversed',
      requested_by: SYSTEM,
      approved_by: SYSTEM,
      provider: reversal.provider,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Units whose money is gone are not delivered; keys reserved for them go on to others. */
async function withholdUnits(tx: Tx, refundId: string, unitIds: readonly string[]): Promise<void> {
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
  for (const { id } of rows) await bookReversalBack(tx, ctx, id)
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
  const isShort = await requeueUnits(
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
  const over = await cancelledIfReleased(tx, order)
  const details = { amount_minor: (knownMinor - reversedMinor).toString(), currency }
  const hold = isShort
    ? shortHold(order)
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
      ? await findReturnable(tx, order.id, attemptId)
      : undefined
  if (!held) return changed
  await returnSurplus(tx, ctx, order.id, held, 'paid_after_refund')
  return changeOrder(tx, ctx, changed, {}, { reason: 'paid_after_refund', isToTell: true })
}

async function bookReversalBack(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  await bookBack(tx, ctx, 'refund', id)
  await bookBack(tx, ctx, 'refund_rest', id)
}

/** Units that were kept back with these reversals wait to be delivered. @returns whether one of them needs a key */
async function requeueUnits(tx: Tx, reversalIds: readonly string[]): Promise<boolean> {
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

/** An order that gave everything back unpaid is over once money of it is back: nothing of it is kept for its buyer any more. */
export async function cancelledIfReleased(
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
