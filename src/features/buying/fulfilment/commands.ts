import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { deliveredUnit } from '#features/base/ledger/rules.ts'
import {
  changeOrder,
  changeUnits,
  deliverBound,
  reserveStock,
} from '#features/buying/order/commands.ts'
import {
  getDisputes,
  getOrderByNumber,
  lockOrderById,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { assert, present } from '#kernel/assert.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import {
  deliveryTimes,
  findHandUnit,
  listExpiredClaims,
  listFailedUnits,
  listShortOrders,
  lockHandUnit,
  nextHandUnit,
  type ExpiredClaim,
  type FailedUnits,
  type LockedUnit,
  type ShortOrder,
} from './queries.ts'
import { CLAIM_MINUTES, RESTOCK_HOURS, type FulfilmentFailure, type HandUnit } from './rules.ts'

const UNCLAIMED = { claimed_by: null, claimed_until: null } as const
const MINUTE_MS = 60_000
const A_PAGE = 200
/** A rule of the shop asks for the refund, and has approved it. */
const SYSTEM = { requestedBy: 'system', approvedBy: 'system' } as const

/**
 * Takes a unit up to be delivered by hand: that one, or the one that has waited longest. For half an hour it is the operator's
 * alone; taking it again gives it again. Null when nothing waits. Throws 'not_found', 'conflict' when somebody else has it,
 * 'order_closed' when it is not to be delivered (now).
 */
export async function claimUnit(
  ctx: OperatorCtx,
  publicId: string | null,
): Promise<HandUnit | null> {
  requirePermission(ctx, 'order.deliver')
  return transaction(ctx, async (tx, now) => {
    const wanted = publicId ?? (await nextHandUnit(tx))
    if (wanted === null) return null
    const { order, unit } = await lockHandUnit(tx, wanted)
    if (unit.status === 'delivering') {
      if (unit.claimedBy !== ctx.operator.name) throw new AppError('conflict')
    } else {
      if (unit.status !== 'queued' || order.settledAt === null || order.hold !== null)
        throw new AppError('order_closed')
      await changeUnits(tx, [unit.id], {
        status: 'delivering',
        claimed_by: ctx.operator.name,
        claimed_until: new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS),
      })
      await noteStep(tx, ctx, now, { order, unit, to: 'delivering', reason: 'delivery_started' })
    }
    return findHandUnit(tx, unit.id)
  })
}

/** Puts a unit back that its taker has done nothing about. Throws 'conflict' when it is somebody else's, 'order_closed' when it is not taken. */
export async function releaseUnit(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status === 'queued') return
    refuseOthers(unit, ctx.operator.name)
    if (unit.status !== 'delivering') throw new AppError('order_closed')
    // No machine goes back: the attempt has failed, and the unit waits anew.
    await changeUnits(tx, [unit.id], { status: 'failed', ...UNCLAIMED })
    await changeUnits(tx, [unit.id], { status: 'queued' })
    await noteStep(tx, ctx, now, { order, unit, to: 'queued', reason: 'delivery_released' })
  })
}

/**
 * A unit has been delivered by hand, with what shows it. Said again with the same proof it is the same delivery. Throws
 * 'conflict' for another proof or somebody else's unit, 'order_closed' when it is not under way or a decision about its order is open.
 */
export async function completeUnit(
  ctx: OperatorCtx,
  publicId: string,
  proof: string,
): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status === 'delivered') {
      if (unit.proof !== proof) throw new AppError('conflict')
      return
    }
    refuseOthers(unit, ctx.operator.name)
    if ((unit.status !== 'delivering' && unit.status !== 'in_doubt') || order.hold !== null)
      throw new AppError('order_closed')
    await changeUnits(tx, [unit.id], {
      status: 'delivered',
      delivered_at: now,
      proof,
      ...UNCLAIMED,
    })
    await post(tx, ctx, [deliveredUnit(unit.id, order.currency, unit.priceMinor)])
    const units = await countDelivered(tx, order.id, unit.line)
    await noteStep(tx, ctx, now, {
      order,
      unit,
      to: 'delivered',
      reason: 'delivered',
      details: { line: unit.line, ...(units === null ? {} : { units }) },
      isToTell: units !== null,
    })
  })
}

/**
 * A unit could not be delivered by hand: its price goes back to where it was paid from, and the buyer hears of both. Said again
 * it changes nothing. Throws 'conflict' for somebody else's unit, 'order_closed' when it is not under way.
 */
export async function failUnit(
  ctx: OperatorCtx,
  publicId: string,
  failure: FulfilmentFailure,
): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status === 'failed' || unit.status === 'refund_due' || unit.status === 'refunded')
      return
    refuseOthers(unit, ctx.operator.name)
    if (unit.status !== 'delivering' && unit.status !== 'in_doubt')
      throw new AppError('order_closed')
    await changeUnits(tx, [unit.id], { status: 'failed', ...UNCLAIMED })
    await noteStep(tx, ctx, now, {
      order,
      unit,
      to: 'failed',
      reason: 'unit_failed',
      details: { line: unit.line, units: 1, failure, amount_minor: unit.priceMinor.toString() },
      isToTell: true,
    })
  })
  await refundFailed(ctx)
}

/** Asks for the price of failed units back. What a crash has cut off here the next run finds. @returns how many orders that were */
export async function refundFailed(ctx: Ctx): Promise<number> {
  return sweep<FailedUnits>(ctx, {
    what: 'units that failed',
    name: ({ orderId }) => orderId,
    next: (last) => listFailedUnits(ctx.db, last, A_PAGE),
    work: ({ orderId, unitIds }) => refundUnits(ctx, orderId, unitIds, 'not_delivered'),
  })
}

/** False where somebody else has done it meanwhile. */
async function refundUnits(
  ctx: Ctx,
  orderId: string,
  unitIds: readonly string[],
  reason: string,
): Promise<boolean> {
  try {
    await requestRefund(ctx, { orderId, unitIds, destination: 'original', reason, ...SYSTEM })
    return true
  } catch (error) {
    if (isAppError(error) && error.code === 'order_closed') return false
    throw error
  }
}

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

async function retryShortOrder(ctx: Ctx, orderId: string): Promise<boolean> {
  const isOver = await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    if (order.hold !== 'out_of_stock' || order.settledAt === null) return false
    if ((await getDisputes(tx, order.id)).isDisputed) return false
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

/** Lets an order go on that was held for a closer look. Throws 'order_closed' for one that is held for something else, which decides itself. */
export async function releaseHold(ctx: OperatorCtx, orderNumber: string): Promise<void> {
  requirePermission(ctx, 'order.decide')
  await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, (await getOrderByNumber(tx, orderNumber)).id)
    if (order.hold !== 'risk' && order.hold !== 'late') throw new AppError('order_closed')
    await changeOrder(tx, ctx, order, { hold: null }, { reason: 'hold_released' })
    await recordAudit(tx, ctx, now, [
      {
        action: 'hold_released',
        subject: 'shop_order',
        subjectCode: order.number,
        before: { hold: order.hold },
        after: { hold: null },
      },
    ])
  })
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

function refuseOthers(unit: LockedUnit, operator: string): void {
  // What is in doubt anybody may settle: whoever took it up may be gone.
  if (unit.status === 'delivering' && unit.claimedBy !== operator) throw new AppError('conflict')
}

/** Units delivered of a line once none of it is left to be; null before, as one word about a line is enough. */
async function countDelivered(tx: Tx, orderId: string, line: number): Promise<number | null> {
  const { rows } = await sql<{ left: number; delivered: number }>`
    select count(*) filter (where u.status in ('queued', 'delivering', 'in_doubt'))::integer as left, count(*) filter (where u.status = 'delivered')::integer as delivered
    from order_unit u join order_line l on l.id = u.line_id where u.order_id = ${orderId} and l.position = ${line}`.execute(
    tx,
  )
  const { left, delivered } = present(rows[0], 'a line has units')
  assert(delivered > 0, 'a unit has just been delivered')
  return left === 0 ? delivered : null
}

interface Step {
  readonly order: LockedOrder
  readonly unit: LockedUnit
  readonly to: string
  readonly reason: string
  readonly details?: Readonly<Record<string, string | number>>
  readonly isToTell?: boolean
}

async function noteStep(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  { order, unit, to, reason, details = { line: unit.line }, isToTell = false }: Step,
): Promise<void> {
  await changeOrder(tx, ctx, order, {}, { reason, details, isToTell })
  await recordAudit(tx, ctx, now, [
    {
      action: reason,
      subject: 'order_unit',
      subjectCode: unit.publicId,
      before: { status: unit.status },
      after: { status: to },
    },
  ])
}
