import type { LanguageCode } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Listed } from '../rules.ts'

/** What one of a list is called in other languages, as a change says it. */
export async function listNameTexts(
  db: Db | Tx,
  subject: Listed,
  code: string,
): Promise<
  readonly { language: LanguageCode; text: string; english_hash: string; origin: string }[]
> {
  const rows = await db
    .selectFrom('translation')
    .select(['language', 'text', 'english_hash', 'origin'])
    .where('subject', '=', subject)
    .where('subject_code', '=', code)
    .where('field', '=', 'name')
    .where('language', '<>', 'en')
    .orderBy('language')
    .execute()
  return rows as never
}
