import { recordAudit } from '#features/base/audit/commands.ts'
import { holdAfterRisk, mayDeliver, noteLetGo } from '#features/buying/gate/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import {
  getOrderByNumber,
  lockOrderById,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import { findWaiting } from '#features/team/approval/queries.ts'
import type { Act, ActKind } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { findColleague } from '#features/team/operator/queries.ts'
import { mayDo, requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import {
  findHandUnit,
  hasSupplier,
  lockHandUnit,
  nextHandUnit,
  type LockedUnit,
} from '../queries.ts'
import { CLAIM_MINUTES, FAILURES, type FulfilmentFailure, type HandUnit } from '../rules.ts'
import { deliverUnit } from './delivered.ts'
import { refundFailed } from './failed.ts'
import { noteStep } from './step.ts'

const UNCLAIMED = { claimed_by: null, claimed_until: null } as const
const MINUTE_MS = 60_000

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
  const claimed = await transaction(ctx, async (tx, now) => {
    const wanted = publicId ?? (await nextHandUnit(tx))
    if (wanted === null) return null
    const { order, unit } = await lockHandUnit(tx, wanted)
    if (unit.status === 'delivering') {
      if (unit.claimedBy !== ctx.operator.name) throw new AppError('conflict')
    } else {
      const isOwed = unit.status === 'queued' && order.settledAt !== null && order.hold === null
      if (!isOwed || (await hasSupplier(tx, unit.id))) throw new AppError('order_closed')
      if (!(await mayDeliver(tx, ctx, order))) return 'held'
      await changeUnits(tx, [unit.id], {
        status: 'delivering',
        claimed_by: ctx.operator.name,
        claimed_until: new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS),
      })
      await noteStep(tx, ctx, now, { order, unit, to: 'delivering', reason: 'delivery_started' })
    }
    return findHandUnit(tx, unit.id)
  })
  if (claimed !== 'held') return claimed
  // From now on its order waits for a decision; whoever asked for any unit gets the next.
  if (publicId !== null) throw new AppError('order_closed')
  return claimUnit(ctx, null)
}

/** Puts a unit back that its taker has done nothing about. Throws 'conflict' when it is somebody else's, 'order_closed' when it is not taken. */
export async function releaseUnit(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status === 'queued') return
    refuseOthers(unit, ctx.operator.name)
    await refuseWaiting(tx, ctx, publicId, ['hand_delivery', 'unit_failure'])
    if (unit.status !== 'delivering') throw new AppError('order_closed')
    // No machine goes back: the attempt has failed, and the unit waits anew.
    await changeUnits(tx, [unit.id], { status: 'failed', ...UNCLAIMED })
    await changeUnits(tx, [unit.id], { status: 'queued' })
    await noteStep(tx, ctx, now, { order, unit, to: 'queued', reason: 'delivery_released' })
  })
}

/**
 * Hands a unit that one has taken up to a colleague, who has it from now on for as long as if they had taken it themselves. Throws
 * 'conflict' when it is somebody else's, 'order_closed' when it is not taken, 'check_fields' for a colleague who is none or may not deliver.
 */
export async function handOverUnit(
  ctx: OperatorCtx,
  publicId: string,
  colleague: string,
): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await transaction(ctx, async (tx, now) => {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status === 'delivering' && unit.claimedBy === colleague) return
    refuseOthers(unit, ctx.operator.name)
    await refuseWaiting(tx, ctx, publicId, ['hand_delivery', 'unit_failure'])
    if (unit.status !== 'delivering') throw new AppError('order_closed')
    const taker = await findColleague(tx, colleague)
    if (!taker?.isActive || !mayDo(taker, 'order.deliver')) throw fieldError('to', 'not_allowed')
    await changeUnits(tx, [unit.id], {
      status: 'delivering',
      claimed_by: colleague,
      claimed_until: new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS),
    })
    await noteStep(tx, ctx, now, { order, unit, to: 'delivering', reason: 'delivery_handed_over' })
  })
}

/**
 * A unit has been delivered by hand, with what shows it. Said again with the same proof it is the same delivery. Throws
 * 'conflict' for another proof or somebody else's unit, 'order_closed' when it is not under way or a decision about its order is open.
 * @returns the act that waits for another person; null where it is delivered
 */
export async function completeUnit(
  ctx: OperatorCtx,
  publicId: string,
  proof: string,
): Promise<Waits> {
  return inTurn(ctx, (tx) => completeInTurn(tx, ctx, publicId, proof))
}

/** `completeUnit` as part of a call that is answered with it. */
export async function completeInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  publicId: string,
  proof: string,
): Promise<Waits> {
  requirePermission(ctx, 'order.deliver')
  const { order, unit } = await lockHandUnit(tx, publicId)
  if (unit.status === 'delivered') {
    if (unit.proof !== proof) throw new AppError('conflict')
    return null
  }
  refuseOthers(unit, ctx.operator.name)
  await refuseWaiting(tx, ctx, publicId, ['unit_failure'])
  if (!(await isToComplete(tx, order, unit))) throw new AppError('order_closed')
  const waits = await askLeave(tx, ctx, {
    kind: 'hand_delivery',
    ...(await aboutUnit(tx, order, unit)),
    details: { proof },
  })
  if (waits === null) await deliverUnit(tx, ctx, ctx.now(), { order, unit, proof })
  return waits
}

/** What approving it does. Throws 'order_closed' for what is delivered, given back or held meanwhile. */
export async function completeWaitingUnit(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { order, unit } = await lockHandUnit(tx, act.subject)
  const proof = act.details['proof']
  if (typeof proof !== 'string' || !(await isToComplete(tx, order, unit)))
    throw new AppError('order_closed')
  await deliverUnit(tx, ctx, ctx.now(), { order, unit, proof })
}

async function isToComplete(tx: Tx, order: LockedOrder, unit: LockedUnit): Promise<boolean> {
  const isUnderWay = unit.status === 'delivering' || unit.status === 'in_doubt'
  return isUnderWay && order.hold === null && !(await hasSupplier(tx, unit.id))
}

/** What somebody asked to be done with a unit is decided before anything else is done with it. Throws 'conflict'. */
async function refuseWaiting(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  kinds: readonly ActKind[],
): Promise<void> {
  for (const kind of kinds)
    if (await findWaiting(tx, kind, publicId, ctx.now())) throw new AppError('conflict')
}

/** What an act about a unit is counted by: its price, to its buyer. */
async function aboutUnit(tx: Tx, order: LockedOrder, unit: LockedUnit) {
  const money = { minor: unit.priceMinor, currency: order.currency }
  return {
    subject: unit.publicId,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
  }
}

/**
 * A unit could not be delivered by hand: its price goes back to where it was paid from, and the buyer hears of both. Said again
 * it changes nothing. Throws 'conflict' for somebody else's unit, 'order_closed' when it is not under way.
 * @returns the act that waits for another person; null where the price goes back
 */
export async function failUnit(
  ctx: OperatorCtx,
  publicId: string,
  failure: FulfilmentFailure,
): Promise<Waits> {
  const waits = await inTurn(ctx, (tx) => failInTurn(tx, ctx, publicId, failure))
  if (waits === null) await refundFailed(ctx)
  return waits
}

/** `failUnit` as part of a call that is answered with it; the price goes back with the next sweep. */
export async function failInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  publicId: string,
  failure: FulfilmentFailure,
): Promise<Waits> {
  requirePermission(ctx, 'order.deliver')
  const { order, unit } = await lockHandUnit(tx, publicId)
  if (isOver(unit)) return null
  refuseOthers(unit, ctx.operator.name)
  await refuseWaiting(tx, ctx, publicId, ['hand_delivery'])
  const isUnderWay = unit.status === 'delivering' || unit.status === 'in_doubt'
  if (!isUnderWay || (await hasSupplier(tx, unit.id))) throw new AppError('order_closed')
  const asked = await askLeave(tx, ctx, {
    kind: 'unit_failure',
    ...(await aboutUnit(tx, order, unit)),
    details: { failure },
  })
  if (asked === null) await fail(tx, ctx, { order, unit, failure })
  return asked
}

/** What approving it does; the price goes back with the next sweep. Throws 'order_closed' for what is delivered meanwhile. */
export async function failWaitingUnit(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { order, unit } = await lockHandUnit(tx, act.subject)
  const failure = FAILURES.find((known) => known === act.details['failure'])
  const isUnderWay = unit.status === 'delivering' || unit.status === 'in_doubt'
  if (!failure || !isUnderWay || (await hasSupplier(tx, unit.id)))
    throw new AppError('order_closed')
  await fail(tx, ctx, { order, unit, failure })
}

const isOver = ({ status }: LockedUnit) =>
  status === 'failed' || status === 'refund_due' || status === 'refunded'

async function fail(
  tx: Tx,
  ctx: Ctx,
  {
    order,
    unit,
    failure,
  }: {
    readonly order: LockedOrder
    readonly unit: LockedUnit
    readonly failure: FulfilmentFailure
  },
): Promise<void> {
  await changeUnits(tx, [unit.id], { status: 'failed', ...UNCLAIMED })
  await noteStep(tx, ctx, ctx.now(), {
    order,
    unit,
    to: 'failed',
    reason: 'unit_failed',
    details: { line: unit.line, units: 1, failure, amount_minor: unit.priceMinor.toString() },
    isToTell: true,
  })
}

/**
 * Lets an order go on that was held for a closer look. Throws 'order_closed' for one that is held for something else, which decides itself.
 * @returns the act that waits for another person; null where it goes on
 */
export async function releaseHold(ctx: OperatorCtx, orderNumber: string): Promise<Waits> {
  return inTurn(ctx, (tx) => releaseHoldInTurn(tx, ctx, orderNumber))
}

/** `releaseHold` as part of a call that is answered with it. */
export async function releaseHoldInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  orderNumber: string,
): Promise<Waits> {
  requirePermission(ctx, 'order.decide')
  const order = await lockLookedAt(tx, orderNumber)
  const money = { minor: order.totalMinor, currency: order.currency }
  const waits = await askLeave(tx, ctx, {
    kind: 'hold_release',
    subject: orderNumber,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: {},
  })
  if (waits === null) await release(tx, ctx, order)
  return waits
}

/** What approving it does. Throws as `releaseHold` does. */
export async function releaseWaitingHold(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await release(tx, ctx, await lockLookedAt(tx, act.subject))
}

async function lockLookedAt(tx: Tx, orderNumber: string): Promise<LockedOrder> {
  const order = await lockOrderById(tx, (await getOrderByNumber(tx, orderNumber)).id)
  if (order.hold !== 'risk' && order.hold !== 'late') throw new AppError('order_closed')
  return order
}

async function release(tx: Tx, ctx: Ctx, order: LockedOrder): Promise<void> {
  if (order.hold === 'risk') await noteLetGo(tx, ctx, order.id)
  const hold = await holdAfterRisk(tx, order)
  await changeOrder(tx, ctx, order, { hold }, { reason: 'hold_released' })
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'hold_released',
      subject: 'shop_order',
      subjectCode: order.number,
      before: { hold: order.hold },
      after: { hold },
    },
  ])
}

function refuseOthers(unit: LockedUnit, operator: string): void {
  // What is in doubt anybody may settle: whoever took it up may be gone.
  if (unit.status === 'delivering' && unit.claimedBy !== operator) throw new AppError('conflict')
}
