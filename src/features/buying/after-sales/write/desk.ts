import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { findColleague } from '#features/team/operator/queries.ts'
import { mayDo, requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { lockCase } from '../queries.ts'
import type { ServiceCase } from '../rules.ts'

interface Assigned {
  readonly case: string
  /** Who had it as its caller has seen it; null for nobody. */
  readonly from: string | null
  readonly to: string | null
}

/**
 * Says who sees to a case: the caller, a colleague, or nobody any more. Throws 'not_found', 'changed_meanwhile' where somebody else has it by
 * now than was seen or it is decided, check_fields at `to` for who may not decide cases.
 */
export async function assignCase(
  ctx: OperatorCtx,
  { case: publicId, from, to }: Assigned,
): Promise<void> {
  requirePermission(ctx, 'case.decide')
  await transaction(ctx, async (tx, now) => {
    const { found, claimedBy } = await lockKnown(tx, publicId)
    if (found.status !== 'open' || claimedBy !== from) throw new AppError('changed_meanwhile')
    const colleague = to === null ? null : await findColleague(tx, to)
    if (to !== null && !(colleague?.isActive && mayDo(colleague, 'case.decide')))
      throw fieldError('to', 'not_allowed')
    await tx
      .updateTable('service_case')
      .set({ claimed_by: to, claimed_at: to === null ? null : now })
      .where('id', '=', found.id)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'case_assigned',
        subject: 'service_case',
        subjectCode: publicId,
        before: { claimed_by: from },
        after: { claimed_by: to },
      },
    ])
  })
}

/**
 * Notes until when the payer's bank takes evidence, as the payment service's own pages tell it. Throws 'not_found', 'changed_meanwhile' for
 * what is no open dispute.
 */
export async function setDueDate(
  ctx: OperatorCtx,
  { case: publicId, due }: { readonly case: string; readonly due: Date },
): Promise<void> {
  requirePermission(ctx, 'case.decide')
  await transaction(ctx, async (tx, now) => {
    const { found, dueAt } = await lockKnown(tx, publicId)
    if (found.kind !== 'dispute' || found.status !== 'open') throw new AppError('changed_meanwhile')
    await tx.updateTable('service_case').set({ due_at: due }).where('id', '=', found.id).execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'dispute_due',
        subject: 'service_case',
        subjectCode: publicId,
        before: { due_at: dueAt?.toISOString() ?? null },
        after: { due_at: due.toISOString() },
      },
    ])
  })
}

async function lockKnown(
  tx: Tx,
  publicId: string,
): Promise<{
  readonly found: ServiceCase
  readonly claimedBy: string | null
  readonly dueAt: Date | null
}> {
  const known = await tx
    .selectFrom('service_case')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const found = await lockCase(tx, known.id)
  const { claimed_by, due_at } = await tx
    .selectFrom('service_case')
    .select(['claimed_by', 'due_at'])
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow()
  return { found, claimedBy: claimed_by, dueAt: due_at }
}
