import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'

/** An answer that is written once, in as many languages as somebody has written it in. */
export interface AnswerTemplate {
  /** Public id. */
  readonly id: string
  readonly name: string
  readonly texts: Readonly<Partial<Record<LanguageCode, string>>>
  readonly changedBy: string
  readonly changedAt: Date
}

/** All of them, by name. */
export async function listTemplates(db: Db): Promise<AnswerTemplate[]> {
  const rows = await db.selectFrom('answer_template').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    texts: row.texts as AnswerTemplate['texts'],
    changedBy: row.changed_by,
    changedAt: row.changed_at,
  }))
}
