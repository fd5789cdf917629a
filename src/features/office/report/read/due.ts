import { sql } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Report, Rhythm } from '../rules.ts'

/** A mail of a report whose time has come. */
export interface DueMail {
  readonly reportId: string
  readonly publicId: string
  readonly operatorId: string
  readonly rhythm: Rhythm
  readonly nextAt: Date
  readonly name: string
  readonly report: Report
  readonly choice: string
  /** Their own, or shared still. */
  readonly isTheirs: boolean
  readonly recipient: string | null
  readonly language: LanguageCode
}

/** The one that waits longest, but for these. */
export async function findDueMail(
  ctx: Ctx,
  but: readonly Pick<DueMail, 'reportId' | 'operatorId'>[],
): Promise<DueMail | undefined> {
  const left = but.map(({ reportId, operatorId }) => `${reportId} ${operatorId}`)
  const { rows } = await sql<DueMail>`
    select m.report_id as "reportId", s.public_id as "publicId", m.operator_id as "operatorId", m.rhythm, m.next_at as "nextAt", s.name, s.report, s.choice,
      (s.is_shared or s.operator_id = m.operator_id) as "isTheirs", o.email as recipient, o.language
    from report_mail m join saved_report s on s.id = m.report_id join operator o on o.id = m.operator_id
    where m.next_at <= ${ctx.now()} and m.report_id || ' ' || m.operator_id <> all(${left}::text[]) order by m.next_at limit 1`.execute(
    ctx.db,
  )
  return rows[0]
}
