import { recordAudit } from '#features/base/audit/commands.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { problemOf } from './engine/compare.ts'
import { findOwnText } from './queries.ts'
import { hashOf, NO_VERSION, programText, type ProgramText } from './engine/texts.ts'

export interface TextChange {
  readonly language: LanguageCode
  readonly key: string
  /** Null takes the owner's words away: the release's text is shown again. */
  readonly text: string | null
  /** Of the words that were there when it was begun. */
  readonly version: string
}

/** Where shoppers read how to pay: by other words money can be led elsewhere. */
const OF_PAYING = 'cashier.'

/**
 * Puts the owner's words in place of a text of the program, or takes them back. Throws 'not_found', at its field for words that cannot stand
 * there, and for words that somebody else has changed since. Every owner is told by mail where it says how to pay.
 */
export async function changeText(ctx: OperatorCtx, change: TextChange): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  const program = checkedText(change)
  const { language, key, text, version } = change
  await transaction(ctx, async (tx, now) => {
    const own = await findOwnText(tx, language, key)
    if ((own ? hashOf(own.text) : NO_VERSION) !== version)
      throw new AppError(
        'check_fields',
        {},
        { fields: [{ field: 'text', reason: 'changed_elsewhere' }] },
      )
    const next = text === program.original ? null : text
    if ((own?.text ?? null) === next) return
    await write(tx, ctx, now, { ...change, text: next }, program)
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'text_override',
        subjectCode: `${language}/${key}`,
        before: { text: own?.text ?? null },
        after: { text: next },
      },
    ])
    if (key.startsWith(OF_PAYING)) await tellOfAlone(tx, ctx, now)
  })
}

/** The text that words are for. Throws as `changeText` does for words that cannot stand there. */
export function checkedText({
  language,
  key,
  text,
}: Pick<TextChange, 'language' | 'key' | 'text'>): ProgramText {
  const program = programText(language, key)
  if (!program) throw new AppError('not_found')
  const problem = text === null ? null : problemOf(text, program.original)
  if (problem) throw new AppError('check_fields', {}, { fields: [problem] })
  return program
}

async function write(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { language, key, text }: TextChange,
  { original }: ProgramText,
): Promise<void> {
  if (text === null) {
    await tx
      .deleteFrom('text_override')
      .where('language', '=', language)
      .where('key', '=', key)
      .execute()
    return
  }
  const row = { text, original_hash: hashOf(original), made_by: ctx.actor, made_at: now }
  await tx
    .insertInto('text_override')
    .values({ language, key, ...row })
    .onConflict((conflict) => conflict.columns(['language', 'key']).doUpdateSet(row))
    .execute()
}
