import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import {
  askLeave,
  decideAct,
  inTurn,
  noteWaiting,
  weighAct,
  type Turn,
  type Waits,
  type Weighed,
} from '#features/team/approval/commands.ts'
import { findAbout } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { getRefundId, listRefundedUnits, listShares, listUnitIds, lockRefund } from '../queries.ts'
import type { RefundDestination } from '../rules.ts'
import { type AskedRefund, askForRefund, planRefund, SYSTEM } from './request.ts'

export interface OperatorRefund {
  readonly orderNumber: string
  /** Public ids; null for all units that are left. */
  readonly units: readonly string[] | null
  readonly destination: RefundDestination
  readonly reason: string
}

export interface OperatorAsked extends AskedRefund {
  readonly currency: string
  readonly needsApproval: boolean
  readonly waits: Waits
}

/**
 * An operator gives units back. Within the limits a rule approves it; what is more another person must, and until then the units are
 * kept back. Throws 'not_found' for an order or unit that is not there, and as `requestRefund` does.
 */
export async function refundByOperator(
  ctx: OperatorCtx,
  asked: OperatorRefund,
): Promise<OperatorAsked> {
  return inTurn(ctx, (tx) => refundInTurn(tx, ctx, asked))
}

/** Ids of the units that are meant; null for all that are left. Throws 'not_found' for one of another order. */
async function unitIdsOf(
  tx: Tx,
  orderId: string,
  units: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (units === null) return null
  const ids = await listUnitIds(tx, orderId, units)
  if (ids.length !== units.length) throw new AppError('not_found')
  return ids
}

interface RefundPreview {
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly restMinor: bigint
  readonly currency: string
  readonly provider: string
  /** Public ids. */
  readonly units: readonly string[]
  readonly weighed: Weighed
}

/** What `refundByOperator` would do; nothing is changed. Throws as it does. */
export async function previewRefund(
  tx: Tx,
  ctx: OperatorCtx,
  asked: Omit<OperatorRefund, 'reason'>,
): Promise<RefundPreview> {
  requirePermission(ctx, 'order.refund')
  const { id: orderId } = await getOrderByNumber(tx, asked.orderNumber)
  const planned = await planRefund(tx, {
    orderId,
    unitIds: await unitIdsOf(tx, orderId, asked.units),
  })
  const { order, currency, shares, amountMinor, feeMinor, restMinor } = planned
  const money = { minor: amountMinor, currency }
  const weighed = await weighAct(tx, ctx, {
    kind: 'refund',
    subject: '',
    accountId: order.accountId,
    orderId,
    money,
    usdMinor: await readUsdMinor(tx, money),
  })
  const units = planned.units.map(({ publicId }) => publicId)
  const provider = [...new Set(shares.map((share) => share.provider))].join(', ')
  return { amountMinor, feeMinor, restMinor, currency, provider, units, weighed }
}

/** `refundByOperator` as part of a call that is answered with it. */
export async function refundInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  asked: OperatorRefund,
): Promise<OperatorAsked> {
  requirePermission(ctx, 'order.refund')
  const now = ctx.now()
  const order = await getOrderByNumber(tx, asked.orderNumber)
  const unitIds = await unitIdsOf(tx, order.id, asked.units)
  const { refundId, publicId, amountMinor } = await askForRefund(tx, ctx, {
    orderId: order.id,
    unitIds,
    destination: asked.destination,
    reason: asked.reason,
    requestedBy: ctx.actor,
    approvedBy: null,
  })
  const money = { minor: amountMinor, currency: order.currency }
  const waits = await askLeave(tx, ctx, {
    kind: 'refund',
    subject: publicId,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: {},
  })
  if (waits === null)
    await tx
      .updateTable('refund')
      .set({ approved_by: SYSTEM, check_at: now })
      .where('id', 'in', await listShares(tx, refundId))
      .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'refund_asked',
      subject: 'refund',
      subjectCode: publicId,
      before: null,
      after: {
        amount_minor: amountMinor.toString(),
        currency: order.currency,
        reason: asked.reason,
      },
    },
  ])
  return {
    refundId,
    publicId,
    amountMinor,
    currency: order.currency,
    needsApproval: waits !== null,
    waits,
  }
}

/**
 * Another person than the one who asked approves a refund; said again it changes nothing. Throws 'not_found', 'order_closed' for one
 * that is decided, and as `decideAct` does.
 */
export async function approveRefund(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.refund')
  await decideRefund(ctx, publicId, 'approved', '')
}

/** Another person says no to a refund, or whoever asked takes it back: its units are again what they were. Throws as `approveRefund` does. */
export async function refuseRefund(
  ctx: OperatorCtx,
  publicId: string,
  reason: string,
): Promise<void> {
  requirePermission(ctx, 'order.refund')
  await decideRefund(ctx, publicId, 'refused', reason)
}

async function decideRefund(
  ctx: OperatorCtx,
  publicId: string,
  decision: 'approved' | 'refused',
  reason: string,
): Promise<void> {
  await inTurn(ctx, async (tx) => {
    const known = await findAbout(tx, 'refund', publicId)
    const waits = known?.publicId ?? (await noteAsked(tx, ctx, publicId))
    const { act, isNew } = await decideAct(tx, ctx, waits, decision, reason)
    if (!isNew) return
    if (decision === 'approved') await approveWaitingRefund(tx, ctx, act)
    else await rejectWaitingRefund(tx, ctx, act)
  })
}

/** A refund that a release before asked for and that waits has no act yet. */
async function noteAsked(tx: Turn, ctx: OperatorCtx, publicId: string): Promise<string> {
  const { order, refund } = await lockRefund(tx, await getRefundId(tx, publicId))
  const { requested_by: askedBy } = await tx
    .selectFrom('refund')
    .select('requested_by')
    .where('id', '=', refund.id)
    .executeTakeFirstOrThrow()
  if (refund.status !== 'requested' || refund.isApproved) throw new AppError('order_closed')
  const money = { minor: refund.amountMinor, currency: refund.currency }
  return noteWaiting(
    tx,
    { ...ctx, actor: askedBy },
    {
      kind: 'refund',
      subject: publicId,
      accountId: order.accountId,
      orderId: order.id,
      money,
      usdMinor: await readUsdMinor(tx, money),
      details: {},
    },
  )
}

/** What approving it does; `decideAct` has decided that it may. */
export async function approveWaitingRefund(
  tx: Turn,
  ctx: OperatorCtx,
  { subject }: Pick<Act, 'subject'>,
): Promise<void> {
  const { refund } = await lockWaiting(tx, subject)
  const now = ctx.now()
  await tx
    .updateTable('refund')
    .set({ approved_by: ctx.actor, check_at: now, updated_at: now })
    .where('id', 'in', await listShares(tx, refund.id))
    .where('status', '=', 'requested')
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'refund_approved',
      subject: 'refund',
      subjectCode: subject,
      before: null,
      after: { approved_by: ctx.actor },
    },
  ])
}

/** What refusing it does. Keys that were let go of are looked for anew, as for every order that waits for stock. */
export async function rejectWaitingRefund(
  tx: Turn,
  ctx: OperatorCtx,
  { subject }: Pick<Act, 'subject'>,
): Promise<void> {
  const { order, refund } = await lockWaiting(tx, subject)
  const now = ctx.now()
  const units = await listRefundedUnits(tx, refund.id)
  const ids = (isDelivered: boolean) =>
    units.filter(({ wasDelivered }) => wasDelivered === isDelivered).map(({ id }) => id)
  await tx
    .updateTable('refund')
    .set({ status: 'rejected', updated_at: now })
    .where('id', 'in', await listShares(tx, refund.id))
    .where('status', '=', 'requested')
    .execute()
  await changeUnits(tx, ids(true), { status: 'delivered' }, 'refund_due')
  const queued = await changeUnits(tx, ids(false), { status: 'queued' }, 'refund_due')
  const isShort = queued.some(({ delivery }) => delivery === 'card_key')
  await changeOrder(tx, ctx, order, isShort ? { hold: order.hold ?? 'out_of_stock' } : {}, {
    reason: 'refund_rejected',
    details: { amount_minor: refund.amountMinor.toString() },
  })
  await recordAudit(tx, ctx, now, [
    {
      action: 'refund_rejected',
      subject: 'refund',
      subjectCode: subject,
      before: null,
      after: { rejected_by: ctx.actor },
    },
  ])
}

async function lockWaiting(tx: Turn, publicId: string) {
  const locked = await lockRefund(tx, await getRefundId(tx, publicId))
  if (locked.refund.status !== 'requested' || locked.refund.isApproved)
    throw new AppError('order_closed')
  return locked
}
