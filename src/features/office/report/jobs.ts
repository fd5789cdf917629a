import { sql } from 'kysely'
import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { postMail } from '#features/people/mail/commands.ts'
import type { MailReport } from '#features/people/mail/rules.ts'
import { listOperators } from '#features/team/operator/queries.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { readReport } from './queries.ts'
import { choiceQuery, isReport, mayReport, nextMailDay, type Report, type Rhythm } from './rules.ts'
import { reportTexts, spansOf, spanTexts, tilesOf } from './views.ts'
import { choiceOfSaved, momentOf, todayIn } from './write/saved.ts'

interface Due {
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
  readonly isActive: boolean
}

/**
 * Mails what is due, each to one operator who may read it at this moment: whoever is shut out, has no address or lacks a permission by now
 * gets nothing, and the next one is looked at again. What is mailed is read first; the mail is posted and its day moved on in one
 * transaction, so that a process that dies in between mails it once.
 */
export async function mailReports(
  ctx: Ctx,
  { timeZone, consoleOrigin }: { readonly timeZone: string; readonly consoleOrigin: string },
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const due = signal?.aborted ? undefined : await findDue(ctx)
    if (!due) return
    const letter = (await mayGet(ctx, due))
      ? await letterOf(ctx, due, timeZone, consoleOrigin)
      : null
    await transaction(ctx, async (tx, now) => {
      const { numUpdatedRows } = await tx
        .updateTable('report_mail')
        .set({
          next_at: momentOf(nextMailDay(due.rhythm, todayIn(now, timeZone)), timeZone) as never,
          ...(letter ? { sent_at: now } : {}),
        })
        .where('report_id', '=', due.reportId)
        .where('operator_id', '=', due.operatorId)
        .where('next_at', '=', due.nextAt)
        .executeTakeFirst()
      if (numUpdatedRows === 0n || !letter || due.recipient === null) return
      await postMail(tx, ctx, {
        kind: 'report',
        accountId: null,
        recipient: due.recipient,
        language: due.language,
        params: { name: due.name, report: letter },
      })
    })
  }
}

async function findDue(ctx: Ctx): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    select m.report_id as "reportId", s.public_id as "publicId", m.operator_id as "operatorId", m.rhythm, m.next_at as "nextAt", s.name, s.report, s.choice,
      (s.is_shared or s.operator_id = m.operator_id) as "isTheirs", o.email as recipient, o.language, o.status = 'active' as "isActive"
    from report_mail m join saved_report s on s.id = m.report_id join operator o on o.id = m.operator_id
    where m.next_at <= ${ctx.now()} order by m.next_at limit 1`.execute(ctx.db)
  return rows[0]
}

/** Whether somebody may read it now: by the role that they have at this moment. */
async function mayGet(ctx: Ctx, due: Due): Promise<boolean> {
  if (!due.isActive || !due.isTheirs || due.recipient === null || !isReport(due.report))
    return false
  const operators = await listOperators(ctx.db, ctx.now())
  const operator = operators.find(({ id }) => id === due.operatorId)
  return operator !== undefined && mayReport(operator, due.report)
}

/** What a mail tells: the sums, how they were, and the way to the page. Nothing of a person. */
async function letterOf(
  ctx: Ctx,
  due: Due,
  timeZone: string,
  consoleOrigin: string,
): Promise<MailReport> {
  const choice = choiceOfSaved(due)
  const spans = spansOf(choice, todayIn(ctx.now(), timeZone))
  const [facts, currencies, shop] = await Promise.all([
    readReport(ctx.db, { ...choice, by: 'time' }, spans, timeZone),
    listCurrencies(ctx.db),
    readShopCurrency(ctx.db),
  ])
  const language = getLanguage(due.language)
  const digits = new Map(currencies.map(({ code, minorUnits }) => [code as string, minorUnits]))
  const texts = reportTexts({ language, t: translatorOf(due.language), timeZone }, digits, shop)
  const { now, before } = spanTexts(spans, texts)
  return {
    link: `${consoleOrigin}/console/reports?${choiceQuery(choice).toString()}&saved=${due.publicId}`,
    days: now,
    compared: before,
    lines: tilesOf(choice, facts, texts).map(({ name, value, change, before: was }) => ({
      name,
      value,
      before: was,
      change: change?.text ?? null,
    })),
  }
}
