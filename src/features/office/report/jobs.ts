import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { postMail } from '#features/people/mail/commands.ts'
import type { MailReport } from '#features/people/mail/rules.ts'
import { findOperator } from '#features/team/operator/queries.ts'
import { dayIn } from '#kernel/day.ts'
import { getLanguage } from '#kernel/language.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { readReport } from './queries.ts'
import { choiceQuery, isReport, mayReport } from './rules.ts'
import { reportTexts, spansOf, spanTexts, tilesOf } from './views.ts'
import { findDueMail, type DueMail } from './read/due.ts'
import { moveOn } from './write/mail.ts'
import { choiceOfSaved } from './write/saved.ts'

/**
 * Mails what is due, each to one operator who may read it at this moment: whoever is shut out, has no address or lacks a permission by now
 * gets nothing, and the next one is looked at again. What is mailed is read first; the mail is posted and its day moved on in one
 * transaction, so that a process that dies in between mails it once. One that fails holds up no other: it is tried again by the next turn.
 */
export async function mailReports(
  ctx: Ctx,
  { timeZone, consoleOrigin }: { readonly timeZone: string; readonly consoleOrigin: string },
  signal?: AbortSignal,
): Promise<void> {
  const failed: DueMail[] = []
  const errors: unknown[] = []
  while (!signal?.aborted) {
    const due = await findDueMail(ctx, failed)
    if (!due) break
    try {
      await mailOne(ctx, due, timeZone, consoleOrigin)
    } catch (error) {
      failed.push(due)
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

async function mailOne(
  ctx: Ctx,
  due: DueMail,
  timeZone: string,
  consoleOrigin: string,
): Promise<void> {
  const letter = (await mayGet(ctx, due)) ? await letterOf(ctx, due, timeZone, consoleOrigin) : null
  await transaction(ctx, async (tx, now) => {
    const isOurs = await moveOn(tx, due, now, { timeZone, isSent: letter !== null })
    if (!isOurs || !letter || due.recipient === null) return
    await postMail(tx, ctx, {
      kind: 'report',
      accountId: null,
      recipient: due.recipient,
      language: due.language,
      params: { name: due.name, report: letter },
    })
  })
}

/** Whether somebody may read it now: by the role that they have at this moment. */
async function mayGet(ctx: Ctx, due: DueMail): Promise<boolean> {
  if (!due.isTheirs || due.recipient === null || !isReport(due.report)) return false
  const operator = await findOperator(ctx.db, due.operatorId)
  return operator !== null && mayReport(operator, due.report)
}

/** What a mail tells: the sums, how they were, and the way to the page. Nothing of a person. */
async function letterOf(
  ctx: Ctx,
  due: DueMail,
  timeZone: string,
  consoleOrigin: string,
): Promise<MailReport> {
  const choice = choiceOfSaved(due)
  const spans = spansOf(choice, dayIn(timeZone, ctx.now()))
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
