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
import { acceptanceOf, partsOf, type Part } from '../rules.ts'
import { reserveAgain, settle } from './arrived.ts'

/** Money that did not pay for its order, and what accepting it would be. Amounts in minor units of the order's currency. */
export interface Acceptance {
  readonly order: LockedOrder
  /** The one of its payments that counts as the order's own. */
  readonly attempt: Attempt
  /** What each of its payments gives: that one first, and others where it is too little alone. */
  readonly parts: readonly Part<Returnable>[]
  /** The order was over, or the money was on its way back: its whole price is let go late. */
  readonly isLate: boolean
  /** What these payments have brought and can be kept. */
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
 * What accepting an order's money would be, at the prices of then: that of the payment which brought most (or of `first`), and of others
 * where that is not enough, all in one. Order and payments are locked.
 * Throws 'order_closed' where there is none: the order is paid, all of it is on its way back, or its payer's bank asks for it.
 */
export async function planAcceptance(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  order: LockedOrder,
  first: string | null = null,
): Promise<Acceptance> {
  await requireOpen(tx, order)
  const keepable = inOrder(await listKeepable(tx, order.id), first)
  const [most] = keepable
  if (!most) throw new AppError('order_closed')
  const { attempt } = await lockAttempt(tx, most.attemptId)
  const { amountMinor: neededMinor } = attempt
  const parts = partsOf(keepable, neededMinor)
  const taken = parts.map(({ payment }) => payment)
  const keptMinor = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const planned = acceptanceOf(keptMinor, neededMinor)
  if (planned.shortfallMinor > 0n || taken.length > 1)
    await requireShareable(tx, order.id, taken, planned.shortfallMinor === 0n ? null : keptMinor)
  return {
    order,
    attempt,
    parts,
    isLate: order.ended !== null || (await isOnItsWayBack(tx, taken)),
    keptMinor,
    neededMinor,
    ...planned,
    others: (await listReturnable(tx, order.id)).filter(
      ({ attemptId }) => !taken.some((part) => part.attemptId === attemptId),
    ),
    lacking: await listShortItems(tx, order.id, ctx.now()),
  }
}

/** Payments of an order as they are taken for it: `first`, and then what brought most. */
export const inOrder = (payments: readonly Returnable[], first: string | null): Returnable[] =>
  payments.toSorted((one, other) => {
    if (one.attemptId === first || other.attemptId === first)
      return one.attemptId === first ? -1 : 1
    return one.amountMinor > other.amountMinor ? -1 : 1
  })

async function isOnItsWayBack(tx: Tx, payments: readonly Returnable[]): Promise<boolean> {
  for (const { attemptId } of payments) if (await hasRecallable(tx, attemptId)) return true
  return false
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

/**
 * Throws 'order_closed' where less cannot be taken for the whole, or several payments for one: store credit is money, and follows its one payment;
 * and each unit must be worth something if it is given back.
 */
export async function requireShareable(
  tx: Tx,
  orderId: string,
  payments: readonly Returnable[],
  /** What less than the whole is; null for the whole. */
  keptMinor: bigint | null,
): Promise<void> {
  const units = await tx
    .selectFrom('order_unit')
    .select(['delivery', 'price_minor'])
    .where('order_id', '=', orderId)
    .execute()
  const prices = units.map(({ price_minor: price }) => BigInt(price))
  const givesCredit = units.some(({ delivery }) => delivery === 'store_credit')
  const step = largestStep(payments)
  if (givesCredit || (keptMinor !== null && !canBeShared(keptMinor, prices, step)))
    throw new AppError('order_closed')
}

/** All that is given back through several services is a multiple of it. */
const largestStep = (payments: readonly Pick<Returnable, 'provider' | 'currency'>[]): bigint =>
  payments
    .map(({ provider, currency }) => stepAt(provider, currency))
    .reduce((largest, step) => (step > largest ? step : largest), 1n)

/** What an act about it is bound to: where any of it is otherwise by the time it is approved, nothing is done. */
export const effectOf = ({
  attempt,
  parts,
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
    ...parts.slice(1).map((part) => `${part.payment.attemptId}+${part.takenMinor}`),
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
  const { order, attempt, parts, shortfallMinor } = plan
  for (const { payment } of parts) await recallReturns(tx, ctx, payment.attemptId)
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
  { order, parts, others }: Acceptance,
  destination: RefundDestination,
): Promise<void> {
  const { currency } = order
  for (const { payment, takenMinor } of parts) {
    const surplus = { ...payment, amountMinor: payment.amountMinor - takenMinor }
    if (surplus.amountMinor > 0n)
      await returnSurplus(tx, ctx, order.id, surplus, 'paid_too_much', { destination })
  }
  for (const other of others) {
    // Credit is of the order's currency, as the order's money is.
    const to = other.currency === currency ? destination : 'original'
    await returnSurplus(tx, ctx, order.id, other, 'paid_twice', { destination: to })
  }
}

async function writeDown(tx: Tx, ctx: Ctx, plan: Acceptance): Promise<void> {
  const { order, attempt, parts, shortfallMinor } = plan
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
  const others = parts.slice(1)
  if (others.length > 0)
    await tx
      .insertInto('accepted_part')
      .values(
        others.map(({ payment, takenMinor }) => ({
          attempt_id: payment.attemptId,
          order_id: order.id,
          amount_minor: takenMinor,
        })),
      )
      .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'money_accepted',
      subject: 'shop_order',
      subjectCode: order.number,
      before: { was, hold: order.hold },
      after: {
        payment: attempt.publicId,
        payments: parts.length,
        kept_minor: plan.keptMinor.toString(),
        needed_minor: plan.neededMinor.toString(),
        shortfall_minor: shortfallMinor.toString(),
        surplus_minor: plan.surplusMinor.toString(),
        currency: order.currency,
      },
    },
  ])
}
