import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { getDisputes, lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { askForRefund, planRefund, type PlannedRefund } from '#features/buying/refund/commands.ts'
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
import { transaction, type Tx } from '#platform/ctx.ts'
import { countOpenCases, findCase, listRefundable, lockCase } from '../queries.ts'
import type { ServiceCase } from '../rules.ts'
import { closeCase, released } from './close.ts'

/** What an agreed case gives back, in minor units of the order's currency; or the act that waits for another person. */
export interface AcceptedCase {
  readonly amountMinor: bigint
  readonly waits: Waits
}

/**
 * Agrees to a case: its units are given back as its buyer wished, with the buyer as who asked and the operator as who approved. What is
 * above the limits waits for another person, and the case stays open until then. Throws 'not_found' for an unknown case, 'order_closed'
 * for one that is decided, or whose units cannot be given back any more or whose payment is disputed, 'forbidden' for a dispute, which
 * the payment provider decides.
 * @param seenMinor what its caller was told would go back; where that is another amount by now, 'changed_meanwhile' is thrown
 */
export async function acceptCase(
  ctx: OperatorCtx,
  publicId: string,
  note: string,
  seenMinor: bigint | null = null,
): Promise<AcceptedCase> {
  requirePermission(ctx, 'case.decide')
  return inTurn(ctx, async (tx) => {
    const opened = await lockOpen(tx, publicId)
    const { found, order } = opened
    await refuseDisputed(tx, order)
    if (seenMinor !== null && seenMinor !== (await plannedMinor(tx, opened)))
      throw new AppError('changed_meanwhile')
    // The payer has it back already, by the bank: nothing more is given, and nothing is said that would promise it.
    if (order.status === 'refunded') {
      await closeCase(tx, ctx, found, 'accepted', note)
      await changeOrder(tx, ctx, order, await released(tx, order), {
        reason: 'case_decided',
        details: { decision: 'refund' },
      })
      await noteDecision(tx, ctx, opened, 'accepted')
      return { amountMinor: 0n, waits: null }
    }
    const { amountMinor, currency } = await plan(tx, opened)
    const money = { minor: amountMinor, currency }
    const waits = await askLeave(tx, ctx, {
      kind: 'case',
      subject: publicId,
      accountId: order.accountId,
      orderId: order.id,
      money,
      usdMinor: await readUsdMinor(tx, money),
      details: { note },
    })
    if (waits === null) await giveBack(tx, ctx, opened, note)
    return { amountMinor, waits }
  })
}

/** What agreeing would do: what goes back, where to, and whether somebody else decides. */
export interface Acceptance {
  readonly amountMinor: bigint
  readonly currency: string
  readonly destination: ServiceCase['destination']
  readonly weighed: Weighed
}

/** What `acceptCase` would do; nothing is changed. Throws as it does. */
export async function previewAcceptance(ctx: OperatorCtx, publicId: string): Promise<Acceptance> {
  requirePermission(ctx, 'case.decide')
  return transaction(ctx, async (tx) => {
    const opened = await lockOpen(tx, publicId)
    const { found, order } = opened
    await refuseDisputed(tx, order)
    const isBack = order.status === 'refunded'
    const { amountMinor, currency } = isBack
      ? { amountMinor: 0n, currency: order.currency }
      : await plan(tx, opened).then((planned) => ({
          amountMinor: planned.amountMinor,
          currency: planned.currency,
        }))
    const money = { minor: amountMinor, currency }
    const weighed = await weighAct(tx, ctx, {
      kind: 'case',
      subject: publicId,
      accountId: order.accountId,
      orderId: order.id,
      money,
      usdMinor: await readUsdMinor(tx, money),
    })
    return { amountMinor, currency, destination: found.destination, weighed }
  })
}

/** What approving it does. Throws as `acceptCase` does, and 'changed_meanwhile' where other money would go back than was asked for. */
export async function acceptWaitingCase(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const opened = await lockOpen(tx, act.subject)
  await refuseDisputed(tx, opened.order)
  const { amountMinor } = await plan(tx, opened)
  if (amountMinor !== act.money.minor) throw new AppError('changed_meanwhile')
  await giveBack(tx, ctx, opened, String(act.details['note']))
}

/** The payer might have it back twice: by the shop and by the bank. */
async function refuseDisputed(tx: Tx, order: LockedOrder): Promise<void> {
  if ((await getDisputes(tx, order.id)).isDisputed) throw new AppError('order_closed')
}

async function plan(tx: Tx, { found }: OpenedCase): Promise<PlannedRefund> {
  const unitIds = await listRefundable(tx, found.id)
  if (unitIds.length === 0) throw new AppError('order_closed')
  return planRefund(tx, { orderId: found.orderId, unitIds })
}

async function plannedMinor(tx: Tx, opened: OpenedCase): Promise<bigint> {
  return opened.order.status === 'refunded' ? 0n : (await plan(tx, opened)).amountMinor
}

async function giveBack(tx: Tx, ctx: OperatorCtx, opened: OpenedCase, note: string): Promise<void> {
  const { found } = opened
  const unitIds = await listRefundable(tx, found.id)
  await closeCase(tx, ctx, found, 'accepted', note)
  await askForRefund(tx, ctx, {
    orderId: found.orderId,
    unitIds,
    destination: found.destination,
    reason: found.reason,
    requestedBy: `account:${found.accountId}`,
    approvedBy: ctx.actor,
  })
  const asked = await lockOrderById(tx, found.orderId)
  // Another question about the same order stays one.
  const isOtherOpen = asked.hold === null && (await countOpenCases(tx, asked.id)) > 0
  await changeOrder(tx, ctx, asked, isOtherOpen ? { hold: 'refund_requested' } : {}, {
    reason: 'case_decided',
    details: { decision: 'refund' },
    isToTell: true,
  })
  await noteDecision(tx, ctx, opened, 'accepted')
}

/** Says no to a case; the order goes on where it was. Throws as `acceptCase` does. */
export async function declineCase(ctx: OperatorCtx, publicId: string, note: string): Promise<void> {
  requirePermission(ctx, 'case.decide')
  await transaction(ctx, async (tx) => {
    const opened = await lockOpen(tx, publicId)
    const { found, order } = opened
    await closeCase(tx, ctx, found, 'declined', note)
    await changeOrder(tx, ctx, order, await released(tx, order), {
      reason: 'case_decided',
      details: { decision: 'reject' },
      isToTell: true,
    })
    await noteDecision(tx, ctx, opened, 'declined')
  })
}

/** An open case with its order, both locked. */
export interface OpenedCase {
  readonly found: ServiceCase
  readonly order: LockedOrder
}

/** Throws 'not_found', 'order_closed' for one that is decided, 'forbidden' for a dispute. */
export async function lockOpen(tx: Tx, publicId: string): Promise<OpenedCase> {
  const known = await findCase(tx, publicId)
  if (!known) throw new AppError('not_found')
  const order = await lockOrderById(tx, known.orderId)
  const found = await lockCase(tx, known.id)
  if (found.kind === 'dispute') throw new AppError('forbidden')
  if (found.status !== 'open') throw new AppError('order_closed')
  return { found, order }
}

/** The case is answered by other keys: nothing of it goes back, and its order goes on where it was. */
export async function closeReplaced(
  tx: Tx,
  ctx: OperatorCtx,
  opened: OpenedCase,
  note: string,
): Promise<void> {
  const { found, order } = opened
  await closeCase(tx, ctx, found, 'accepted', note)
  await changeOrder(tx, ctx, order, await released(tx, order), {
    reason: 'case_decided',
    details: { decision: 'replace' },
  })
  await noteDecision(tx, ctx, opened, 'accepted')
}

async function noteDecision(
  tx: Tx,
  ctx: OperatorCtx,
  { found, order }: OpenedCase,
  decision: 'accepted' | 'declined',
): Promise<void> {
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'case_decided',
      subject: 'service_case',
      subjectCode: found.publicId,
      before: { status: found.status },
      after: { status: decision, order: order.number },
    },
  ])
}
