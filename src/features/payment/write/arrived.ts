import { post } from '#features/ledger/commands.ts'
import { atProvider, FEES, HELD, movement, ORDERS, SALES, type Posting } from '#features/ledger/rules.ts'
import { changeOrder, moveUnits, reserveStock } from '#features/order/commands.ts'
import type { LockedOrder } from '#features/order/queries.ts'
import { returnSurplus } from '#features/refund/commands.ts'
import { deliverKeys, releaseKeys } from '#features/vault/commands.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Attempt } from '../queries.ts'
import { dispose } from '../rules.ts'

export interface Arrival {
  readonly order: LockedOrder
  /** With what it has brought by now. */
  readonly attempt: Attempt
  /** What of that is new. */
  readonly arrivedMinor: bigint
}

/** Money as it comes in: the provider has it for us, and it belongs to whoever sent it until it pays for something. */
export function moneyIn(attempt: Attempt, currency: string, amountMinor: bigint): Posting {
  return { source: 'capture', sourceId: attempt.id, leg: attempt.captures, debit: atProvider(attempt.provider), credit: HELD, currency, amountMinor }
}

/** Does with money that has been booked what the rule for it says. Order and attempt are locked. */
export async function disposeOf(tx: Tx, ctx: Ctx, { order, attempt, arrivedMinor }: Arrival): Promise<void> {
  const capturedCurrency = attempt.capturedCurrency ?? attempt.currency
  const decision = dispose({
    capturedMinor: attempt.capturedMinor, capturedCurrency, amountMinor: attempt.amountMinor, currency: order.currency, isSettled: order.settledAt !== null,
    isRefunded: order.capturedMinor > 0n && order.capturedMinor === order.refundedMinor, ended: order.ended, expiresAt: order.expiresAt,
  }, ctx.now())
  const capturedMinor = capturedCurrency === order.currency ? order.capturedMinor + arrivedMinor : order.capturedMinor
  const surplus = (amountMinor: bigint) => ({ attemptId: attempt.id, provider: attempt.provider, currency: capturedCurrency, amountMinor })
  switch (decision.kind) {
    case 'hold':
      await changeOrder(tx, ctx, order, { capturedMinor, hold: order.hold ?? decision.hold }, { reason: decision.hold })
      return
    case 'return':
      await returnSurplus(tx, ctx, order.id, surplus(arrivedMinor), decision.reason)
      await changeOrder(tx, ctx, order, { capturedMinor }, { reason: decision.reason })
      return
    case 'settle':
      if (decision.surplusMinor > 0n) await returnSurplus(tx, ctx, order.id, surplus(decision.surplusMinor), 'paid_too_much')
      await settle(tx, ctx, order, attempt, capturedMinor)
      return
    case 'settle_late': {
      const held = await changeOrder(tx, ctx, order, { capturedMinor, hold: 'late' }, { reason: 'paid_late' })
      if (await takeUpAgain(tx, ctx, order.id)) {
        if (decision.surplusMinor > 0n) await returnSurplus(tx, ctx, order.id, surplus(decision.surplusMinor), 'paid_too_much')
        await settle(tx, ctx, { ...held, hold: null, ended: null }, attempt, capturedMinor)
      } else {
        await returnSurplus(tx, ctx, order.id, surplus(arrivedMinor), 'out_of_stock')
        await changeOrder(tx, ctx, held, { hold: null }, { reason: 'out_of_stock' })
      }
      return
    }
    default:
      return decision satisfies never
  }
}

/** Reserves the goods of an expired order once more, all or none. */
async function takeUpAgain(tx: Tx, ctx: Ctx, orderId: string): Promise<boolean> {
  const units = await moveUnits(tx, orderId, 'released', 'queued')
  try {
    await reserveStock(tx, ctx, orderId)
    return true
  } catch (error) {
    if (!isAppError(error) || error.code !== 'out_of_stock') throw error
    await releaseKeys(tx, units)
    await moveUnits(tx, orderId, 'queued', 'released')
    return false
  }
}

/** The goods are paid for: the money becomes the order's, and what is in stock is delivered at once. */
async function settle(tx: Tx, ctx: Ctx, order: LockedOrder, attempt: Attempt, capturedMinor: bigint): Promise<void> {
  await tx.updateTable('payment_attempt').set({ is_applied: true }).where('id', '=', attempt.id).execute()
  const settled = { source: 'settle', sourceId: order.id, debit: HELD, currency: order.currency } as const
  const delivery = await deliverCards(tx, ctx, order)
  await post(tx, ctx, [
    { ...settled, leg: 0, credit: ORDERS, amountMinor: order.goodsMinor },
    ...movement({ ...settled, leg: 1, credit: FEES, amountMinor: attempt.feeMinor }),
    ...delivery.postings,
  ])
  await changeOrder(tx, ctx, order, {
    capturedMinor, feeMinor: attempt.feeMinor, settledAt: ctx.now(), ended: null, hold: delivery.isShort ? 'out_of_stock' : null,
  }, { reason: 'paid' })
}

interface CardDelivery {
  readonly postings: readonly Posting[]
  /** A card of the order has no key, though one was reserved for it. */
  readonly isShort: boolean
}

/** Hands over the keys that are bound to the order's cards; a card without one is given one first, if there is any. */
async function deliverCards(tx: Tx, ctx: Ctx, order: LockedOrder): Promise<CardDelivery> {
  const cards = await tx.selectFrom('order_unit').select('id').where('order_id', '=', order.id).where('delivery', '=', 'card_key').where('status', '=', 'queued').execute()
  if (cards.length === 0) return { postings: [], isShort: false }
  const ids = cards.map(({ id }) => id)
  const delivered = await deliverKeys(tx, ctx, ids)
  if (delivered.length < ids.length && (await isReserved(tx, ctx, order.id))) delivered.push(...(await deliverKeys(tx, ctx, ids)))
  if (delivered.length === 0) return { postings: [], isShort: true }
  const units = await tx.updateTable('order_unit').set({ status: 'delivered', delivered_at: ctx.now() }).where('id', 'in', delivered).returning(['id', 'price_minor']).execute()
  return { postings: units.map(({ id, price_minor: price }) => deliveredUnit(id, order.currency, BigInt(price))), isShort: delivered.length < ids.length }
}

/** What was owed is earned. */
export function deliveredUnit(unitId: string, currency: string, amountMinor: bigint): Posting {
  return { source: 'deliver', sourceId: unitId, debit: ORDERS, credit: SALES, currency, amountMinor }
}

async function isReserved(tx: Tx, ctx: Ctx, orderId: string): Promise<boolean> {
  try {
    await reserveStock(tx, ctx, orderId)
    return true
  } catch (error) {
    if (isAppError(error) && error.code === 'out_of_stock') return false
    throw error
  }
}
