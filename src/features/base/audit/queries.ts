import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

export { findHead, findUnsealed, listFaults, readSealHashes } from './read/seal.ts'

export interface AuditFilter {
  /** `operator:mara`, `import:<name>`, `system` …, whole. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  /** With a subject only. */
  readonly subjectCode?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** Where a page ends: the moment and id of its last line. */
export interface AuditCursor {
  readonly at: Date
  readonly id: string
}

export interface AuditLine {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly requestId: string
  readonly action: string
  readonly subject: string
  readonly subjectCode: string
  readonly before: unknown
  readonly after: unknown
}

/** Lines of the trail, newest first, those after the cursor; an index carries each filter. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  cursor: AuditCursor | null,
  limit: number,
): Promise<AuditLine[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .$if(filter.actor !== undefined, (query) => query.where('actor', '=', filter.actor ?? ''))
    .$if(filter.action !== undefined, (query) => query.where('action', '=', filter.action ?? ''))
    .$if(filter.subject !== undefined, (query) => query.where('subject', '=', filter.subject ?? ''))
    .$if(filter.subjectCode !== undefined, (query) =>
      query.where('subject_code', '=', filter.subjectCode ?? ''),
    )
    .$if(filter.from !== undefined, (query) => query.where('at', '>=', filter.from ?? new Date(0)))
    .$if(filter.until !== undefined, (query) => query.where('at', '<', filter.until ?? new Date(0)))
    .$if(cursor !== null, (query) =>
      query.where(sql<boolean>`(at, id) < (${cursor?.at}, ${cursor?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    actor: row.actor,
    requestId: row.request_id,
    action: row.action,
    subject: row.subject,
    subjectCode: row.subject_code,
    before: row.before,
    after: row.after,
  }))
}
