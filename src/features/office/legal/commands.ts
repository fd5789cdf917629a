import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { writePage } from '#features/goods/transfer/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { findLegalRow, versionOf } from './queries.ts'
import { sectionsOf, writtenText, type LegalCode, type LegalSection } from './rules.ts'

export interface LegalChange {
  readonly code: LegalCode
  readonly title: string
  readonly text: string
  /** Of the text that was read. */
  readonly version: string
}

/**
 * Writes one of the texts that buyers agree to or may rely on. Orders keep the version that their buyer agreed to. Throws 'check_fields' for one
 * that no page can be made of, and 'changed_meanwhile' where somebody else has changed it.
 */
export async function saveLegalText(
  ctx: OperatorCtx,
  { code, title: typed, text, version }: LegalChange,
): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  const title = typed.trim()
  if (title === '') throw fieldError('title', 'required')
  if (text.trim() === '') throw fieldError('text', 'required')
  const sections = sectionsOf(text)
  if (!sections) throw fieldError('text', 'not_allowed')
  await transaction(ctx, async (tx, now) => {
    // There is no row to lock of a text that nobody has written yet.
    await sql`select pg_advisory_xact_lock(hashtextextended('legal_text', 0))`.execute(tx)
    const before = await findLegalRow(tx, code)
    if (versionOf(before) !== version) throw new AppError('changed_meanwhile')
    await writePage(tx, now, { code, title, sections })
    await recordAudit(tx, ctx, now, [
      {
        action: before ? 'update' : 'create',
        subject: 'article',
        subjectCode: `page/${code}`,
        before: before && {
          title: before.title,
          text: writtenText(before.sections as LegalSection[]),
        },
        after: { title, text: writtenText(sections) },
      },
    ])
  })
}
