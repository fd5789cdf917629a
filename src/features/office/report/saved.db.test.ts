import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { changeReport, mailReport, removeReport, saveReport } from './commands.ts'
import { makeReportFile } from './flows.ts'
import { mailReports } from './jobs.ts'
import { listSavedReports } from './queries.ts'
import { SAVED_MAX, type ReportChoice } from './rules.ts'

const database = useDatabase()
const ZONE = 'Europe/Berlin'
const WHERE = { timeZone: ZONE, consoleOrigin: 'https://desk.example' }
let owner: OperatorCtx
let finance: OperatorCtx
let support: OperatorCtx

const CHOICE: ReportChoice = {
  report: 'sales',
  period: 'month',
  ago: 1,
  from: null,
  until: null,
  compare: 'before',
  currency: null,
  by: 'currency',
}
const wish = { name: 'Sales of last month', choice: CHOICE, isShared: true }
const at = <C extends Ctx>(ctx: C, moment: string): C => ({ ...ctx, now: () => new Date(moment) })
const mails = async () =>
  (
    await sql<{ recipient: string; language: string; params: any }>`
      select recipient, language, params from outgoing_mail where kind = 'report' order by id`.execute(
      database.ctx.db,
    )
  ).rows
const namesOf = async (ctx: OperatorCtx) =>
  (await listSavedReports(ctx.db, ctx.operator.id)).map(({ name, isOwn }) => [name, isOwn])

beforeAll(async () => {
  await addCurrencies(database.ctx)
  owner = await firstOwner(database.ctx)
  finance = await hire(owner, 'finance')
  support = await hire(owner, 'support')
  for (const [ctx, language] of [
    [owner, 'en'],
    [finance, 'de'],
    [support, 'en'],
  ] as const)
    await sql`update operator set email = ${`${ctx.operator.name}@desk.example`}, language = ${language} where id = ${ctx.operator.id}`.execute(
      ctx.db,
    )
})

beforeEach(async () => {
  await sql`delete from saved_report`.execute(database.ctx.db)
  await sql`delete from outgoing_mail`.execute(database.ctx.db)
  await sql`update operator set role = 'finance', status = 'active' where id = ${finance.operator.id}`.execute(
    database.ctx.db,
  )
})

test('a saved report is one’s own until it is shared, and changed by its owner alone, against the version that was read', async () => {
  const id = await saveReport(owner, { ...wish, isShared: false })
  expect(await namesOf(finance)).toEqual([])
  await changeReport(owner, id, 1, { ...wish, name: 'Shared' })
  expect(await namesOf(finance)).toEqual([['Shared', false]])
  await expect(changeReport(owner, id, 1, wish)).rejects.toMatchObject({
    code: 'changed_meanwhile',
  })
  await expect(changeReport(finance, id, 2, wish)).rejects.toMatchObject({ code: 'not_found' })
  await expect(removeReport(finance, id)).rejects.toMatchObject({ code: 'not_found' })
  await removeReport(owner, id)
  expect(await namesOf(owner)).toEqual([])
})

test('who may not read a report neither keeps it, nor gets it by mail, nor as a file', async () => {
  const id = await saveReport(owner, wish)
  const lacks = { code: 'forbidden', params: { permission: 'ledger.read', role: 'support' } }
  await expect(saveReport(support, wish)).rejects.toMatchObject(lacks)
  await expect(mailReport(support, id, 'daily', ZONE)).rejects.toMatchObject(lacks)
  await expect(makeReportFile(support, CHOICE, 'csv', ZONE)).rejects.toMatchObject({
    code: 'forbidden',
    params: { permission: 'export.make' },
  })
})

test('one operator keeps fifty', async () => {
  for (let kept = 0; kept < SAVED_MAX; kept += 1) await saveReport(owner, wish)
  await expect(saveReport(owner, wish)).rejects.toMatchObject({
    fields: [{ field: 'name', reason: 'too_many' }],
  })
})

test('a mail comes at seven in the shop’s morning, in its reader’s language, once', async () => {
  const id = await saveReport(owner, wish)
  await mailReport(at(finance, '2026-10-30T12:00:00Z'), id, 'monthly', ZONE)
  await mailReports(at(database.ctx, '2026-11-01T05:59:00Z'), WHERE)
  expect(await mails()).toEqual([])
  const morning = at(database.ctx, '2026-11-01T06:00:30Z')
  await Promise.all([mailReports(morning, WHERE), mailReports(morning, WHERE)])
  await mailReports(morning, WHERE)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ recipient: `${finance.operator.name}@desk.example`, language: 'de' })
  expect(mail?.params.name).toBe('Sales of last month')
  expect(mail?.params.report).toMatchObject({
    days: expect.stringContaining('Okt. 2026'),
    compared: expect.stringContaining('Sept. 2026'),
    link: `https://desk.example/console/reports?report=sales&period=month&ago=1&compare=before&by=currency&saved=${id}`,
  })
  expect(mail?.params.report.lines[0]).toMatchObject({ name: 'Umsatz' })
  await mailReports(at(database.ctx, '2026-12-01T06:00:30Z'), WHERE)
  expect(await mails()).toHaveLength(2)
})

test('a mail that went out late takes the next one away from nobody', async () => {
  const id = await saveReport(owner, wish)
  await mailReport(at(finance, '2026-10-30T12:00:00Z'), id, 'daily', ZONE)
  // The worker stood still all Saturday, and comes back on Sunday before seven.
  await mailReports(at(database.ctx, '2026-11-01T02:00:00Z'), WHERE)
  expect(await mails()).toHaveLength(1)
  await mailReports(at(database.ctx, '2026-11-01T06:00:30Z'), WHERE)
  expect(await mails()).toHaveLength(2)
})

test.each([
  ['lost the permission', sql`update operator set role = 'support' where id = `],
  ['was shut out', sql`update operator set status = 'disabled' where id = `],
])('nothing is mailed to who %s since', async (_, lose) => {
  const id = await saveReport(owner, wish)
  await mailReport(at(finance, '2026-10-30T12:00:00Z'), id, 'daily', ZONE)
  await sql`${lose}${finance.operator.id}`.execute(database.ctx.db)
  await mailReports(at(database.ctx, '2026-10-31T08:00:00Z'), WHERE)
  expect(await mails()).toEqual([])
  // It is looked at again the next day.
  await sql`update operator set role = 'finance', status = 'active' where id = ${finance.operator.id}`.execute(
    database.ctx.db,
  )
  await mailReports(at(database.ctx, '2026-11-01T08:00:00Z'), WHERE)
  expect(await mails()).toHaveLength(1)
})

test('a report that cannot be mailed holds up the mails of nobody else', async () => {
  const broken = await saveReport(owner, { ...wish, name: 'Broken' })
  await mailReport(at(owner, '2026-10-29T12:00:00Z'), broken, 'daily', ZONE)
  const id = await saveReport(owner, wish)
  await mailReport(at(finance, '2026-10-30T12:00:00Z'), id, 'daily', ZONE)
  const { db } = database.ctx
  await sql`alter table outgoing_mail add constraint broken check (params ->> 'name' <> 'Broken')`.execute(
    db,
  )
  const morning = at(database.ctx, '2026-10-31T08:00:00Z')
  await expect(mailReports(morning, WHERE)).rejects.toThrow('broken')
  expect((await mails()).map(({ params }) => params.name)).toEqual([wish.name])
  await sql`alter table outgoing_mail drop constraint broken`.execute(db)
  await mailReports(morning, WHERE)
  expect((await mails()).map(({ params }) => params.name)).toEqual([wish.name, 'Broken'])
})

test('what is shared no more is mailed to nobody else, and nobody without an address is mailed to', async () => {
  const id = await saveReport(owner, wish)
  await mailReport(at(finance, '2026-10-30T12:00:00Z'), id, 'daily', ZONE)
  await mailReport(at(owner, '2026-10-30T12:00:00Z'), id, 'daily', ZONE)
  await changeReport(owner, id, 1, { ...wish, isShared: false })
  await mailReports(at(database.ctx, '2026-10-31T08:00:00Z'), WHERE)
  expect((await mails()).map(({ recipient }) => recipient)).toEqual([
    `${owner.operator.name}@desk.example`,
  ])
  await sql`update operator set email = null where id = ${owner.operator.id}`.execute(owner.db)
  await expect(mailReport(owner, id, 'weekly', ZONE)).rejects.toMatchObject({
    fields: [{ field: 'rhythm', reason: 'no_mailbox' }],
  })
})

test('a file says the same in both formats, and runs nothing', async () => {
  const { db } = database.ctx
  await sql`insert into search_miss (day, words, searches) values ('2026-10-03', '=cmd zelda', 4), ('2026-10-04', 'mario', 9)`.execute(
    db,
  )
  const choice: ReportChoice = { ...CHOICE, report: 'searches', by: 'words', compare: 'none' }
  const then = at(owner, '2026-11-20T12:00:00Z')
  const csv = await makeReportFile(then, choice, 'csv', ZONE)
  expect(csv.name).toBe('searches-2026-10-01-2026-10-31.csv')
  expect(csv.chunks.join('')).toBe("\uFEFFwords,searches\r\nmario,9\r\n'=cmd zelda,4\r\n")
  const xlsx = await makeReportFile(then, choice, 'xlsx', ZONE)
  const files = unzipSync(Buffer.concat(xlsx.chunks as Uint8Array[]))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet).toContain('<t xml:space="preserve">mario</t></is></c><c><v>9</v></c>')
  expect(sheet).toMatch(/>(?:'|&#39;|&apos;)=cmd zelda</)
  expect(sheet).not.toContain('<f>')
})
