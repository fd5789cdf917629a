import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { openClock } from './clock.ts'
import type { Db } from './db.ts'
import { PROJECT_ROOT } from './project.ts'

const database = useDatabase()
const DAY_MS = 86_400_000
const silent = { warn: () => {}, info: () => {} }

afterEach(() => void vi.restoreAllMocks())

/** Far from the hours by which the clock is wrong, and far more than a busy machine takes. */
const NEAR_MS = 60_000

const databaseTime = async (db: Db) =>
  (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)).rows[0]?.now.getTime() ??
  0

test("the time is the database's, whatever the clock of the machine is set to meanwhile, and never goes back", async () => {
  const real = Date.now.bind(Date)
  let skew = DAY_MS
  vi.spyOn(Date, 'now').mockImplementation(() => real() + skew)
  const clock = await openClock(database.ctx.db, silent, 20)
  const told: number[] = []
  for (const next of [DAY_MS, -DAY_MS, 0, 3_600_000]) {
    skew = next
    for (let look = 0; look < 20; look += 1) {
      told.push(clock.now().getTime())
      await sleep(3)
    }
    expect(Math.abs(clock.now().getTime() - (await databaseTime(database.ctx.db)))).toBeLessThan(
      NEAR_MS,
    )
    expect(Math.abs(clock.skewMs() - next)).toBeLessThan(NEAR_MS)
  }
  clock.stop()
  expect(told).toEqual(told.toSorted((a, b) => a - b))
})

test('a clock that is wrong is told once, and once more when it is right again', async () => {
  const real = Date.now.bind(Date)
  let skew = 60_000
  vi.spyOn(Date, 'now').mockImplementation(() => real() + skew)
  const lines: unknown[] = []
  const clock = await openClock(
    database.ctx.db,
    {
      warn: (text, fields) => void lines.push(['warn', text.includes('clock'), fields]),
      info: (text) => void lines.push(['info', text]),
    },
    10,
  )
  await sleep(100)
  skew = 0
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 60_000 })
  clock.stop()
  expect(lines).toEqual([
    ['warn', true, { seconds: 60 }],
    ['info', 'the clock of this machine is right again'],
  ])
})

test.each([DAY_MS, -DAY_MS])(
  "a process on a machine whose clock is %d ms off goes by the database's time",
  async (skew) => {
    const script = `
    const { openDatabase } = await import('#platform/db.ts')
    const { openClock } = await import('#platform/clock.ts')
    const { createCtx } = await import('#platform/ctx.ts')
    const db = openDatabase({ url: process.env.URL_OF_TEST, poolSize: 1, statementTimeoutMs: 5000 })
    const clock = await openClock(db, console)
    const ctx = createCtx({ db, clock, actor: 'test' })
    const fromId = parseInt(ctx.newId().replaceAll('-', '').slice(0, 12), 16)
    console.log(JSON.stringify({ machine: Date.now(), shop: ctx.now().getTime(), fromId, skew: clock.skewMs() }))
    clock.stop()
    await db.destroy()`
    const output = await run(
      [
        '--import',
        join(PROJECT_ROOT, 'test/support/skewed-clock.ts'),
        '--input-type=module',
        '-e',
        script,
      ],
      { SKEW_MS: String(skew), URL_OF_TEST: database.url },
    )
    const told = JSON.parse(output.trim().split('\n').at(-1) ?? '') as {
      machine: number
      shop: number
      fromId: number
      skew: number
    }
    expect(Math.abs(told.machine - Date.now() - skew)).toBeLessThan(30_000)
    expect(Math.abs(told.shop - Date.now())).toBeLessThan(30_000)
    expect(Math.abs(told.fromId - told.shop)).toBeLessThan(1_000)
    expect(Math.abs(told.skew - skew)).toBeLessThan(1_000)
  },
)

function run(args: readonly string[], environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: PROJECT_ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`ended with ${code}`)),
    )
  })
}
