import { previewReplacement } from '#features/buying/fulfilment/commands.ts'
import { lockHandUnit } from '#features/buying/fulfilment/queries.ts'
import { previewAcceptance } from '#features/buying/payment/commands.ts'
import { countHeldMoney, previewRefund } from '#features/buying/refund/commands.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { lockOrderById, readVersion, type LockedOrder } from '#features/buying/order/queries.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { previewCost } from '#features/supply/purchase/commands.ts'
import { weighAct, type Weighed } from '#features/team/approval/commands.ts'
import { MEASURES, type MoneyKind } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission, type LimitedPermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import type { OrderAct } from '../rules.ts'

/** What an act would do, before it is done. */
interface Effect {
  readonly version: string
  /** What goes back, or is given; null where no money is in it. */
  readonly money: Money | null
  /** The method's fee in it. */
  readonly feeMinor: bigint
  readonly to: RefundDestination | 'nowhere' | 'supplier'
  /** Where it was paid from. */
  readonly provider: string | null
  /** Units that it is about, by their public ids. */
  readonly units: readonly string[]
  /** Codes of those units that were handed over, and how many of them somebody has looked at. */
  readonly codes: { readonly delivered: number; readonly seen: number }
  readonly limits: {
    readonly permission: LimitedPermission
    readonly counted: Weighed
  } | null
  readonly needsAnother: boolean
  /** What came, and what of it would pay for the order; null for everything but accepting it. */
  readonly accepted: AcceptedMoney | null
}

/** Amounts in minor units of the order's currency. */
interface AcceptedMoney {
  readonly currency: string
  readonly keptMinor: bigint
  /** Of which payments that is. */
  readonly parts: readonly { readonly provider: string; readonly minor: bigint }[]
  readonly neededMinor: bigint
  readonly shortfallMinor: bigint
  /** What goes back: what is too much, and what other payments have brought. */
  readonly surplusMinor: bigint
  readonly was: 'open' | 'cancelled' | 'expired'
  /** Codes of items that cannot be had now. */
  readonly lacking: readonly string[]
}

interface Wondered {
  /** Number of the order. */
  readonly order: string
  readonly act: OrderAct
  /** Public ids; null for all that are left. */
  readonly units: readonly string[] | null
  readonly destination: RefundDestination
}

/** Tells what an act would do as things are now, and changes nothing. Throws as the act itself does. */
export function readEffect(ctx: OperatorCtx, wondered: Wondered): Promise<Effect> {
  return transaction(ctx, async (tx) => {
    const known = await tx
      .selectFrom('shop_order')
      .select('id')
      .where('number', '=', wondered.order)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found')
    const order = await lockOrderById(tx, known.id)
    const effect = await effectOf(tx, ctx, order, wondered)
    return {
      ...effect,
      version: await readVersion(tx, order.id),
      codes: await countCodes(tx, order.id, effect.units),
    }
  })
}

type Found = Omit<Effect, 'version' | 'codes'>

const NOTHING = {
  money: null,
  feeMinor: 0n,
  to: 'nowhere',
  provider: null,
  units: [],
  limits: null,
  needsAnother: false,
  accepted: null,
} as const satisfies Found

function effectOf(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  wondered: Wondered,
): Promise<Found> | Found {
  switch (wondered.act) {
    case 'refund':
      return refundEffect(tx, ctx, order, wondered.units, wondered.destination)
    case 'refuse':
      return refuseEffect(tx, ctx, order)
    case 'return_money':
      return heldEffect(tx, ctx, order, wondered.destination)
    case 'accept_money':
      return acceptEffect(tx, ctx, order, wondered.destination)
    case 'release':
      return releaseEffect(tx, ctx, order)
    case 'replace':
      return replaceEffect(tx, ctx, wondered.units)
    case 'complete':
      return handEffect(tx, ctx, wondered.units, 'hand_delivery')
    case 'fail':
      return handEffect(tx, ctx, wondered.units, 'unit_failure')
    case 'cancel':
      return cancelEffect(tx, ctx, order)
    case 'supplier':
      return supplierEffect(tx, ctx, order, wondered.units)
    case 'requeue':
      requirePermission(ctx, 'order.deliver')
      return NOTHING
    default:
      return wondered.act satisfies never
  }
}

function weighedAs(kind: MoneyKind, weighed: Weighed): Pick<Found, 'limits' | 'needsAnother'> {
  return {
    limits: { permission: MEASURES[kind].permission, counted: weighed },
    needsAnother: weighed.needsAnother,
  }
}

async function refundEffect(
  tx: Tx,
  ctx: OperatorCtx,
  { number: orderNumber }: LockedOrder,
  units: readonly string[] | null,
  destination: RefundDestination,
): Promise<Found> {
  const refund = await previewRefund(tx, ctx, { orderNumber, units, destination })
  return {
    ...NOTHING,
    money: { minor: refund.amountMinor, currency: refund.currency },
    feeMinor: refund.feeMinor,
    to: destination,
    provider: refund.provider,
    units: refund.units,
    ...weighedAs('refund', refund.weighed),
  }
}

async function refuseEffect(tx: Tx, ctx: OperatorCtx, order: LockedOrder): Promise<Found> {
  requirePermission(ctx, 'order.decide')
  if (order.hold !== 'risk') throw new AppError('order_closed')
  const units = await tx
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', order.id)
    .where('status', 'in', ['queued', 'failed', 'needs_input'])
    .orderBy('id')
    .execute()
  if (units.length === 0) return NOTHING
  const ids = units.map((unit) => unit.public_id)
  return refundEffect(tx, ctx, order, ids, 'original')
}

async function heldEffect(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  to: RefundDestination = 'original',
): Promise<Found> {
  requirePermission(ctx, 'order.decide')
  const { money, usdMinor } = await countHeldMoney(tx, order.id, to)
  const asked = {
    kind: 'held_money',
    subject: order.number,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor,
  } as const
  return {
    ...NOTHING,
    money,
    to,
    ...weighedAs('held_money', await weighAct(tx, ctx, asked)),
  }
}

async function acceptEffect(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  surplusTo: RefundDestination,
): Promise<Found> {
  const { plan, kind, counted, weighed } = await previewAcceptance(tx, ctx, order, surplusTo)
  const units = await tx
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', order.id)
    .where('status', 'in', ['queued', 'released'])
    .orderBy('id')
    .execute()
  const others = plan.others.filter(({ currency }) => currency === order.currency)
  return {
    ...NOTHING,
    money: counted,
    provider: plan.attempt.provider,
    units: units.map((unit) => unit.public_id),
    ...weighedAs(kind, weighed),
    accepted: {
      currency: order.currency,
      keptMinor: plan.keptMinor,
      parts: plan.parts.map(({ payment }) => ({
        provider: payment.provider,
        minor: payment.amountMinor,
      })),
      neededMinor: plan.neededMinor,
      shortfallMinor: plan.shortfallMinor,
      surplusMinor: others.reduce((sum, { amountMinor }) => sum + amountMinor, plan.surplusMinor),
      was: order.ended ?? 'open',
      lacking: plan.lacking,
    },
  }
}

async function releaseEffect(tx: Tx, ctx: OperatorCtx, order: LockedOrder): Promise<Found> {
  requirePermission(ctx, 'order.decide')
  if (order.hold !== 'risk' && order.hold !== 'late') throw new AppError('order_closed')
  const money = { minor: order.totalMinor, currency: order.currency }
  const asked = {
    kind: 'hold_release',
    subject: order.number,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
  } as const
  return { ...NOTHING, money, ...weighedAs('hold_release', await weighAct(tx, ctx, asked)) }
}

function cancelEffect(tx: Tx, ctx: OperatorCtx, order: LockedOrder): Promise<Found> | Found {
  requirePermission(ctx, 'order.decide')
  if (order.hold === 'underpaid' && order.settledAt === null) return heldEffect(tx, ctx, order)
  const isUnpaid = order.status === 'pending_payment' || order.status === 'waiting_for_payment'
  if (!isUnpaid) throw new AppError('order_closed')
  return NOTHING
}

/** What is bought may cost so much. */
async function supplierEffect(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  units: readonly string[] | null,
): Promise<Found> {
  const unit = oneUnit(units)
  return {
    ...NOTHING,
    money: await previewCost(tx, ctx, order, unit),
    to: 'supplier',
    units: [unit],
  }
}

function oneUnit(units: readonly string[] | null): string {
  const [unit, ...others] = units ?? []
  if (unit === undefined || others.length > 0) throw new AppError('not_found')
  return unit
}

async function replaceEffect(
  tx: Tx,
  ctx: OperatorCtx,
  units: readonly string[] | null,
): Promise<Found> {
  const unit = oneUnit(units)
  const { priceMinor: minor, currency, weighed } = await previewReplacement(tx, ctx, unit)
  return {
    ...NOTHING,
    money: { minor, currency },
    units: [unit],
    ...weighedAs('replacement', weighed),
  }
}

async function handEffect(
  tx: Tx,
  ctx: OperatorCtx,
  units: readonly string[] | null,
  kind: 'hand_delivery' | 'unit_failure',
): Promise<Found> {
  requirePermission(ctx, 'order.deliver')
  const { order, unit } = await lockHandUnit(tx, oneUnit(units))
  if (unit.status !== 'delivering' && unit.status !== 'in_doubt') throw new AppError('order_closed')
  const money = { minor: unit.priceMinor, currency: order.currency }
  const weighed = await weighAct(tx, ctx, {
    kind,
    subject: unit.publicId,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
  })
  return {
    ...NOTHING,
    money,
    to: kind === 'unit_failure' ? 'original' : 'nowhere',
    units: [unit.publicId],
    ...weighedAs(kind, weighed),
  }
}

async function countCodes(
  tx: Tx,
  orderId: string,
  units: readonly string[],
): Promise<Effect['codes']> {
  if (units.length === 0) return { delivered: 0, seen: 0 }
  const row = await tx
    .selectFrom('order_unit as u')
    .innerJoin('card_key as k', 'k.unit_id', 'u.id')
    .select(({ fn }) => [
      fn.countAll<string>().as('delivered'),
      fn.count<string>('k.revealed_at').as('seen'),
    ])
    .where('u.order_id', '=', orderId)
    .where('u.public_id', 'in', units)
    .where('k.status', '=', 'delivered')
    .executeTakeFirstOrThrow()
  return { delivered: Number(row.delivered), seen: Number(row.seen) }
}
