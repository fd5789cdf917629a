import { sql } from 'kysely'
import { post } from '#features/base/ledger/commands.ts'
import { deliveredUnit } from '#features/base/ledger/rules.ts'
import {
  changeOrder,
  changeUnits,
  deliverBound,
  reserveStock,
} from '#features/buying/order/commands.ts'
import { mayHandOver } from '#features/buying/gate/commands.ts'
import { getDisputes, lockOrderById } from '#features/buying/order/queries.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import {
  deliveryTimes,
  listExpiredClaims,
  listShortOrders,
  lockHandUnit,
  type ExpiredClaim,
  type ShortOrder,
} from './queries.ts'
import { RESTOCK_HOURS } from './rules.ts'
import { refundUnits } from './write/failed.ts'
import { noteStep } from './write/step.ts'

export {
  claimUnit,
  completeInTurn,
  completeUnit,
  completeWaitingUnit,
  failInTurn,
  failUnit,
  failWaitingUnit,
  handOverUnit,
  releaseHold,
  releaseHoldInTurn,
  releaseUnit,
  releaseWaitingHold,
} from './write/by-operator.ts'
export { endClaimsOf } from './write/end-claims.ts'
export { deliverUnit } from './write/delivered.ts'
export { previewReplacement, replaceKeyInTurn, replaceWaitingKey } from './write/replace.ts'
export { refundFailed, refundUnits } from './write/failed.ts'
export { noteStep } from './write/step.ts'

const MINUTE_MS = 60_000
const A_PAGE = 200

/**
 * Marks what was taken up and not finished in time. Its taker may have delivered it already, so that nobody delivers it anew: it
 * is in doubt until a person says whether it was. @returns how many that were
 */
export async function expireClaims(ctx: Ctx): Promise<number> {
  return sweep<ExpiredClaim>(ctx, {
    what: 'a unit taken up too long ago',
    name: ({ publicId }) => publicId,
    next: (last) => listExpiredClaims(ctx.db, ctx.now(), last, A_PAGE),
    work: ({ publicId }) => expireClaim(ctx, publicId),
  })
}

async function expireClaim(ctx: Ctx, publicId: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status !== 'delivering' || unit.claimedUntil === null || unit.claimedUntil > now)
      return false
    await changeUnits(tx, [unit.id], { status: 'in_doubt' })
    await noteStep(tx, ctx, now, { order, unit, to: 'in_doubt', reason: 'delivery_in_doubt' })
    return true
  })
}

/**
 * Gives paid cards the keys that have come into stock since; what has waited a day is refunded. @returns how many orders are
 * decided
 */
export async function retryShortOrders(ctx: Ctx): Promise<number> {
  return sweep<ShortOrder>(ctx, {
    what: 'an order that waits for stock',
    name: ({ orderId }) => orderId,
    next: (last) => listShortOrders(ctx.db, ctx.now(), last, A_PAGE),
    work: ({ orderId }) => retryShortOrder(ctx, orderId),
  })
}

/** The same for one order, at once. @returns whether it is decided */
export async function retryShortOrder(ctx: Ctx, orderId: string): Promise<boolean> {
  const isOver = await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    if (order.hold !== 'out_of_stock' || order.settledAt === null) return false
    if ((await getDisputes(tx, order.id)).isDisputed) return false
    if (!(await mayHandOver(tx, ctx, order))) return false
    await reserveWhatThereIs(tx, ctx, order.id)
    const { delivered, isShort } = await deliverBound(tx, ctx, order.id)
    await post(
      tx,
      ctx,
      delivered.map(({ id, priceMinor }) => deliveredUnit(id, order.currency, priceMinor)),
    )
    if (!isShort)
      await changeOrder(tx, ctx, order, { hold: null }, { reason: 'restocked', isToTell: true })
    else if (delivered.length > 0)
      await changeOrder(tx, ctx, order, {}, { reason: 'partly_restocked' })
    return isShort
      ? now.getTime() > order.settledAt.getTime() + RESTOCK_HOURS * 60 * MINUTE_MS
      : null
  })
  if (isOver !== true) return isOver === null
  const waiting = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', orderId)
    .where('delivery', '=', 'card_key')
    // What a supplier is to deliver waits for that one.
    .where('to_order', '=', false)
    .where('status', '=', 'queued')
    .execute()
  return refundUnits(
    ctx,
    orderId,
    waiting.map(({ id }) => id),
    'out_of_stock',
  )
}

/** Keys that were bound before the stock ran out stay bound: they are delivered now. */
async function reserveWhatThereIs(tx: Tx, ctx: Ctx, orderId: string): Promise<void> {
  try {
    await reserveStock(tx, ctx, orderId)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'out_of_stock') throw error
  }
}

/** Writes how long deliveries take where that has changed, so that what shoppers see is read anew only then. */
export async function measureDeliveries(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const times = JSON.stringify(await deliveryTimes(tx, now))
    const measured = sql`jsonb_to_recordset(${times}::jsonb) as m (brand text, deliveries integer, "p50Seconds" integer, "p95Seconds" integer)`
    const { rows } = await sql<{ is_same: boolean }>`
      select not exists (select from ${measured} full join delivery_time d on d.brand = m.brand
        where (ceil(d.p50_seconds / 60.0), ceil(d.p95_seconds / 60.0)) is distinct from (ceil(m."p50Seconds" / 60.0), ceil(m."p95Seconds" / 60.0))) as is_same`.execute(
      tx,
    )
    if (rows[0]?.is_same !== false) return
    await sql`delete from delivery_time where brand not in (select brand from ${measured})`.execute(
      tx,
    )
    await sql`insert into delivery_time (brand, deliveries, p50_seconds, p95_seconds) select brand, deliveries, "p50Seconds", "p95Seconds" from ${measured}
      on conflict (brand) do update set deliveries = excluded.deliveries, p50_seconds = excluded.p50_seconds, p95_seconds = excluded.p95_seconds`.execute(
      tx,
    )
  })
}
