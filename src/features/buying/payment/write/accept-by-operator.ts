import {
  getOrderByNumber,
  lockOrderById,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { releaseReturns } from '#features/buying/refund/commands.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import {
  inTurn,
  noteGiven,
  noteWaiting,
  weighAct,
  type Turn,
  type Waits,
  type Weighed,
} from '#features/team/approval/commands.ts'
import { isAboveRole, MEASURES, type Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import { acceptPlanned, effectOf, planAcceptance, type Acceptance } from './accept.ts'

interface Measure {
  readonly kind: 'late_accept' | 'short_accept'
  readonly money: Money
}

/**
 * What of an acceptance counts: what is lacking, and what becomes store credit, is given; where nothing is lacking, or the money was late,
 * the whole price is noted. What is given comes first.
 */
function measuresOf(plan: Acceptance, surplusTo: RefundDestination): Measure[] {
  const { currency } = plan.order
  const givenMinor = plan.shortfallMinor + (surplusTo === 'store_credit' ? creditOf(plan) : 0n)
  const given = { kind: 'short_accept', money: { minor: givenMinor, currency } } as const
  const noted = { kind: 'late_accept', money: { minor: plan.neededMinor, currency } } as const
  return [
    ...(givenMinor > 0n ? [given] : []),
    ...(plan.isLate || plan.shortfallMinor === 0n ? [noted] : []),
  ]
}

/** What would become store credit of what is left: credit is of the order's currency. */
const creditOf = ({ order, surplusMinor, others }: Acceptance): bigint =>
  others
    .filter(({ currency }) => currency === order.currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, surplusMinor)

interface WeighedMeasure extends Measure {
  readonly asked: Pick<Act, 'subject' | 'accountId' | 'orderId' | 'money' | 'usdMinor'> & {
    readonly kind: Measure['kind']
  }
  readonly weighed: Weighed
}

/** All that an acceptance counts, the one that is shown or waits first: that which needs another person, where one does. */
async function weighAll(
  tx: Tx,
  ctx: OperatorCtx,
  plan: Acceptance,
  surplusTo: RefundDestination,
): Promise<readonly [WeighedMeasure, ...WeighedMeasure[]]> {
  const all: WeighedMeasure[] = []
  const { number: subject, accountId, id: orderId } = plan.order
  for (const { kind, money } of measuresOf(plan, surplusTo)) {
    const usdMinor = await readUsdMinor(tx, money)
    const asked = { kind, subject, accountId, orderId, money, usdMinor }
    all.push({ kind, money, asked, weighed: await weighAct(tx, ctx, asked) })
  }
  const [first, ...others] = all.toSorted(
    (one, other) => Number(other.weighed.needsAnother) - Number(one.weighed.needsAnother),
  )
  return [present(first, 'what an acceptance counts'), ...others]
}

interface AcceptancePreview {
  readonly plan: Acceptance
  readonly kind: 'late_accept' | 'short_accept'
  readonly counted: Money
  readonly weighed: Weighed
}

/** What `acceptInTurn` would do; nothing is changed. Throws as it does. */
export async function previewAcceptance(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  surplusTo: RefundDestination,
): Promise<AcceptancePreview> {
  const plan = await planned(tx, ctx, order, surplusTo)
  const [{ kind, money: counted, weighed }] = await weighAll(tx, ctx, plan, surplusTo)
  return { plan, kind, counted, weighed }
}

async function planned(
  tx: Tx,
  ctx: OperatorCtx,
  order: LockedOrder,
  surplusTo: RefundDestination,
): Promise<Acceptance> {
  requirePermission(ctx, 'order.decide')
  const plan = await planAcceptance(tx, ctx, order)
  requireAll(ctx, measuresOf(plan, surplusTo))
  return plan
}

/** Throws 'forbidden' for who may not do all that is counted. */
function requireAll(ctx: OperatorCtx, measures: readonly Measure[]): void {
  for (const { kind } of measures) requirePermission(ctx, MEASURES[kind].permission)
}

/**
 * An operator takes what came for an order as its payment: late, too little, or both. What lacks counts as given by them, and so does what
 * is left and becomes store credit. Throws 'order_closed' and 'out_of_stock' as `planAcceptance` and `acceptPlanned` do, 'forbidden' for who may not give that.
 * @returns the act that waits for another person, which keeps the money here meanwhile; null where the order is paid
 */
export async function acceptInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  order: LockedOrder,
  surplusTo: RefundDestination,
): Promise<Waits> {
  const plan = await planned(tx, ctx, order, surplusTo)
  if (plan.lacking.length > 0) throw new AppError('out_of_stock')
  const all = await weighAll(tx, ctx, plan, surplusTo)
  const details = { effect: effectOf(plan), to: surplusTo }
  const [{ asked, weighed }] = all
  if (weighed.needsAnother) return noteWaiting(tx, ctx, { ...asked, details })
  for (const each of all) await noteGiven(tx, ctx, { ...each.asked, details })
  await acceptPlanned(tx, ctx, plan, surplusTo)
  return null
}

/** `acceptInTurn` of an order by its number. Throws 'not_found' as well. */
export async function acceptMoneyByOperator(
  ctx: OperatorCtx,
  orderNumber: string,
  surplusTo: RefundDestination,
): Promise<Waits> {
  return inTurn(ctx, async (tx) => {
    const { id } = await getOrderByNumber(tx, orderNumber)
    return acceptInTurn(tx, ctx, await lockOrderById(tx, id), surplusTo)
  })
}

/**
 * What approving it does: whoever approves answers for all that it counts. Throws as `acceptInTurn` does, 'changed_meanwhile' where other
 * money would be accepted than was asked for, and 'forbidden' for who may not give or note so much.
 */
export async function acceptWaitingMoney(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const order = await lockOrderById(tx, (await getOrderByNumber(tx, act.subject)).id)
  const plan = await planAcceptance(tx, ctx, order)
  if (effectOf(plan) !== act.details['effect']) throw new AppError('changed_meanwhile')
  const surplusTo = act.details['to'] === 'store_credit' ? 'store_credit' : 'original'
  // The act itself is weighed with its approval.
  for (const { kind, asked, weighed } of await weighAll(tx, ctx, plan, surplusTo)) {
    if (kind === act.kind) continue
    const { permission } = MEASURES[kind]
    requirePermission(ctx, permission)
    if (isAboveRole(ctx.operator, { kind, minor: weighed.minor }, weighed.counted))
      throw new AppError('forbidden', { limit: permission, role: ctx.operator.role })
    await noteGiven(tx, ctx, { ...asked, details: act.details })
  }
  await acceptPlanned(tx, ctx, plan, surplusTo)
}

/** What refusing it does: the money goes where it was going. */
export async function leaveWaitingMoney(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await releaseReturns(tx, ctx, (await getOrderByNumber(tx, act.subject)).id)
}
