import { recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'

const FAILURE_MAX = 200
const REFERENCE_MAX = 255

/**
 * Writes down that evidence is about to be sent, before anything is; what was begun and has no answer goes on under its id. Throws 'not_found',
 * and 'order_closed' where it was sent.
 * @returns our name for it
 */
export async function beginEvidence(
  ctx: OperatorCtx,
  publicId: string,
  provider: string,
): Promise<string> {
  return transaction(ctx, async (tx, now) => {
    const found = await tx
      .selectFrom('service_case')
      .select('id')
      .where('public_id', '=', publicId)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw new AppError('not_found')
    const before = await tx
      .selectFrom('dispute_evidence')
      .select(['id', 'state'])
      .where('case_id', '=', found.id)
      .where('state', '<>', 'refused')
      .executeTakeFirst()
    if (before?.state === 'sent') throw new AppError('order_closed')
    if (before) return before.id
    const id = ctx.newId()
    await tx
      .insertInto('dispute_evidence')
      .values({
        id,
        case_id: found.id,
        provider,
        state: 'sending',
        asked_by: ctx.actor,
        asked_at: now,
      })
      .execute()
    await recordAct(tx, ctx, {
      action: 'evidence_begun',
      subject: 'service_case',
      subjectCode: publicId,
      after: { provider },
    })
    return id
  })
}

/** What the provider said; one that was noted already stays. */
export async function endEvidence(
  ctx: OperatorCtx,
  publicId: string,
  id: string,
  end: { readonly reference: string } | { readonly failure: string },
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const ended = await tx
      .updateTable('dispute_evidence')
      .set({
        ended_at: now,
        ...('reference' in end
          ? { state: 'sent', reference: end.reference.slice(0, REFERENCE_MAX) }
          : { state: 'refused', failure: end.failure.slice(0, FAILURE_MAX) || 'refused' }),
      })
      .where('id', '=', id)
      .where('state', '=', 'sending')
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) return
    await recordAct(tx, ctx, {
      action: 'reference' in end ? 'evidence_sent' : 'evidence_refused',
      subject: 'service_case',
      subjectCode: publicId,
      after: { ...end },
    })
  })
}
