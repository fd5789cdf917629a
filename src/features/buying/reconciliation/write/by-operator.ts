import { recordAudit } from '#features/base/audit/commands.ts'
import { lockAttempt } from '#features/buying/payment/queries.ts'
import { recordReversal } from '#features/buying/refund/commands.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { DifferenceKind } from '../queries.ts'

/**
 * Books a refund that was made by hand at the provider: as money that was taken back, with what that means for goods not delivered yet
 * and for store credit. Throws 'not_found', 'order_closed' for a difference that is seen to, or none of refunds, and
 * 'changed_meanwhile' where the provider tells of another sum than the one that was seen.
 * @returns the act that waits for another person; null where it is booked
 */
export async function bookDifference(
  ctx: OperatorCtx,
  publicId: string,
  seenMinor: bigint | null = null,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const { attemptId } = await getOpen(tx, publicId)
    // A comparison that brings it up to date holds the payment.
    await lockAttempt(tx, attemptId)
    const { toldMinor } = await getOpen(tx, publicId)
    if (seenMinor !== null && seenMinor !== toldMinor) throw new AppError('changed_meanwhile')
    const waits = await askAbout(tx, ctx, 'difference_book', publicId, {})
    if (waits === null) await book(tx, ctx, publicId)
    return waits
  })
}

/** What approving it does. Throws as `bookDifference` does, and 'changed_meanwhile' where it is another difference by now. */
export async function bookWaitingDifference(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireSame(tx, act)
  await book(tx, ctx, act.subject)
}

/** Notes what was done about a difference. Throws and returns as `bookDifference` does. */
export async function closeDifference(
  ctx: OperatorCtx,
  publicId: string,
  note: string,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const waits = await askAbout(tx, ctx, 'difference_close', publicId, { note })
    if (waits === null) await close(tx, ctx, publicId, 'seen_to', note)
    return waits
  })
}

/** What approving it does. Throws as `bookWaitingDifference` does. */
export async function closeWaitingDifference(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireSame(tx, act)
  await close(tx, ctx, act.subject, 'seen_to', String(act.details['note']))
}

async function askAbout(
  tx: Turn,
  ctx: OperatorCtx,
  kind: 'difference_book' | 'difference_close',
  publicId: string,
  details: Act['details'],
): Promise<Waits> {
  const open = await getOpen(tx, publicId)
  if (kind === 'difference_book' && open.kind !== 'refunded_elsewhere')
    throw new AppError('order_closed')
  const { order } = await lockAttempt(tx, open.attemptId)
  const money = moneyOf(open)
  return askLeave(tx, ctx, {
    kind,
    subject: publicId,
    accountId: order.accountId,
    orderId: order.id,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details,
  })
}

const moneyOf = ({ moreMinor, currency }: OpenDifference) => ({
  minor: moreMinor < 0n ? -moreMinor : moreMinor,
  currency,
})

/** What a comparison has brought up to date is not what somebody asked about. */
async function requireSame(tx: Tx, { subject, money }: Act): Promise<void> {
  const { minor, currency } = moneyOf(await getOpen(tx, subject))
  if (minor !== money.minor || currency !== money.currency) throw new AppError('changed_meanwhile')
}

async function book(tx: Tx, ctx: Ctx, publicId: string): Promise<void> {
  const { attemptId, kind, moreMinor } = await getOpen(tx, publicId)
  if (kind !== 'refunded_elsewhere') throw new AppError('order_closed')
  const { order, attempt } = await lockAttempt(tx, attemptId)
  await close(tx, ctx, publicId, 'booked', '')
  const { provider, reversedMinor: knownMinor } = attempt
  const minor = knownMinor + moreMinor
  await recordReversal(tx, ctx, order, {
    attemptId,
    provider,
    currency: attempt.capturedCurrency ?? attempt.currency,
    knownMinor,
    reversedMinor: minor < attempt.capturedMinor ? minor : attempt.capturedMinor,
  })
}

interface OpenDifference {
  readonly attemptId: string
  readonly kind: DifferenceKind
  readonly currency: string
  readonly toldMinor: bigint
  readonly moreMinor: bigint
}

async function getOpen(tx: Tx, publicId: string): Promise<OpenDifference> {
  const row = await tx
    .selectFrom('payment_difference')
    .select(['attempt_id', 'kind', 'currency', 'told_minor', 'known_minor', 'outcome'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (row.outcome !== null) throw new AppError('order_closed')
  return {
    attemptId: row.attempt_id,
    kind: row.kind,
    currency: row.currency,
    toldMinor: BigInt(row.told_minor),
    moreMinor: BigInt(row.told_minor) - BigInt(row.known_minor),
  }
}

async function close(
  tx: Tx,
  ctx: Ctx,
  publicId: string,
  outcome: 'booked' | 'seen_to',
  note: string,
): Promise<void> {
  const closed = await tx
    .updateTable('payment_difference')
    .set({ outcome, note, closed_at: ctx.now(), closed_by: ctx.actor })
    .where('public_id', '=', publicId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (closed.numUpdatedRows === 0n) throw new AppError('order_closed')
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'difference_closed',
      subject: 'payment_difference',
      subjectCode: publicId,
      before: null,
      after: { outcome, note },
    },
  ])
}
