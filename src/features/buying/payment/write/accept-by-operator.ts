import {
  getOrderByNumber,
  lockOrderById,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { releaseReturns } from '#features/buying/refund/commands.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import {
  askLeave,
  inTurn,
  weighAct,
  type Turn,
  type Waits,
  type Weighed,
} from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import { acceptPlanned, effectOf, planAcceptance, type Acceptance } from './accept.ts'

/** What of an acceptance counts: what is lacking is given, and where nothing is, all of it is noted. */
function measured({ order, neededMinor, shortfallMinor }: Acceptance): {
  readonly kind: 'late_accept' | 'short_accept'
  readonly money: Money
} {
  const { currency } = order
  return shortfallMinor > 0n
    ? { kind: 'short_accept', money: { minor: shortfallMinor, currency } }
    : { kind: 'late_accept', money: { minor: neededMinor, currency } }
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
): Promise<AcceptancePreview> {
  const plan = await planned(tx, ctx, order)
  const { kind, money: counted } = measured(plan)
  const weighed = await weighAct(tx, ctx, {
    kind,
    subject: order.number,
    accountId: order.accountId,
    orderId: order.id,
    money: counted,
    usdMinor: await readUsdMinor(tx, counted),
  })
  return { plan, kind, counted, weighed }
}

async function planned(tx: Tx, ctx: OperatorCtx, order: LockedOrder): Promise<Acceptance> {
  requirePermission(ctx, 'order.decide')
  const plan = await planAcceptance(tx, ctx, order)
  if (plan.shortfallMinor > 0n) requirePermission(ctx, 'order.refund')
  return plan
}

/**
 * An operator takes what came for an order as its payment: late, too little, or both. What lacks counts as given by them. Throws
 * 'order_closed' and 'out_of_stock' as `planAcceptance` and `acceptPlanned` do, 'forbidden' for who may not give what lacks.
 * @returns the act that waits for another person, which keeps the money here meanwhile; null where the order is paid
 */
export async function acceptInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  order: LockedOrder,
  surplusTo: RefundDestination,
): Promise<Waits> {
  const plan = await planned(tx, ctx, order)
  if (plan.lacking.length > 0) throw new AppError('out_of_stock')
  const { kind, money } = measured(plan)
  const waits = await askLeave(tx, ctx, {
    kind,
    subject: order.number,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: { effect: effectOf(plan), to: surplusTo },
  })
  if (waits === null) await acceptPlanned(tx, ctx, plan, surplusTo)
  return waits
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

/** What approving it does. Throws as `acceptInTurn` does, and 'changed_meanwhile' where other money would be accepted than was asked for. */
export async function acceptWaitingMoney(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const order = await lockOrderById(tx, (await getOrderByNumber(tx, act.subject)).id)
  const plan = await planAcceptance(tx, ctx, order)
  if (effectOf(plan) !== act.details['effect']) throw new AppError('changed_meanwhile')
  await acceptPlanned(
    tx,
    ctx,
    plan,
    act.details['to'] === 'store_credit' ? 'store_credit' : 'original',
  )
}

/** What refusing it does: the money goes where it was going. */
export async function leaveWaitingMoney(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await releaseReturns(tx, ctx, (await getOrderByNumber(tx, act.subject)).id)
}
