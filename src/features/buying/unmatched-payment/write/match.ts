import { recordAudit } from '#features/base/audit/commands.ts'
import {
  acceptPlanned,
  inOrder,
  planAcceptance,
  requireOpen,
  requireShareable,
  takeUnmatched,
} from '#features/buying/payment/commands.ts'
import { isAttempt } from '#features/buying/payment/queries.ts'
import { acceptanceOf, partsOf } from '#features/buying/payment/rules.ts'
import { lockSeen } from '#features/buying/order/commands.ts'
import {
  getOrderByNumber,
  listShortItems,
  lockOrderById,
  readVersion,
  type LockedOrder,
} from '#features/buying/order/queries.ts'
import { listKeepable } from '#features/buying/refund/commands.ts'
import { listReturnable } from '#features/buying/refund/queries.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import {
  askLeave,
  endActsAbout,
  inTurn,
  noteGiven,
  noteWaiting,
  weighAct,
  type AskedAct,
  type Turn,
  type Waits,
  type Weighed,
} from '#features/team/approval/commands.ts'
import { isAboveRole, type Act } from '#features/team/approval/rules.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { isBeingReturned, lockUnmatched, type UnmatchedPayment } from '../queries.ts'
import { confirmationOf } from '../rules.ts'

/** What taking an unmatched payment for an order would do, as things are now. Amounts in minor units of both. */
interface Match {
  readonly order: LockedOrder
  readonly unmatched: UnmatchedPayment
  readonly currency: string
  readonly askedMinor: bigint
  /** What it brings together with other payments that the order holds, where it is too little alone. */
  readonly broughtMinor: bigint
  /** What the order still waits for then: it is not paid. */
  readonly missingMinor: bigint
  /** What goes back: too much of this money, and what other payments of the order have brought. */
  readonly surplusMinor: bigint
  /** Goods that cannot be reserved for it now. */
  readonly lacking: readonly string[]
  /** Its payment service knows it by the name of a payment that this shop had: disputes of it are followed. */
  readonly isOurs: boolean
}

export interface MatchPreview extends Match {
  readonly version: string
  readonly weighed: Weighed
}

/** Tells what a match would do, and changes nothing. Throws as `matchUnmatched` does. */
export function previewMatch(
  ctx: OperatorCtx,
  publicId: string,
  orderNumber: string,
  /** What its payment service said just before. */
  confirmed: string,
): Promise<MatchPreview> {
  requirePermission(ctx, 'payment.note')
  return transaction(ctx, async (tx) => {
    const order = await lockOrderById(tx, (await getOrderByNumber(tx, orderNumber)).id)
    const match = await plan(tx, ctx, publicId, order)
    requireConfirmed(match, confirmed)
    const { amount: money } = match.unmatched
    const weighed = await weighAct(tx, ctx, {
      kind: 'stray_match',
      subject: publicId,
      accountId: order.accountId,
      orderId: order.id,
      money,
      usdMinor: await readUsdMinor(tx, money),
    })
    return { ...match, version: await readVersion(tx, order.id), weighed }
  })
}

export interface AskedMatch {
  readonly id: string
  readonly orderNumber: string
  /** What the order was at, as the effect was told. */
  readonly version: string
  readonly surplusTo: RefundDestination
}

/**
 * Takes money that no order knew for an order: it is paid by it, opened again where it was over, or waits for the rest. Throws 'not_found',
 * 'changed_meanwhile' where something has happened to the order since, or other money was confirmed, 'order_closed' for an order that is paid or a payment that was seen
 * to or is being given back, 'forbidden' for who may not give store credit for what is too much, 'out_of_stock' where its goods cannot all be had, and a fault of the order for one in another currency.
 * @returns the act that waits for another person; null where it is done
 */
export async function matchUnmatched(
  ctx: OperatorCtx,
  { id, orderNumber, version, surplusTo }: AskedMatch,
  /** What its payment service said just before. */
  confirmed: string,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const own = await stillActing(tx, ctx)
    requirePermission(own, 'payment.note')
    const order = await lockSeen(tx, orderNumber, version)
    const match = await plan(tx, own, id, order)
    requireConfirmed(match, confirmed)
    if (match.lacking.length > 0) throw new AppError('out_of_stock')
    const waits = await askToMatch(tx, own, match, surplusTo)
    if (waits === null) await take(tx, own, match, surplusTo)
    return waits
  })
}

/** What approving it does. Throws as `matchUnmatched` does, and 'changed_meanwhile' where it would do other things than was asked for. */
export async function matchWaitingUnmatched(
  tx: Turn,
  ctx: OperatorCtx,
  act: Act,
  /** What `confirmMatch` gave for it. */
  confirmed: string | null,
): Promise<void> {
  const { order: orderNumber, effect, to } = act.details
  const order = await lockOrderById(tx, (await getOrderByNumber(tx, String(orderNumber))).id)
  const match = await plan(tx, ctx, act.subject, order)
  requireConfirmed(match, confirmed)
  if (effectOf(match) !== effect) throw new AppError('changed_meanwhile')
  const surplusTo = to === 'store_credit' ? 'store_credit' : 'original'
  const credit = await creditOf(tx, match, surplusTo)
  if (credit) {
    requirePermission(ctx, 'order.refund')
    const { minor, counted } = await weighAct(tx, ctx, credit)
    if (isAboveRole(ctx.operator, { kind: credit.kind, minor }, counted))
      throw new AppError('forbidden', { limit: 'order.refund', role: ctx.operator.role })
    await noteGiven(tx, ctx, credit)
  }
  await take(tx, ctx, match, surplusTo)
}

/** The money is noted; what of it becomes store credit is given as well, by whoever may give it. Throws 'forbidden' for who may not. */
async function askToMatch(
  tx: Turn,
  ctx: OperatorCtx,
  match: Match,
  surplusTo: RefundDestination,
): Promise<Waits> {
  const { order, unmatched } = match
  const asked: AskedAct & { readonly kind: 'stray_match' } = {
    kind: 'stray_match',
    subject: unmatched.publicId,
    accountId: order.accountId,
    orderId: order.id,
    money: unmatched.amount,
    usdMinor: await readUsdMinor(tx, unmatched.amount),
    details: { order: order.number, effect: effectOf(match), to: surplusTo },
  }
  const credit = await creditOf(tx, match, surplusTo)
  if (!credit) return askLeave(tx, ctx, asked)
  requirePermission(ctx, 'order.refund')
  if ((await weighAct(tx, ctx, credit)).needsAnother) return noteWaiting(tx, ctx, asked)
  const waits = await askLeave(tx, ctx, asked)
  if (waits === null) await noteGiven(tx, ctx, credit)
  return waits
}

/** What a match gives as store credit, as giving back money that did not pay counts; null for nothing. */
async function creditOf(
  tx: Tx,
  { order, unmatched, surplusMinor }: Match,
  surplusTo: RefundDestination,
): Promise<(AskedAct & { readonly kind: 'held_money' }) | null> {
  if (surplusTo !== 'store_credit' || surplusMinor === 0n) return null
  const money = { minor: surplusMinor, currency: order.currency }
  return {
    kind: 'held_money',
    subject: order.number,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: { unmatched: unmatched.publicId, to: surplusTo },
  }
}

function requireConfirmed({ unmatched }: Match, confirmed: string | null): void {
  if (confirmed !== confirmationOf(unmatched)) throw new AppError('changed_meanwhile')
}

const effectOf = ({ order, broughtMinor, missingMinor, surplusMinor }: Match): string =>
  `${order.number} ${order.ended ?? 'open'} ${missingMinor} ${surplusMinor} ${broughtMinor}`

async function plan(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  order: LockedOrder,
): Promise<Match> {
  const unmatched = await lockUnmatched(tx, publicId)
  const { minor, currency } = unmatched.amount
  if (unmatched.outcome !== null || (await isBeingReturned(tx, publicId)))
    throw new AppError('order_closed')
  if (currency !== order.currency) throw fieldError('order', 'not_allowed')
  await requireOpen(tx, order)
  const isOurs = await isLost(tx, unmatched)
  // Whoever paid under a name of ours had agreed to it; of any other money nobody knows that.
  if (order.waivedAt === null && !isOurs) throw new AppError('order_closed')
  // What other payments brought is added where this one is too little alone.
  const found = { attemptId: publicId, provider: unmatched.provider, currency, amountMinor: minor }
  const keepable = await listKeepable(tx, order.id)
  const taken = partsOf(inOrder([found, ...keepable], publicId), order.totalMinor).map(
    ({ payment }) => payment,
  )
  const broughtMinor = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const { shortfallMinor: missingMinor, surplusMinor } = acceptanceOf(
    broughtMinor,
    order.totalMinor,
  )
  if (missingMinor === 0n && taken.length > 1) await requireShareable(tx, order.id, taken, null)
  const held = missingMinor > 0n ? [] : await listReturnable(tx, order.id)
  const others = held.filter(
    (other) =>
      other.currency === currency && !taken.some(({ attemptId }) => attemptId === other.attemptId),
  )
  return {
    order,
    unmatched,
    currency,
    askedMinor: order.totalMinor,
    broughtMinor,
    missingMinor,
    surplusMinor: others.reduce((sum, { amountMinor }) => sum + amountMinor, surplusMinor),
    lacking: missingMinor > 0n ? [] : await listShortItems(tx, order.id, ctx.now()),
    isOurs,
  }
}

/** Whether the name that its payment service knows it by was given by this shop to a payment that is gone. */
const isLost = async (tx: Tx, { ourReference }: UnmatchedPayment): Promise<boolean> =>
  isUuid(ourReference) && !(await isAttempt(tx, ourReference))

async function take(
  tx: Turn,
  ctx: OperatorCtx,
  match: Match,
  surplusTo: RefundDestination,
): Promise<void> {
  const { order, unmatched, isOurs } = match
  const { held, attemptId } = await takeUnmatched(tx, ctx, order, {
    id: isOurs ? unmatched.ourReference : ctx.newId(),
    provider: unmatched.provider,
    reference: unmatched.reference,
    amountMinor: unmatched.amount.minor,
    isOurs,
    isEnough: match.missingMinor === 0n,
  })
  await close(tx, ctx, match, attemptId)
  if (match.missingMinor > 0n) return
  const planned = await planAcceptance(tx, ctx, held, attemptId)
  await acceptPlanned(tx, ctx, planned, surplusTo)
}

async function close(
  tx: Tx,
  ctx: OperatorCtx,
  { order, unmatched, missingMinor, surplusMinor }: Match,
  attemptId: string,
): Promise<void> {
  const now = ctx.now()
  const closed = await tx
    .updateTable('stray_payment')
    .set({
      outcome: 'matched',
      note: order.number,
      attempt_id: attemptId,
      closed_at: now,
      closed_by: ctx.actor,
    })
    .where('id', '=', unmatched.id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (closed.numUpdatedRows === 0n) throw new AppError('order_closed')
  for (const kind of ['stray_close', 'stray_return', 'stray_match'] as const)
    await endActsAbout(tx, ctx, kind, unmatched.publicId)
  await recordAudit(tx, ctx, now, [
    {
      action: 'stray_matched',
      subject: 'stray_payment',
      subjectCode: unmatched.publicId,
      before: { order: order.status, ended: order.ended },
      after: {
        order: order.number,
        provider: unmatched.provider,
        reference: unmatched.reference,
        amount_minor: unmatched.amount.minor.toString(),
        currency: unmatched.amount.currency,
        missing_minor: missingMinor.toString(),
        surplus_minor: surplusMinor.toString(),
      },
    },
  ])
}
