import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { getShortfall, lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { isRefundable } from '#features/buying/order/rules.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { type Ctx, enqueue, transaction, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { stepAt } from '#providers/payment/services.ts'
import { getAskedBack, listGoodsMoney, type Returnable } from '../queries.ts'
import { refundAmount, sharesOf, type RefundDestination } from '../rules.ts'

/** Who asks for a refund that a rule of the shop demands; the rule has approved it. */
export const SYSTEM = 'system'

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
 * Asks for the price of units back, rounded up where the payment's service moves round amounts alone, and with the method's fee where
 * nothing else of the order remains. From now on they are not
 * delivered. Throws 'order_closed' when the order is not paid, or one of the units is on its way, in doubt, given back already, or store credit that was given.
 */
export async function requestRefund(ctx: Ctx, request: GoodsRefund): Promise<AskedRefund> {
  return transaction(ctx, (tx) => askForRefund(tx, ctx, request))
}

export interface AskedRefund {
  readonly refundId: string
  readonly publicId: string
  readonly amountMinor: bigint
}

/** What giving units back would be, with the order locked and nothing changed yet. */
export interface PlannedRefund {
  readonly order: LockedOrder
  readonly currency: string
  /** What goes back to each payment: one, or several where they were accepted together. */
  readonly shares: readonly Returnable[]
  readonly units: readonly {
    readonly id: string
    readonly publicId: string
    readonly status: string
  }[]
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly restMinor: bigint
}

/** Throws 'order_closed' as `requestRefund` does. */
export async function planRefund(
  tx: Tx,
  { orderId, unitIds }: Pick<GoodsRefund, 'orderId' | 'unitIds'>,
): Promise<PlannedRefund> {
  const order = await lockOrderById(tx, orderId)
  const units = await tx
    .selectFrom('order_unit')
    .select(['id', 'public_id as publicId', 'status', 'delivery', 'price_minor'])
    .where('order_id', '=', order.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const left = units.filter(({ status }) => status !== 'refund_due' && status !== 'refunded')
  const chosen = unitIds === null ? left : left.filter(({ id }) => unitIds.includes(id))
  const isPossible =
    chosen.length > 0 &&
    chosen.length === (unitIds?.length ?? left.length) &&
    chosen.every(isRefundable)
  if (order.settledAt === null || !isPossible) throw new AppError('order_closed')
  const priceOf = (some: typeof units) =>
    some.reduce((sum, { price_minor: price }) => sum + BigInt(price), 0n)
  const askedBack = await getAskedBack(tx, order.id)
  const payments = (await listGoodsMoney(tx, order.id)).map((payment) => ({
    ...payment,
    step: stepAt(payment.provider, payment.currency),
  }))
  const amounts = refundAmount({
    priceMinor: priceOf(chosen),
    // What the shop has borne itself goes back to nobody.
    feeLeftMinor: order.feeMinor - (await getShortfall(tx, order.id)) - askedBack.feeMinor,
    priceLeftMinor: priceOf(units) - askedBack.priceMinor,
    isLast: chosen.length === left.length,
    leftMinor: payments.reduce((sum, payment) => sum + payment.amountMinor, 0n),
    step: payments.reduce((most, { step }) => (step > most ? step : most), 1n),
  })
  const shares = amounts && sharesOf(payments, amounts.amountMinor)
  // Less may be left where the payer's bank has taken some of it.
  if (amounts === null || shares === null) throw new AppError('order_closed')
  return { order, currency: order.currency, shares, units: chosen, ...amounts }
}

/** `requestRefund` as part of a decision that is written with it. */
export async function askForRefund(tx: Tx, ctx: Ctx, request: GoodsRefund): Promise<AskedRefund> {
  const planned = await planRefund(tx, request)
  const { order, units, amountMinor } = planned
  const { id: refundId, publicId } = await insertShares(tx, ctx, request, planned)
  await tx
    .insertInto('refund_unit')
    .values(units.map(({ id }) => ({ refund_id: refundId, unit_id: id })))
    .execute()
  await changeUnits(
    tx,
    units.map(({ id }) => id),
    { status: 'refund_due' },
  )
  // A key that never left the shop goes on to somebody else.
  await releaseKeys(
    tx,
    units.filter(({ status }) => status === 'queued').map(({ id }) => id),
  )
  const isDecided = order.hold === 'out_of_stock' || order.hold === 'refund_requested'
  // What else of it waits for stock is looked after for as long as that is what the order is held for.
  const left = (await isWaitingForStock(tx, order.id)) ? 'out_of_stock' : null
  await changeOrder(tx, ctx, order, isDecided ? { hold: left } : {}, {
    reason: 'refund_asked',
    details: { amount_minor: amountMinor.toString() },
  })
  return { refundId, publicId, amountMinor }
}

/**
 * The first payment's share stands for the units; what the others give of it is left out of it, and goes back with each of theirs. Together
 * they are what the units are worth.
 */
async function insertShares(
  tx: Tx,
  ctx: Ctx,
  request: GoodsRefund,
  { shares, feeMinor, restMinor }: PlannedRefund,
): Promise<{ readonly id: string; readonly publicId: string }> {
  const [share, ...others] = shares
  const elsewhereMinor = others.reduce((sum, other) => sum + other.amountMinor, 0n)
  const differenceMinor = feeMinor - restMinor - elsewhereMinor
  const first = await insertRefund(tx, ctx, {
    ...request,
    ...present(share, 'a share of what goes back'),
    feeMinor: differenceMinor > 0n ? differenceMinor : 0n,
    restMinor: differenceMinor < 0n ? -differenceMinor : 0n,
    purpose: 'goods',
  })
  for (const other of others) {
    const { id } = await insertRefund(tx, ctx, {
      ...request,
      ...other,
      feeMinor: other.amountMinor,
      restMinor: 0n,
      purpose: 'goods',
    })
    await tx.insertInto('refund_part').values({ refund_id: id, of_refund_id: first.id }).execute()
  }
  return first
}

/** Whether a card of the order waits for a key of the shop's own. */
async function isWaitingForStock(tx: Tx, orderId: string): Promise<boolean> {
  const waiting = await tx
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', orderId)
    .where('delivery', '=', 'card_key')
    .where('to_order', '=', false)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  return waiting !== undefined
}

export interface NewRefund extends Returnable {
  readonly orderId: string
  readonly feeMinor: bigint
  readonly restMinor: bigint
  readonly purpose: 'goods' | 'surplus'
  readonly destination: RefundDestination
  readonly reason: string
  readonly requestedBy: string
  readonly approvedBy: string | null
  /** It is not handed out before. */
  readonly notBefore?: Date | null
}

export async function insertRefund(
  tx: Tx,
  ctx: Ctx,
  refund: NewRefund,
): Promise<{ readonly id: string; readonly publicId: string }> {
  const id = ctx.newId()
  const publicId = newPublicId(ctx)
  const now = ctx.now()
  await tx
    .insertInto('refund')
    .values({
      id,
      public_id: publicId,
      order_id: refund.orderId,
      attempt_id: refund.attemptId,
      purpose: refund.purpose,
      destination: refund.destination,
      currency: refund.currency,
      amount_minor: refund.amountMinor,
      fee_minor: refund.feeMinor,
      rest_minor: refund.restMinor,
      reason: refund.reason,
      requested_by: refund.requestedBy,
      approved_by: refund.approvedBy,
      provider: refund.provider,
      check_at: refund.approvedBy === null ? null : (refund.notBefore ?? now),
      request_id: ctx.requestId,
      created_at: now,
      updated_at: now,
    })
    .execute()
  if (refund.approvedBy !== null && !refund.notBefore)
    await enqueue(tx, 'submit_refund', { refund: id }, `submit_refund:${id}`)
  return { id, publicId }
}
