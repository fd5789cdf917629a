import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { findSavedReport } from '../read/saved.ts'
import {
  choiceQuery,
  MAIL_HOUR,
  nextMailFrom,
  readChoice,
  requireReport,
  SAVED_MAX,
  type ReportChoice,
  type Rhythm,
} from '../rules.ts'

export interface ReportWish {
  readonly name: string
  readonly choice: ReportChoice
  readonly isShared: boolean
}

/** Keeps a report under a name. Throws 'forbidden', and 'check_fields' beyond fifty of one operator. @returns its public id */
export async function saveReport(
  ctx: OperatorCtx,
  { name, choice, isShared }: ReportWish,
): Promise<string> {
  requireReport(ctx, choice.report)
  return transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`saved_report:${ctx.operator.id}`}, 0))`.execute(
      tx,
    )
    const { rows } = await sql<{
      kept: number
    }>`select count(*)::integer as kept from saved_report where operator_id = ${ctx.operator.id}`.execute(
      tx,
    )
    if ((rows[0]?.kept ?? 0) >= SAVED_MAX) throw fieldError('name', 'too_many', { max: SAVED_MAX })
    const publicId = newPublicId(ctx)
    await tx
      .insertInto('saved_report')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        operator_id: ctx.operator.id,
        name,
        report: choice.report,
        choice: choiceQuery(choice).toString(),
        is_shared: isShared,
        created_at: now,
        updated_at: now,
      })
      .execute()
    await record(tx, ctx, 'create', publicId, {
      name,
      report: choice.report,
      shared: String(isShared),
    })
    return publicId
  })
}

/** Gives one's own another name, other filters, or shares it. Throws 'not_found', and 'changed_meanwhile' where it is another by now. */
export async function changeReport(
  ctx: OperatorCtx,
  publicId: string,
  version: number,
  { name, choice, isShared }: ReportWish,
): Promise<void> {
  requireReport(ctx, choice.report)
  await transaction(ctx, async (tx, now) => {
    const own = await lockOwn(tx, ctx, publicId)
    if (own.version !== version) throw new AppError('changed_meanwhile')
    await tx
      .updateTable('saved_report')
      .set({
        name,
        report: choice.report,
        choice: choiceQuery(choice).toString(),
        is_shared: isShared,
        version: version + 1,
        updated_at: now,
      })
      .where('id', '=', own.id)
      .execute()
    // What nobody else may read any more is mailed to nobody else.
    if (!isShared)
      await tx
        .deleteFrom('report_mail')
        .where('report_id', '=', own.id)
        .where('operator_id', '<>', ctx.operator.id)
        .execute()
    await record(tx, ctx, 'update', publicId, {
      name,
      report: choice.report,
      shared: String(isShared),
    })
  })
}

/** Forgets one's own, with the mails of it. Throws 'not_found'. */
export async function removeReport(ctx: OperatorCtx, publicId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { id } = await lockOwn(tx, ctx, publicId)
    await tx.deleteFrom('saved_report').where('id', '=', id).execute()
    await record(tx, ctx, 'delete', publicId, {})
  })
}

async function lockOwn(tx: Tx, ctx: OperatorCtx, publicId: string) {
  const row = await tx
    .selectFrom('saved_report')
    .select(['id', 'version'])
    .where('public_id', '=', publicId)
    .where('operator_id', '=', ctx.operator.id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Has one that may be read mailed to oneself, or no more. Throws 'not_found', 'forbidden', and 'check_fields' where whoever asks has no
 * address.
 */
export async function mailReport(
  ctx: OperatorCtx,
  publicId: string,
  rhythm: Rhythm | null,
  timeZone: string,
): Promise<void> {
  const saved = await findSavedReport(ctx.db, ctx.operator.id, publicId)
  if (!saved) throw new AppError('not_found')
  if (rhythm !== null) requireReport(ctx, saved.report)
  await transaction(ctx, async (tx, now) => {
    await tx
      .deleteFrom('report_mail')
      .where('report_id', '=', saved.id)
      .where('operator_id', '=', ctx.operator.id)
      .execute()
    if (rhythm !== null) {
      const me = await tx
        .selectFrom('operator')
        .select('email')
        .where('id', '=', ctx.operator.id)
        .executeTakeFirst()
      if (!me?.email) throw fieldError('rhythm', 'no_mailbox')
      await sql`
        insert into report_mail (report_id, operator_id, rhythm, next_at)
        select id, ${ctx.operator.id}, ${rhythm}, ${momentOf(nextMailFrom(rhythm, now, timeZone), timeZone)} from saved_report where id = ${saved.id}`.execute(
        tx,
      )
    }
    await record(tx, ctx, 'update', publicId, { mail: rhythm ?? 'never' })
  })
}

/** The hour of mails on a day, as SQL. */
export const momentOf = (day: string, timeZone: string) =>
  sql`(${day}::date + make_interval(hours => ${MAIL_HOUR}::integer)) at time zone ${timeZone}`

const record = (
  tx: Tx,
  ctx: OperatorCtx,
  action: string,
  subjectCode: string,
  after: Readonly<Record<string, string>>,
) => recordAct(tx, ctx, { action, subject: 'report', subjectCode, after })

/** What was kept, as it is read now: a value that this release does not know is as it is at first. */
export const choiceOfSaved = (saved: {
  readonly report: ReportChoice['report']
  readonly choice: string
}): ReportChoice => readChoice(new URLSearchParams(saved.choice), saved.report).choice
