import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { TEMPLATES_MAX } from '../rules.ts'

export interface SavedTemplate {
  /** Public id; null for a new one. */
  readonly id: string | null
  readonly name: string
  readonly texts: Readonly<Partial<Record<LanguageCode, string>>>
  /** When it was changed last, as its writer has seen it; null for a new one. */
  readonly seen: Date | null
}

/**
 * Writes a template, or a new one. Throws 'not_found', 'changed_meanwhile' where somebody has written it since it was read, check_fields at
 * `name` for one that another has, or with more than a shop keeps. @returns its public id
 */
export async function saveTemplate(ctx: OperatorCtx, wanted: SavedTemplate): Promise<string> {
  requirePermission(ctx, 'case.decide')
  return transaction(ctx, async (tx, now) => {
    await refuseNamesake(tx, wanted)
    const written = {
      name: wanted.name,
      texts: JSON.stringify(wanted.texts),
      changed_by: ctx.actor,
      changed_at: now,
    }
    const id = wanted.id ?? newPublicId(ctx)
    if (wanted.id === null)
      await tx
        .insertInto('answer_template')
        .values({ id: ctx.newId(), public_id: id, ...written })
        .execute()
    else await rewrite(tx, wanted.id, wanted.seen, written)
    await recordAudit(tx, ctx, now, [
      {
        action: wanted.id === null ? 'create' : 'update',
        subject: 'answer_template',
        subjectCode: id,
        before: null,
        after: { name: wanted.name, languages: Object.keys(wanted.texts) },
      },
    ])
    return id
  })
}

async function rewrite(
  tx: Tx,
  id: string,
  seen: Date | null,
  written: {
    readonly name: string
    readonly texts: string
    readonly changed_by: string
    readonly changed_at: Date
  },
): Promise<void> {
  const row = await tx
    .selectFrom('answer_template')
    .select('changed_at')
    .where('public_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (row.changed_at.getTime() !== seen?.getTime()) throw new AppError('changed_meanwhile')
  await tx.updateTable('answer_template').set(written).where('public_id', '=', id).execute()
}

async function refuseNamesake(tx: Tx, { id, name }: SavedTemplate): Promise<void> {
  const rows = await tx.selectFrom('answer_template').select(['public_id', 'name']).execute()
  if (rows.some((row) => row.name === name && row.public_id !== id))
    throw fieldError('name', 'not_allowed')
  if (id === null && rows.length >= TEMPLATES_MAX) throw fieldError('name', 'too_many')
}

/** Takes one away. Throws 'not_found'. */
export async function removeTemplate(ctx: OperatorCtx, id: string): Promise<void> {
  requirePermission(ctx, 'case.decide')
  await transaction(ctx, async (tx, now) => {
    const gone = await tx
      .deleteFrom('answer_template')
      .where('public_id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (!gone) throw new AppError('not_found')
    await recordAudit(tx, ctx, now, [
      {
        action: 'remove',
        subject: 'answer_template',
        subjectCode: id,
        before: { name: gone.name },
        after: null,
      },
    ])
  })
}
