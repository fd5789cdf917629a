import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { REVIEW_ANSWER_MAX, reviewText } from '../rules.ts'

export interface JudgedReview {
  readonly id: string
  /** Whether it is shown, as whoever judges it has seen it, and is to be from now on. */
  readonly from: 'active' | 'suspended'
  readonly to: 'active' | 'suspended'
  /** What the shop says below it; null for nothing. */
  readonly answer: string | null
}

/**
 * Shows or hides a review, and answers it below; from then on it counts as looked at. What a buyer wrote is never changed. Throws
 * 'not_found', 'changed_meanwhile' where it is not shown, or hidden, any more as it was seen, check_fields at `answer`.
 */
export async function judgeReview(
  ctx: OperatorCtx,
  { id, from, to, answer }: JudgedReview,
): Promise<void> {
  requirePermission(ctx, 'case.decide')
  const text = answer === null ? null : reviewText(answer)
  if (text === '') throw fieldError('answer', 'required')
  if (text !== null && text.length > REVIEW_ANSWER_MAX) throw fieldError('answer', 'too_long')
  await transaction(ctx, async (tx, now) => {
    const row = await tx
      .selectFrom('review')
      .select(['status', 'answer'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    if (row.status !== from) throw new AppError('changed_meanwhile')
    await tx
      .updateTable('review')
      .set({
        status: to,
        answer: text,
        answered_at: text === null ? null : now,
        looked_at: now,
      })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'review_judged',
        subject: 'review',
        subjectCode: id,
        before: { status: row.status, answered: row.answer !== null },
        after: { status: to, answered: text !== null },
      },
    ])
  })
}
