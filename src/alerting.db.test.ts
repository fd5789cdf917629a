import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { noteProblems } from '#features/office/alert/commands.ts'
import { sendAlerts } from '#features/office/alert/jobs.ts'
import { isRepeated } from '#features/office/alert/rules.ts'
import type { HealthProblem } from '#features/office/health/rules.ts'
import { changeSetting } from '#features/office/setting/commands.ts'
import { listSettings } from '#features/office/setting/queries.ts'
import { freePort } from '#platform/free-port.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { minutesLater } from '../test/support/clock.ts'
import { useDatabase } from '../test/support/database.ts'
import { useHttpService } from '../test/support/http-service.ts'
import { startMailServer } from '../test/support/mail-server.ts'
import { asOperator } from '../test/support/operators.ts'
import { startAlerting } from './alerting.ts'

const database = useDatabase()
const receiver = useHttpService()
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
const SHOP = 'https://shop.example'
const children: ChildProcess[] = []
afterAll(() => children.forEach((child) => child.kill()))

const set = (path: string, value: string) => changeSetting(asOperator(database.ctx), path, value)
const patiently = { timeout: 60_000, interval: 50 }

/** The receiver of docs/operating/alerts.md as it stands there. */
async function startExample(): Promise<{ readonly url: string; readonly lines: () => string[] }> {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'operating', 'alerts.md'), 'utf8')
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const port = await freePort()
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  await vi.waitFor(() => expect(out).toContain('listening'), patiently)
  return { url: `http://127.0.0.1:${port}/`, lines: () => out.trim().split('\n').slice(1) }
}

test('a worker that is gone is told once by two web processes, by mail and webhook, and once more when it is back', async () => {
  const { ctx, url } = database
  const mails = await startMailServer()
  const example = await startExample()
  await set('alerts.email', 'owner@corner.example')
  await set('alerts.webhook_secret', SECRET)
  await set('alerts.webhook', example.url)
  let ahead = 0
  const clock = {
    now: () => new Date(Date.now() + ahead),
    skewMs: () => 0,
    stop: () => {},
  }
  const sender = createSmtpSender({ url: secret(mails.url), from: 'shop@corner.example' })
  const webs = ['a', 'b'].map(() =>
    startAlerting({
      databaseUrl: url,
      context: {
        clock,
        keys: createKeys(Buffer.alloc(32, 7)),
        log: createLogger({ level: 'error' }),
      },
      id: randomUUID(),
      publicUrl: SHOP,
      timeZone: 'UTC',
      providers: () => [],
      mail: sender,
    }),
  )
  const seen = () =>
    ctx.db
      .selectFrom('alert_matter')
      .select(['kind', 'told_at', 'over_at'])
      .where('kind', '=', 'no_worker')
      .execute()
  await vi.waitFor(async () => expect(await seen()).toHaveLength(1), patiently)
  expect(mails.raw).toEqual([])

  ahead += 61_000
  await vi.waitFor(async () => {
    expect(await mails.received()).toHaveLength(1)
    expect(example.lines()).toEqual(['alert.begun no_worker 1'])
  }, patiently)
  const [mail] = await mails.received()
  expect(mail?.subject).toBe('Lukado: something needs your attention')
  expect(mail?.text).toMatch(/No worker is running \(1\)\n\d+ \w+ \d{4} at /)
  expect(mail?.to?.[0]?.address).toBe('owner@corner.example')

  await ctx.db
    .insertInto('running_process')
    .values({
      id: randomUUID(),
      kind: 'worker',
      started_at: clock.now(),
      seen_at: new Date(clock.now().getTime() + 3_600_000),
      clock_skew_ms: 0,
      disk_low: '200 MB are free in /data',
    })
    .execute()
  ahead += 121_000
  await vi.waitFor(async () => {
    expect(example.lines()).toEqual(['alert.begun no_worker 1', 'alert.over no_worker 1'])
    expect((await seen())[0]?.over_at).not.toBeNull()
  }, patiently)
  ahead += 61_000
  await vi.waitFor(() => expect(example.lines()).toContain('alert.begun disk 1'), patiently)
  // The mail that it is over waits for the worker that is back.
  expect(mails.raw).toHaveLength(1)
  await Promise.all(webs.map((web) => web.stop()))
  sender.close()
  await mails.stop()
  await ctx.db.deleteFrom('alert_matter').execute()
})

test('what a webhook does not take is sent again under its name, by and by, and given up in the end', async () => {
  const { ctx } = database
  await ctx.db.deleteFrom('alert_message').execute()
  await set('alerts.webhook', `${receiver.origin}/hook`)
  receiver.answer = () => ({ status: 302, headers: { location: `${receiver.origin}/elsewhere` } })
  const problem = { kind: 'cases', count: 3, text: '3 cases wait' } as const
  await noteProblems(ctx, SHOP, [problem])
  await sendAlerts(ctx)
  expect(receiver.asked).toEqual([])
  await noteProblems(minutesLater(ctx, 1.5), SHOP, [problem])
  const failing = minutesLater(ctx, 2)
  await sendAlerts(failing)
  await sendAlerts(failing)
  expect(receiver.asked.map(({ path }) => path)).toEqual(['/hook'])
  let minutes = 2
  for (const wait of [1, 6, 31, 121, 301, 601, 841, 1_201, 1_441, 9_999]) {
    minutes += wait
    await sendAlerts(minutesLater(ctx, minutes))
  }
  const ids = new Set(receiver.asked.map(({ headers }) => headers['webhook-id']))
  expect(receiver.asked).toHaveLength(10)
  expect(ids.size).toBe(1)
  expect(await ctx.db.selectFrom('alert_message').select(['next_at', 'failure']).execute()).toEqual(
    [{ next_at: null, failure: 'the receiver answered 302' }],
  )
})

test('a matter that stays is told again after a day, and one that nobody could be told of waits for an address', async () => {
  const { ctx } = database
  await ctx.db.deleteFrom('alert_matter').execute()
  await ctx.db.deleteFrom('outgoing_mail').execute()
  await ctx.db.deleteFrom('setting').where('key', '=', 'alerts').execute()
  const problem = { kind: 'disputes', count: 1, text: '1 dispute is open' } as const
  const note = (minutes: number) => noteProblems(minutesLater(ctx, minutes), SHOP, [problem])
  const told = async () =>
    (
      await ctx.db
        .selectFrom('outgoing_mail')
        .select(['params', 'language'])
        .orderBy('created_at')
        .execute()
    ).map(
      ({ params, language }) =>
        `${language} ${(params as { alert: { state: string } }).alert.state}`,
    )
  for (const minute of [0, 1, 2, 3]) await note(minute)
  expect(await told()).toEqual([])
  await set('alerts.email', 'owner@corner.example')
  await set('alerts.language', 'de')
  for (const minute of [4, 5, 700, 1_443]) await note(minute)
  expect(await told()).toEqual(['de begun'])
  for (const minute of [1_445, 1_446, 2_000]) await note(minute)
  expect(await told()).toEqual(['de begun', 'de digest'])
})

test('what comes while an earlier one is open is told too, all of an hour in one message with how many they are', async () => {
  const { ctx } = database
  await ctx.db.deleteFrom('alert_matter').execute()
  await ctx.db.deleteFrom('alert_message').execute()
  await ctx.db.deleteFrom('setting').where('key', '=', 'alerts').execute()
  await set('alerts.webhook_secret', SECRET)
  await set('alerts.webhook', `${receiver.origin}/hook`)
  const see = (minutes: number, counts: Partial<Record<HealthProblem['kind'], number>>) =>
    noteProblems(
      minutesLater(ctx, minutes),
      SHOP,
      (Object.entries(counts) as [HealthProblem['kind'], number][]).map(([kind, count]) => ({
        kind,
        count,
        text: kind,
      })),
    )
  const told = async () =>
    (await ctx.db.selectFrom('alert_message').select('body').orderBy('created_at').execute()).map(
      ({ body }) => {
        const { type, data } = JSON.parse(body) as {
          type: string
          data: { matters: { kind: string; count: number; added: number }[] }
        }
        return `${type} ${data.matters.map(({ kind, count, added }) => `${kind} ${count}+${added}`).join(', ')}`
      },
    )
  // What comes before the first telling is told by it; mails that wait go up and down by themselves.
  await see(0, { disputes: 1, mails_wait: 5 })
  await see(1, { disputes: 2, mails_wait: 9 })
  const first = 'alert.begun disputes 2+0, mails_wait 9+0'
  expect(await told()).toEqual([first])
  for (const [minute, disputes] of [
    [2, 3],
    [3, 4],
    [30, 4],
    [59, 3],
  ] as const)
    await see(minute, { disputes, mails_wait: 99, cases: 1 })
  const second = 'alert.begun cases 1+0'
  expect(await told()).toEqual([first, second])
  // One of them was closed, and two had come.
  await see(62, { disputes: 3, mails_wait: 99, cases: 1 })
  const third = 'alert.more disputes 3+2'
  expect(await told()).toEqual([first, second, third])
  for (const minute of [63, 90, 200, 700])
    await see(minute, { disputes: 3, mails_wait: 99, cases: 1 })
  expect(await told()).toEqual([first, second, third])
  await see(701, { disputes: 4, mails_wait: 99, cases: 3 })
  expect(await told()).toEqual([first, second, third, 'alert.more disputes 4+1, cases 3+2'])
})

test.each([
  'refunds_refused',
  'orders_undecided',
  'cases',
  'disputes',
  'by_hand',
  'differences',
  'unmatched_payments',
  'credit_debts',
  'sold_out',
  'low_stock',
  'dead_jobs',
  'broken_promises',
] as const)('a further one of %s is told, as each needs a person', (kind) => {
  expect(isRepeated({ kind })).toBe(true)
})

test('an address that is none, a webhook in the clear or without its secret are refused, and nobody is shown the secret', async () => {
  const { ctx } = database
  await ctx.db.deleteFrom('setting').where('key', '=', 'alerts').execute()
  for (const [path, value] of [
    ['alerts.email', 'nobody'],
    ['alerts.webhook', 'https://alerts.example/'],
    ['alerts.webhook_secret', 'whsec_short'],
    ['alerts.language', 'xx'],
  ] as const)
    await expect(set(path, value)).rejects.toMatchObject({ name: 'Refusal' })
  await set('alerts.webhook_secret', SECRET)
  for (const url of [
    'http://alerts.example/',
    'https://user:x@alerts.example/',
    'ftp://a.example/',
  ])
    await expect(set('alerts.webhook', url)).rejects.toMatchObject({ name: 'Refusal' })
  await set('alerts.webhook', 'https://alerts.example/')
  expect((await listSettings(ctx.db)).find(({ key }) => key === 'alerts')?.row).toEqual({
    webhook: 'https://alerts.example/',
    webhook_secret: '(hidden)',
  })
  const audited = await ctx.db.selectFrom('audit_log').select(['before', 'after']).execute()
  expect(JSON.stringify(audited)).not.toContain(SECRET)
})
