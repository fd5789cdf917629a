import { post } from '#features/base/ledger/commands.ts'
import {
  atProvider,
  deliveredUnit,
  FEES,
  HELD,
  movement,
  ORDERS,
  storeCreditOf,
  type Posting,
} from '#features/base/ledger/rules.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import {
  changeOrder,
  deliverBound,
  moveUnits,
  reserveStock,
  type DeliveredUnit,
} from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import type { Hold } from '#features/buying/order/rules.ts'
import { judgeOrder, ownKeysAreLookedAt } from '#features/buying/gate/commands.ts'
import { returnSurplus } from '#features/buying/refund/commands.ts'
import { settleCredit } from '#features/buying/store-credit/commands.ts'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Attempt } from '../queries.ts'
import { lateMoneySetting } from '../schema.ts'
import { dispose, type Disposition } from '../rules.ts'

export interface Arrival {
  readonly order: LockedOrder
  /** With what it has brought by now; marked as applied where the decision is to settle. */
  readonly attempt: Attempt
  /** What of that is new. */
  readonly arrivedMinor: bigint
  readonly decision: Disposition
}

/** What the rule says about money that has just come. */
export function decide(ctx: Pick<Ctx, 'now'>, order: LockedOrder, attempt: Attempt): Disposition {
  return dispose(
    {
      capturedMinor: attempt.capturedMinor,
      capturedCurrency: attempt.capturedCurrency ?? attempt.currency,
      amountMinor: attempt.amountMinor,
      currency: order.currency,
      isSettled: order.settledAt !== null,
      isRefunded: order.capturedMinor > 0n && order.capturedMinor === order.refundedMinor,
      ended: order.ended,
      expiresAt: order.expiresAt,
    },
    ctx.now(),
  )
}

/** Books money that has come and does with it what was decided. Order and attempt are locked. */
export async function disposeOf(tx: Tx, ctx: Ctx, arrival: Arrival): Promise<void> {
  const { order, attempt, decision } = arrival
  if (decision.kind !== 'settle') await post(tx, ctx, [captureOf(arrival)])
  switch (decision.kind) {
    case 'hold':
      return hold(tx, ctx, arrival, decision.hold)
    case 'return':
      return giveBack(tx, ctx, arrival, decision.reason)
    case 'settle':
      await returnTooMuch(tx, ctx, arrival, decision.surplusMinor)
      return settle(tx, ctx, order, attempt, capturedFor(arrival), [captureOf(arrival)])
    case 'settle_late':
      return settleLate(tx, ctx, arrival, decision.surplusMinor)
    default:
      return decision satisfies never
  }
}

const currencyOf = ({ attempt }: Arrival) => attempt.capturedCurrency ?? attempt.currency

/** What has come for the order by now, in its own currency. */
function capturedFor(arrival: Arrival): bigint {
  const { order, arrivedMinor } = arrival
  return currencyOf(arrival) === order.currency
    ? order.capturedMinor + arrivedMinor
    : order.capturedMinor
}

/** It comes in: the provider has it for us, and it belongs to whoever sent it until it pays for something. */
function captureOf(arrival: Arrival): Posting {
  const { order, attempt, arrivedMinor } = arrival
  return {
    source: 'capture',
    sourceId: attempt.id,
    leg: attempt.captures,
    debit: atProvider(attempt.provider),
    credit: HELD,
    currency: currencyOf(arrival),
    amountMinor: arrivedMinor,
    shownTo: order.accountId,
  }
}

async function hold(tx: Tx, ctx: Ctx, arrival: Arrival, reason: Hold): Promise<void> {
  const { order } = arrival
  const changes = { capturedMinor: capturedFor(arrival), hold: order.hold ?? reason }
  await changeOrder(tx, ctx, order, changes, { reason, isToTell: true })
}

/** What came too late goes back once nobody has accepted it in the time that the owner gives for that. */
const LATE: ReadonlySet<string> = new Set([
  'paid_too_late',
  'paid_after_cancelling',
  'out_of_stock',
])

async function giveBack(tx: Tx, ctx: Ctx, arrival: Arrival, reason: string): Promise<void> {
  await returnPart(tx, ctx, arrival, arrival.arrivedMinor, reason)
  const changes = { capturedMinor: capturedFor(arrival) }
  await changeOrder(tx, ctx, arrival.order, changes, { reason, isToTell: true })
}

async function returnTooMuch(
  tx: Tx,
  ctx: Ctx,
  arrival: Arrival,
  surplusMinor: bigint,
): Promise<void> {
  if (surplusMinor > 0n) await returnPart(tx, ctx, arrival, surplusMinor, 'paid_too_much')
}

async function returnPart(
  tx: Tx,
  ctx: Ctx,
  arrival: Arrival,
  amountMinor: bigint,
  reason: string,
): Promise<void> {
  const { order, attempt } = arrival
  const surplus = {
    attemptId: attempt.id,
    provider: attempt.provider,
    currency: currencyOf(arrival),
    amountMinor,
  }
  const hours = LATE.has(reason) ? await readSetting(tx, lateMoneySetting) : 0
  const notBefore = hours === 0 ? null : new Date(ctx.now().getTime() + hours * 3_600_000)
  await returnSurplus(tx, ctx, order.id, surplus, reason, { notBefore })
}

/** The order's time is over: it is paid all the same where its goods can still be had, all of them; if not, the money goes back. */
async function settleLate(tx: Tx, ctx: Ctx, arrival: Arrival, surplusMinor: bigint): Promise<void> {
  const { order, attempt } = arrival
  const changes = { capturedMinor: capturedFor(arrival), hold: 'late' } as const
  const held = await changeOrder(tx, ctx, order, changes, { reason: 'paid_late' })
  if (!(await reserveAgain(tx, ctx, order.id))) {
    await returnPart(tx, ctx, arrival, arrival.arrivedMinor, 'out_of_stock')
    await changeOrder(tx, ctx, held, { hold: null }, { reason: 'out_of_stock', isToTell: true })
    return
  }
  await returnTooMuch(tx, ctx, arrival, surplusMinor)
  await tx
    .updateTable('payment_attempt')
    .set({ is_applied: true })
    .where('id', '=', attempt.id)
    .execute()
  const reopened = { ...held, hold: null, ended: null }
  await settle(tx, ctx, reopened, attempt, capturedFor(arrival), [])
}

/** Reserves the goods of an expired order once more, all or none. */
export async function reserveAgain(tx: Tx, ctx: Ctx, orderId: string): Promise<boolean> {
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
export async function settle(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  attempt: Attempt,
  capturedMinor: bigint,
  before: readonly Posting[],
): Promise<void> {
  const settled = {
    source: 'settle',
    sourceId: order.id,
    debit: HELD,
    currency: order.currency,
  } as const
  const { verdict, isQuiet } = await lookAtKeys(tx, ctx, order)
  const delivery = verdict === 'pass' ? await deliverCards(tx, ctx, order) : NOTHING_YET
  await post(tx, ctx, [
    ...before,
    { ...settled, leg: 0, credit: ORDERS, amountMinor: order.goodsMinor },
    ...movement({ ...settled, leg: 1, credit: FEES, amountMinor: attempt.feeMinor }),
    ...delivery.units.map((unit) =>
      unit.delivery === 'store_credit'
        ? {
            ...deliveredUnit(unit.id, order.currency, unit.priceMinor),
            credit: storeCreditOf(order.accountId),
            shownTo: order.accountId,
          }
        : deliveredUnit(unit.id, order.currency, unit.priceMinor),
    ),
  ])
  if (delivery.units.some((unit) => unit.delivery === 'store_credit'))
    await settleCredit(tx, ctx, {
      accountId: order.accountId,
      currency: order.currency,
      attemptId: attempt.id,
    })
  const paid = await changeOrder(
    tx,
    ctx,
    order,
    {
      capturedMinor,
      feeMinor: attempt.feeMinor,
      settledAt: ctx.now(),
      ended: null,
      hold: verdict === 'pass' ? (delivery.isShort ? 'out_of_stock' : null) : 'risk',
    },
    { reason: 'paid', isToTell: verdict === 'pass' || isQuiet },
  )
  if (verdict !== 'pass')
    await changeOrder(
      tx,
      ctx,
      paid,
      {},
      { reason: 'risk', isToTell: verdict === 'hold' && !isQuiet },
    )
}

/** Keys stay reserved while their order is held. */
const NOTHING_YET: CardDelivery = { units: [], isShort: false }

/** Where the owner wants it, own keys pass the gate before they are shown; store credit is money, and given at once. */
async function lookAtKeys(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
): Promise<{ readonly verdict: 'pass' | 'hold' | 'refuse'; readonly isQuiet: boolean }> {
  const passed = { verdict: 'pass', isQuiet: false } as const
  if (!(await ownKeysAreLookedAt({ ...ctx, db: tx }))) return passed
  const credit = await tx
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', order.id)
    .where('delivery', '=', 'store_credit')
    .executeTakeFirst()
  return credit ? passed : judgeOrder(tx, ctx, order)
}

interface CardDelivery {
  readonly units: readonly DeliveredUnit[]
  /** A card of the order has no key, though one was reserved for it. */
  readonly isShort: boolean
}

/** Hands over the keys that are bound to the order's cards; a card without one is given one first, if there is any. */
async function deliverCards(tx: Tx, ctx: Ctx, order: LockedOrder): Promise<CardDelivery> {
  const { delivered, isShort } = await deliverBound(tx, ctx, order.id)
  if (!isShort || !(await isReserved(tx, ctx, order.id))) return { units: delivered, isShort }
  const rest = await deliverBound(tx, ctx, order.id)
  return { units: [...delivered, ...rest.delivered], isShort: rest.isShort }
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
