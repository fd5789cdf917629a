import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { dueSince, runSweeps, type SweepRunner } from './sweep-runner.ts'

const database = useDatabase()
const runners: SweepRunner[] = []
const quiet = { ...console, child: () => quiet, error: () => {}, warn: () => {} }
beforeEach(() => sql`delete from sweep`.execute(database.ctx.db))
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())))

const hourly = { everySeconds: 3_600 }
const start = (
  run: (signal: AbortSignal) => Promise<unknown>,
  { ctx = database.ctx, name = 'a_sweep', holder = randomUUID() } = {},
) => {
  const runner = runSweeps({ ...ctx, log: quiet }, [{ name, due: hourly, run }], holder)
  runners.push(runner)
  return runner
}
const row = (name = 'a_sweep') =>
  database.ctx.db.selectFrom('sweep').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

test('of several processes one does it, once when it is due, and what came of it is on record', async () => {
  let [count, most, now] = [0, 0, 0]
  const run = async () => {
    most = Math.max(most, (now += 1))
    count += 1
    await sleep(300)
    now -= 1
  }
  for (let process = 0; process < 4; process += 1) start(run)
  await vi.waitFor(
    async () => expect(await row()).toMatchObject({ error: null, failures: 0, leased_by: null }),
    { timeout: 60_000 },
  )
  await vi.waitFor(async () => expect((await row()).finished_at).not.toBeNull(), {
    timeout: 60_000,
  })
  await sleep(1_200)
  expect([count, most]).toEqual([1, 1])
  expect((await row()).duration_ms).toBeGreaterThan(250)
})

test('one that is wanted while it runs is run once more, by whoever has it', async () => {
  let count = 0
  const runner = start(async () => {
    count += 1
    await sleep(200)
  })
  await vi.waitFor(() => expect(count).toBe(1), { timeout: 60_000 })
  await Promise.all([runner.want('a_sweep'), runner.want('a_sweep')])
  await vi.waitFor(() => expect(count).toBe(2), { timeout: 60_000 })
  await sleep(1_200)
  expect(count).toBe(2)
})

test('one that fails says so, and is tried again when it is due', async () => {
  let count = 0
  const runner = start(async () => {
    count += 1
    throw new Error('no luck')
  })
  await vi.waitFor(
    async () =>
      expect(await row()).toMatchObject({ error: 'no luck', failures: 1, leased_by: null }),
    { timeout: 60_000 },
  )
  await runner.want('a_sweep')
  await vi.waitFor(async () => expect((await row()).failures).toBe(2), { timeout: 60_000 })
  expect(count).toBe(2)
})

test('what a killed process had goes to another once its lease is over, and not before', async () => {
  const { ctx } = database
  await ctx.db
    .insertInto('sweep')
    .values({
      name: 'a_sweep',
      begun_at: new Date(ctx.now().getTime() - 7_200_000),
      leased_by: randomUUID(),
      leased_until: new Date(ctx.now().getTime() + 2_000),
    })
    .execute()
  let count = 0
  start(async () => void (count += 1))
  await sleep(1_200)
  expect(count).toBe(0)
  await vi.waitFor(() => expect(count).toBe(1), { timeout: 60_000 })
})

test.each([24 * 60, -24 * 60])(
  'a process whose clock was %d minutes off leaves nothing behind that stops a sweep',
  async (minutes) => {
    let count = 0
    const wrong = start(async () => void (count += 1), { ctx: minutesLater(database.ctx, minutes) })
    await vi.waitFor(() => expect(count).toBe(1), { timeout: 60_000 })
    await vi.waitFor(async () => expect((await row()).finished_at).not.toBeNull(), {
      timeout: 60_000,
    })
    await wrong.stop()
    start(async () => void (count += 1))
    await vi.waitFor(() => expect(count).toBe(2), { timeout: 60_000 })
    await sleep(1_200)
    expect(count).toBe(2)
  },
)

test('even a lease of a day ahead, of a process that died with a wrong clock, holds nobody up', async () => {
  const ahead = new Date(database.ctx.now().getTime() + 86_400_000)
  await database.ctx.db
    .insertInto('sweep')
    .values({ name: 'a_sweep', begun_at: ahead, leased_by: randomUUID(), leased_until: ahead })
    .execute()
  let count = 0
  start(async () => void (count += 1))
  await vi.waitFor(() => expect(count).toBe(1), { timeout: 60_000 })
})

test('stopping ends what runs between two steps, and waits for it', async () => {
  let isAborted = false
  const runner = start(async (signal) => {
    while (!signal.aborted) await sleep(10)
    isAborted = true
  })
  await vi.waitFor(async () => expect((await row()).leased_by).not.toBeNull(), { timeout: 60_000 })
  await runner.stop()
  expect([isAborted, (await row()).leased_by]).toEqual([true, null])
})

test('what is done daily is due once from its minute on, and what is done again and again a while after it began', () => {
  const now = new Date('2026-11-23T06:00:00Z')
  expect(dueSince({ everySeconds: 60 }, now)).toEqual(new Date('2026-11-23T05:59:00Z'))
  expect(dueSince({ dailyAtMinute: 0 }, now)).toEqual(new Date('2026-11-23T00:00:00Z'))
  expect(dueSince({ dailyAtMinute: 359 }, now)).toEqual(new Date('2026-11-23T05:59:00Z'))
  expect(dueSince({ dailyAtMinute: 361 }, now)).toEqual(new Date('2026-11-22T06:01:00Z'))
})
