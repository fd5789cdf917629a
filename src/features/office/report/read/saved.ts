import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { isReport, type Report, type Rhythm } from '../rules.ts'

/** A report that somebody keeps. */
export interface SavedReport {
  readonly id: string
  readonly publicId: string
  readonly name: string
  readonly report: Report
  /** As the address of its page says it. */
  readonly choice: string
  readonly isShared: boolean
  readonly version: number
  /** Name of whoever keeps it. */
  readonly owner: string
  readonly isOwn: boolean
  /** How often whoever asks gets it by mail, and when next. */
  readonly rhythm: Rhythm | null
  readonly nextAt: Date | null
}

const LISTED = 200

const saved = (operatorId: string) => sql`
  select s.id, s.public_id as "publicId", s.name, s.report, s.choice, s.is_shared as "isShared", s.version, coalesce(o.display_name, o.name) as owner,
    s.operator_id = ${operatorId}::uuid as "isOwn", m.rhythm, m.next_at as "nextAt"
  from saved_report s join operator o on o.id = s.operator_id left join report_mail m on m.report_id = s.id and m.operator_id = ${operatorId}::uuid
  where (s.operator_id = ${operatorId}::uuid or s.is_shared)`

/** What an operator keeps, and what others share. */
export async function listSavedReports(db: Db, operatorId: string): Promise<SavedReport[]> {
  const { rows } =
    await sql<SavedReport>`${saved(operatorId)} order by lower(s.name), s.id limit ${LISTED}`.execute(
      db,
    )
  return rows.filter(({ report }) => isReport(report))
}

/** Null where there is none, or none that this operator may see. */
export async function findSavedReport(
  db: Db,
  operatorId: string,
  publicId: string,
): Promise<SavedReport | null> {
  const { rows } =
    await sql<SavedReport>`${saved(operatorId)} and s.public_id = ${publicId}`.execute(db)
  const [row] = rows
  return row && isReport(row.report) ? row : null
}
