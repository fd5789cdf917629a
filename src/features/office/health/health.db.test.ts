import { run } from 'graphile-worker'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { enqueue, transaction } from '#platform/ctx.ts'
import { addCurrencies, addItem, buy } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { retryDeadJobs } from './commands.ts'
import { listDeadJobs, readHealth, readOldestWork } from './queries.ts'
import { healthProblems, type HealthProblem } from './rules.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

const problems = async (minutes = 0): Promise<HealthProblem['kind'][]> => {
  const { db, now } = minutesLater(database.ctx, minutes)
  return healthProblems(await readHealth(db, now(), ['stripe']), now()).map(({ kind }) => kind)
}
const seen = (skewMs: number) => {
  const now = database.ctx.now()
  return database.ctx.db
    .insertInto('running_process')
    .values({
      id: randomUUID(),
      kind: 'worker',
      started_at: now,
      seen_at: now,
      clock_skew_ms: skewMs,
    })
    .execute()
}

test('a shop without a worker says so, and again once its worker is seen no more', async () => {
  expect(await problems()).toEqual(['no_worker'])
  await seen(0)
  expect(await problems()).toEqual([])
  expect(await problems(2)).toEqual(['no_worker'])
})

test('a clock that is off, a sweep that fails or is not done, and what waits too long are told', async () => {
  const { ctx } = database
  await seen(86_400_000)
  await ctx.db
    .insertInto('sweep')
    .values([
      { name: 'fails', begun_at: ctx.now(), failures: 3, error: 'no luck' },
      { name: 'forgotten', begun_at: new Date(ctx.now().getTime() - 2 * 86_400_000) },
    ])
    .execute()
  await sql`insert into outgoing_mail (id, kind, recipient, language, params, created_at) values (${ctx.newId()}, 'reset_code', 'a@shop.example', 'en', '{}', ${ctx.now()})`.execute(
    ctx.db,
  )
  await sql`insert into provider_event (provider, event_id, kind, body, received_at) values ('stripe', 'evt_1', 'x', '', ${ctx.now()})`.execute(
    ctx.db,
  )
  expect(await problems()).toEqual(['clock', 'sweeps', 'sweeps'])
  expect(await problems(6)).toEqual(['no_worker', 'sweeps', 'sweeps', 'mails_wait', 'notices_wait'])
})

test('payments due at a provider that the shop has no more, and items of which nothing is left, are counted', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const order = await buy(ctx, [{ item }])
  const attempt = {
    id: ctx.newId(),
    public_id: randomUUID().replaceAll('-', '').slice(0, 22),
    order_id: order.id,
    method: 'card',
    currency: 'USD',
    amount_minor: '1000',
    check_at: ctx.now(),
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  await ctx.db
    .insertInto('payment_attempt')
    .values({ ...attempt, provider: 'gone' })
    .execute()
  expect(await readHealth(ctx.db, ctx.now(), ['stripe'])).toMatchObject({
    withoutProvider: [{ provider: 'gone', count: 1 }],
    soldOutItems: 1,
    refusedRefunds: 0,
  })
  expect(await problems()).toContain('provider_gone')
})

test('of what waits for a person the oldest is told, and nothing of what is done', async () => {
  const { ctx } = database
  expect(await readOldestWork(ctx.db, ctx.now())).toEqual({})
  const item = await addItem(ctx)
  const day = (date: number) => new Date(Date.UTC(2026, 8, date))
  const asked = async (date: number, status: 'open' | 'declined') => {
    const order = await buy(ctx, [{ item }])
    const decided = status === 'open' ? {} : { decided_by: 'operator:ann', decided_at: day(20) }
    await ctx.db
      .insertInto('service_case')
      .values({
        id: ctx.newId(),
        public_id: randomUUID().replaceAll('-', '').slice(0, 22),
        kind: 'refund_request',
        order_id: order.id,
        account_id: order.accountId,
        reason: 'other',
        status,
        created_at: day(date),
        ...decided,
      })
      .execute()
  }
  await asked(1, 'declined')
  await asked(3, 'open')
  await asked(2, 'open')
  expect(await readOldestWork(ctx.db, ctx.now())).toEqual({ cases: day(2) })
  expect((await readHealth(ctx.db, ctx.now(), [])).work).toMatchObject({ cases: 2, disputes: 0 })
})

test('a job that failed too often is told, listed without what it was to do, and tried again when asked', async () => {
  const { ctx, url } = database
  await transaction(ctx, (tx) => enqueue(tx, 'send_sms', { secret: 'of a person' }, 'dead'))
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no luck' where key = 'dead'`.execute(
    ctx.db,
  )
  expect(await problems()).toContain('dead_jobs')
  const [dead] = await listDeadJobs(ctx.db, 10)
  expect(dead).toMatchObject({ task: 'send_sms', error: 'no luck' })
  expect(JSON.stringify(dead)).not.toContain('person')
  expect(await retryDeadJobs(asOperator(ctx), ['0'])).toBe(0)
  expect(await retryDeadJobs(asOperator(ctx), [dead?.id ?? ''])).toBe(1)
  const done: unknown[] = []
  const pgPool = new pg.Pool({ connectionString: url }).on('error', () => {})
  const runner = await run({
    pgPool,
    noHandleSignals: true,
    taskList: { send_sms: (payload) => void done.push(payload) },
  })
  await expect.poll(() => done).toEqual([{ secret: 'of a person' }])
  await runner.stop()
  await pgPool.end()
  expect(await problems()).not.toContain('dead_jobs')
})
