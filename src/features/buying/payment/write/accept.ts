import { recordAudit } from '#features/base/audit/commands.ts'
import { HELD, movement, SHORTFALLS } from '#features/base/ledger/rules.ts'
import { bearShortfall, changeOrder } from '#features/buying/order/commands.ts'
import { listShortItems, type LockedOrder } from '#features/buying/order/queries.ts'
import {
  ACCEPTING,
  hasRecallable,
  listKeepable,
  recallReturns,
  returnSurplus,
} from '#features/buying/refund/commands.ts'
import { listReturnable, type Returnable } from '#features/buying/refund/queries.ts'
import { canBeShared, type RefundDestination } from '#features/buying/refund/rules.ts'
import { endActsAbout } from '#features/team/approval/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { stepAt } from '#providers/payment/services.ts'
import type { Attempt } from '../queries.ts'
import { lockAttempt } from '../queries.ts'
import { acceptanceOf } from '../rules.ts'
import { reserveAgain, settle } from './arrived.ts'

/** Money that did not pay for its order, and what accepting it would be. Amounts in minor units of the order's currency. */
export interface Acceptance {
  readonly order: LockedOrder
  readonly attempt: Attempt
  /** The order was over, or the money was on its way back: its whole price is let go late. */
  readonly isLate: boolean
  /** What the payment has brought and can be kept. */
  readonly keptMinor: bigint
  /** What it would pay for: goods and the method's fee. */
  readonly neededMinor: bigint
  /** What the shop bears itself. */
  readonly shortfallMinor: bigint
  /** What is too much, and goes back. */
  readonly surplusMinor: bigint
  /** What other payments of the order have brought, which goes back as well. */
  readonly others: readonly Returnable[]
  /** Goods that cannot be reserved for it now. */
  readonly lacking: readonly string[]
}

/**
 * What accepting an order's money would be: that of the payment which brought most (or of `only`), at the prices of then. Order and payment are locked.
 * Throws 'order_closed' where there is none: the order is paid, all of it is on its way back, or its payer's bank asks for it.
 */
export async function planAcceptance(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  order: LockedOrder,
  only: string | null = null,
): Promise<Acceptance> {
  await requireOpen(tx, order)
  const [most] = (await listKeepable(tx, order.id))
    .filter(({ attemptId }) => only === null || attemptId === only)
    .toSorted((one, other) => (one.amountMinor > other.amountMinor ? -1 : 1))
  if (!most) throw new AppError('order_closed')
  const { attempt } = await lockAttempt(tx, most.attemptId)
  const { amountMinor: neededMinor } = attempt
  const planned = acceptanceOf(most.amountMinor, neededMinor)
  if (planned.shortfallMinor > 0n) await requireShareable(tx, order.id, attempt, most.amountMinor)
  return {
    order,
    attempt,
    isLate: order.ended !== null || (await hasRecallable(tx, attempt.id)),
    keptMinor: most.amountMinor,
    neededMinor,
    ...planned,
    others: (await listReturnable(tx, order.id)).filter(
      ({ attemptId }) => attemptId !== attempt.id,
    ),
    lacking: await listShortItems(tx, order.id, ctx.now()),
  }
}

/** Throws 'order_closed' for an order that cannot be paid any more: it is paid, everything went back, a bank asks for its money, or nobody is there to get its goods. */
export async function requireOpen(tx: Tx, order: LockedOrder): Promise<void> {
  const isBack = order.capturedMinor > 0n && order.capturedMinor === order.refundedMinor
  const buyer = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', order.accountId)
    .where('status', 'in', ['active', 'frozen'])
    .executeTakeFirst()
  const disputed = await tx
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .where('is_disputed', '=', true)
    .executeTakeFirst()
  if (order.settledAt !== null || isBack || !buyer || disputed) throw new AppError('order_closed')
}

/** Throws 'order_closed' where less cannot be taken for the whole: store credit is money, and each unit must be worth something if it is given back. */
async function requireShareable(
  tx: Tx,
  orderId: string,
  { provider, currency }: Pick<Attempt, 'provider' | 'currency'>,
  keptMinor: bigint,
): Promise<void> {
  const units = await tx
    .selectFrom('order_unit')
    .select(['delivery', 'price_minor'])
    .where('order_id', '=', orderId)
    .execute()
  const prices = units.map(({ price_minor: price }) => BigInt(price))
  const givesCredit = units.some(({ delivery }) => delivery === 'store_credit')
  if (givesCredit || !canBeShared(keptMinor, prices, stepAt(provider, currency)))
    throw new AppError('order_closed')
}

/** What an act about it is bound to: where any of it is otherwise by the time it is approved, nothing is done. */
export const effectOf = ({
  attempt,
  keptMinor,
  shortfallMinor,
  surplusMinor,
  others,
}: Acceptance): string =>
  [
    attempt.publicId,
    keptMinor,
    shortfallMinor,
    surplusMinor,
    ...others.map((other) => `${other.attemptId} ${other.amountMinor}`),
  ].join(' ')

/**
 * The order is paid by what came for it: its goods are reserved, what lacks of the price is the shop's own cost, what is too much goes
 * back, and it is delivered. Throws 'out_of_stock' where its goods cannot all be had; then nothing is done.
 */
export async function acceptPlanned(
  tx: Tx,
  ctx: Ctx,
  plan: Acceptance,
  surplusTo: RefundDestination,
): Promise<void> {
  const { order, attempt, shortfallMinor } = plan
  await recallReturns(tx, ctx, attempt.id)
  // An order that was over is one that holds money, before it is paid.
  const held = await changeOrder(
    tx,
    ctx,
    order,
    { hold: order.hold ?? 'late' },
    { reason: 'money_accepted', details: { shortfall_minor: shortfallMinor.toString() } },
  )
  if (!(await reserveAgain(tx, ctx, order.id))) throw new AppError('out_of_stock')
  await giveBackRest(tx, ctx, plan, surplusTo)
  await tx
    .updateTable('payment_attempt')
    .set({ is_applied: true })
    .where('id', '=', attempt.id)
    .execute()
  await writeDown(tx, ctx, plan)
  if (shortfallMinor > 0n) await bearShortfall(tx, order.id, shortfallMinor)
  const reopened = { ...held, hold: null, ended: null }
  await settle(
    tx,
    ctx,
    reopened,
    attempt,
    order.capturedMinor,
    movement({
      source: 'shortfall',
      sourceId: order.id,
      debit: SHORTFALLS,
      credit: HELD,
      currency: order.currency,
      amountMinor: shortfallMinor,
    }),
  )
  for (const kind of ['held_money', ...ACCEPTING] as const)
    await endActsAbout(tx, ctx, kind, order.number)
}

async function giveBackRest(
  tx: Tx,
  ctx: Ctx,
  { order, attempt, surplusMinor, others }: Acceptance,
  destination: RefundDestination,
): Promise<void> {
  const { id: attemptId, provider } = attempt
  const { currency } = order
  if (surplusMinor > 0n) {
    const surplus = { attemptId, provider, currency, amountMinor: surplusMinor }
    await returnSurplus(tx, ctx, order.id, surplus, 'paid_too_much', { destination })
  }
  for (const other of others) {
    // Credit is of the order's currency, as the order's money is.
    const to = other.currency === currency ? destination : 'original'
    await returnSurplus(tx, ctx, order.id, other, 'paid_twice', { destination: to })
  }
}

async function writeDown(tx: Tx, ctx: Ctx, plan: Acceptance): Promise<void> {
  const { order, attempt, shortfallMinor } = plan
  const now = ctx.now()
  const was = order.ended ?? 'open'
  const made = await tx
    .insertInto('accepted_payment')
    .values({
      order_id: order.id,
      attempt_id: attempt.id,
      was,
      currency: order.currency,
      shortfall_minor: shortfallMinor,
      accepted_by: ctx.actor,
      accepted_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) throw new AppError('order_closed')
  await recordAudit(tx, ctx, now, [
    {
      action: 'money_accepted',
      subject: 'shop_order',
      subjectCode: order.number,
      before: { was, hold: order.hold },
      after: {
        payment: attempt.publicId,
        kept_minor: plan.keptMinor.toString(),
        needed_minor: plan.neededMinor.toString(),
        shortfall_minor: shortfallMinor.toString(),
        surplus_minor: plan.surplusMinor.toString(),
        currency: order.currency,
      },
    },
  ])
}
