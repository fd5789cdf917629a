import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { postMails } from '#features/people/mail/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { askForChecks, recordChecks, retryMails } from './commands.ts'
import { listChecks, listJobs, listNotices, listUnsentMails, readMachine } from './queries.ts'
import { CHECK_SWEEP, maskedAddress } from './rules.ts'

const database = useDatabase()
const reader = () => asOperator(database.ctx, 'ro', 'read-only')

async function post(...addresses: readonly string[]) {
  const { ctx } = database
  await transaction(ctx, (tx) =>
    postMails(
      tx,
      ctx,
      addresses.map((recipient) => ({
        kind: 'reset_code' as const,
        accountId: null,
        recipient,
        language: 'en' as const,
      })),
    ),
  )
}
const fail = (error: string) =>
  sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${error}`.execute(
    database.ctx.db,
  )

test('a failed mail is shown without whose it is, and sent again in the job that it shares', async () => {
  const { ctx } = database
  await post('ada.lovelace@shop.example', 'bo@shop.example')
  expect(await listUnsentMails(ctx.db, 'failed', null, 10)).toEqual([])
  await fail('550 <ada.lovelace@shop.example> No such mailbox')
  const failed = await listUnsentMails(ctx.db, 'failed', null, 10)
  expect(failed.map(({ to, isJobDead }) => [to, isJobDead]).toSorted()).toEqual([
    ['a•••@shop.example', true],
    ['b•••@shop.example', true],
  ])
  expect(failed[0]?.failure).toContain('550')
  expect(failed[0]?.failure).not.toContain('lovelace')
  const ids = failed.map(({ id }) => id)
  expect((await refused(retryMails(reader(), ids))).code).toBe('forbidden')
  expect(await retryMails(asOperator(ctx), ids)).toBe(2)
  expect(await listJobs(ctx.db, 'failed', null, 10)).toEqual([])
  expect(await listJobs(ctx.db, 'waiting', null, 10)).toMatchObject([
    { task: 'send_mail', attempts: 0 },
  ])
  await sql`update outgoing_mail set sent_at = now()`.execute(ctx.db)
  expect((await refused(retryMails(asOperator(ctx), ids))).code).toBe('changed_meanwhile')
})

test('a mail whose job is lost gets one of its own', async () => {
  const { ctx } = database
  await post('cy@shop.example')
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
    ctx.db,
  )
  const [lost] = await listUnsentMails(ctx.db, 'waiting', null, 10)
  expect(await retryMails(asOperator(ctx), [lost?.id ?? ''])).toBe(1)
  expect((await readMachine(ctx.db, ctx.now())).jobs.waiting).toBe(1)
})

test('what the doctor found is kept whole, the last time alone, and asked for by whoever may read it', async () => {
  const { ctx } = database
  const found = { problems: ['the disk is full'], work: [], note: '' }
  await recordChecks(ctx, [{ subject: 'old', ...found }])
  await recordChecks(ctx, [
    { subject: 'disk', ...found },
    { subject: 'clock', problems: [], work: [], note: 'all agree' },
  ])
  expect((await listChecks(ctx.db)).map(({ subject }) => subject)).toEqual(['disk', 'clock'])
  await ctx.db.insertInto('sweep').values({ name: CHECK_SWEEP }).execute()
  await askForChecks(reader())
  const row = await ctx.db
    .selectFrom('sweep')
    .select('wanted_at')
    .where('name', '=', CHECK_SWEEP)
    .executeTakeFirstOrThrow()
  expect(row.wanted_at).not.toBeNull()
  const catalogue = asOperator(ctx, 'cat', 'catalogue')
  expect((await refused(askForChecks(catalogue))).code).toBe('forbidden')
})

test('notices are read in pages, whatever stands in their names', async () => {
  const { ctx } = database
  for (const event of ['evt/1', 'evt/2', 'evt/3'])
    await sql`insert into provider_event (provider, event_id, kind, body, received_at) values ('one', ${event}, 'x', '', '2026-03-03T09:00:00Z')`.execute(
      ctx.db,
    )
  const page = await listNotices(ctx.db, null, 2)
  const last = page.at(-1)
  const next = await listNotices(
    ctx.db,
    { at: last?.receivedAt ?? new Date(), id: `${last?.provider}/${last?.event}` },
    2,
  )
  expect([...page, ...next].map(({ event }) => event)).toEqual(['evt/3', 'evt/2', 'evt/1'])
})

test('an address tells its domain and no more than a letter', () => {
  expect(maskedAddress('ada@shop.example')).toBe('a•••@shop.example')
  expect(maskedAddress('@shop.example')).toBe('•••')
})
