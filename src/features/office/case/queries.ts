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

/** How evidence of a dispute was handed to its provider, the last time. */
export interface SentEvidence {
  readonly provider: string
  readonly state: 'sending' | 'sent' | 'refused'
  readonly failure: string | null
  readonly askedBy: string
  readonly at: Date
}

export async function findEvidence(db: Db, publicId: string): Promise<SentEvidence | null> {
  const row = await db
    .selectFrom('dispute_evidence as e')
    .innerJoin('service_case as c', 'c.id', 'e.case_id')
    .selectAll('e')
    .where('c.public_id', '=', publicId)
    .orderBy('e.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row
    ? {
        provider: row.provider,
        state: row.state,
        failure: row.failure,
        askedBy: row.asked_by,
        at: row.ended_at ?? row.asked_at,
      }
    : null
}
