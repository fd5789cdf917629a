import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { DueMail } from '../read/due.ts'
import { nextMailFrom } from '../rules.ts'
import { momentOf } from './saved.ts'

/** Moves a mail on to its next day. False where another process has done so, and mails it. The program knows times to the millisecond. */
export async function moveOn(
  tx: Tx,
  { reportId, operatorId, rhythm, nextAt }: DueMail,
  now: Date,
  { timeZone, isSent }: { readonly timeZone: string; readonly isSent: boolean },
): Promise<boolean> {
  const next = momentOf(nextMailFrom(rhythm, now, timeZone), timeZone)
  const { rows } = await sql`
    update report_mail set next_at = ${next}, sent_at = case when ${isSent} then ${now} else sent_at end
    where report_id = ${reportId} and operator_id = ${operatorId} and date_trunc('milliseconds', next_at) = ${nextAt} returning report_id`.execute(
    tx,
  )
  return rows.length > 0
}
