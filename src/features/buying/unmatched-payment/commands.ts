import { recordAudit } from '#features/base/audit/commands.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import { findAbout } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { getUnmatched, lockUnmatched } from './queries.ts'

export {
  matchUnmatched,
  matchWaitingUnmatched,
  previewMatch,
  type AskedMatch,
  type MatchPreview,
} from './write/match.ts'

/** Notes money that belongs to no payment known here; one that was noted before stays as it is. @returns false for such, and where nothing is left of it */
export async function recordUnmatched(
  ctx: Ctx,
  provider: string,
  { reference, ourReference, captured, reversed, refundedMinor }: ProviderPayment,
): Promise<boolean> {
  const left = (captured?.minor ?? 0n) - (reversed?.minor ?? 0n) - (refundedMinor ?? 0n)
  if (!captured || left <= 0n) return false
  const noted = await ctx.db
    .insertInto('stray_payment')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      provider,
      provider_reference: reference,
      our_reference: ourReference,
      currency: captured.currency,
      amount_minor: left,
      found_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_reference']).doNothing())
    .executeTakeFirst()
  return noted.numInsertedOrUpdatedRows === 1n
}

/**
 * Notes what was done about it elsewhere. Throws 'not_found', and 'order_closed' for one that was seen to already.
 * @returns the act that waits for another person; null where it is noted
 */
export async function closeUnmatched(
  ctx: OperatorCtx,
  publicId: string,
  note: string,
): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const waits = await askAbout(tx, ctx, 'stray_close', publicId, { note })
    if (waits === null) await close(tx, ctx, publicId, 'seen_to', note)
    return waits
  })
}

/** What approving it does. Throws as `closeUnmatched` does. */
export async function closeWaitingUnmatched(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await close(tx, ctx, act.subject, 'seen_to', String(act.details['note']))
}

/**
 * Whether an operator may have a payment given back at its provider now; what was begun or approved once may be tried again.
 * Throws as `closeUnmatched` does. @returns the act that waits for another person; null where it may be given back
 */
export async function askToReturn(ctx: OperatorCtx, publicId: string): Promise<Waits> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const known = await findAbout(tx, 'stray_return', publicId)
    const { outcome } = await lockUnmatched(tx, publicId)
    if (outcome === 'matched') throw new AppError('order_closed')
    if (known?.status === 'given' || known?.status === 'approved') return null
    return askAbout(tx, ctx, 'stray_return', publicId, {})
  })
}

/** It was given back at its provider, as was decided before. Throws as `closeUnmatched` does. */
export async function closeReturned(ctx: Ctx, publicId: string, reference: string): Promise<void> {
  await transaction(ctx, (tx) => close(tx, ctx, publicId, 'returned', reference))
}

async function askAbout(
  tx: Turn,
  ctx: OperatorCtx,
  kind: 'stray_close' | 'stray_return',
  publicId: string,
  details: Act['details'],
): Promise<Waits> {
  const unmatched = await lockUnmatched(tx, publicId)
  if (unmatched.outcome !== null) throw new AppError('order_closed')
  return askLeave(tx, ctx, {
    kind,
    subject: publicId,
    accountId: null,
    orderId: null,
    money: unmatched.amount,
    usdMinor: await readUsdMinor(tx, unmatched.amount),
    details,
  })
}

async function close(
  tx: Tx,
  ctx: Ctx,
  publicId: string,
  outcome: 'returned' | 'seen_to',
  note: string,
): Promise<void> {
  const now = ctx.now()
  const unmatched = await getUnmatched(tx, publicId)
  const closed = await tx
    .updateTable('stray_payment')
    .set({ outcome, note, closed_at: now, closed_by: ctx.actor })
    .where('id', '=', unmatched.id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (closed.numUpdatedRows === 0n) throw new AppError('order_closed')
  const after = {
    outcome,
    note,
    provider: unmatched.provider,
    reference: unmatched.reference,
    amount_minor: unmatched.amount.minor.toString(),
    currency: unmatched.amount.currency,
  }
  await recordAudit(tx, ctx, now, [
    {
      action: 'stray_closed',
      subject: 'stray_payment',
      subjectCode: publicId,
      before: null,
      after,
    },
  ])
}

/** Writes down that an operator compares with the payment services, before they are asked. */
export async function noteReconciliation(ctx: OperatorCtx, since: Date): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'reconcile',
        subject: 'payment_attempt',
        subjectCode: 'all',
        before: null,
        after: { since: since.toISOString() },
      },
    ]),
  )
}
