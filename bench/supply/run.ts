import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { preparePurchase, recordOutcome, takeQueued } from '#features/supply/purchase/commands.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { openClock } from '#platform/clock.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { addCurrencies, addItem, type TestItem } from '../../test/support/buying.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { supplyHands } from '../../test/support/supply-hands.ts'
import { SANDBOX_SECRET, startSupplySandbox } from '../../test/support/supply-sandbox.ts'
import { cpuSeconds } from '../process-figures.ts'
import { machine, otherWork, table, toKnow, toReach, type Row } from '../report.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

/**
 * What buying at suppliers takes: paid units through the sandbox, one worker, a durable database. `--units` are bought as fast as it
 * goes, `--rate` a second for `--seconds` at a steady pace, and `--unknown` purchases are asked about meanwhile.
 */
const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '3000' },
    rate: { type: 'string', default: '75' },
    seconds: { type: 'string', default: '30' },
    unknown: { type: 'string', default: '5000' },
  },
})
const wanted = {
  units: Number(values.units),
  rate: Number(values.rate),
  seconds: Number(values.seconds),
  unknown: Number(values.unknown),
}
const SUPPLIER = 'hook'
const PRODUCT = 'game:17live:jp:100'
const UNITS_AN_ORDER = 1
const PAID_AT_ONCE = 6
const WAIT_MS = 120_000
/** Beside the asking, fresh units come at this pace. */
const FRESH_A_SECOND = 25

const say = (line: string) => process.stderr.write(`${line}\n`)

interface Shop {
  readonly ctx: Ctx
  readonly item: TestItem
  readonly worker: () => Promise<ChildProcess>
  readonly sandboxCpu: () => Promise<number>
  readonly pay: (units: number) => Promise<void>
}

async function withShop<T>(work: (shop: Shop) => Promise<T>): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-supply-bench-'))
  const log = createLogger({ level: 'warn' })
  const server = await startEmbeddedPostgres({ dataDirectory, log })
  const sandbox = await startSupplySandbox()
  const db = openDatabase({ url: server.url, poolSize: 8, statementTimeoutMs: 600_000 })
  try {
    await migrate(server.url)
    const clock = await openClock(db, log)
    const ctx = createCtx({
      db,
      clock,
      keys: createKeys(Buffer.alloc(32, 7)),
      log,
      actor: 'system',
    })
    await addCurrencies(ctx)
    const item = await addItem(ctx, { delivery: 'direct_charge' })
    await registerSuppliers(ctx, [SUPPLIER])
    const cost = { minor: 700n, currency: 'USD' }
    const fields = { user_id: 'live_id' }
    const offer = { item: item.id, supplier: SUPPLIER, kind: 'topup', product: PRODUCT } as const
    await setOffers(ctx, [{ ...offer, priority: 0, face: null, cost, fields }])
    await sandbox.setBalance(SUPPLIER, 10n ** 10n)
    try {
      return await work({
        ctx,
        item,
        worker: () => startWorker(server.url, sandbox.originOf(SUPPLIER)),
        sandboxCpu: async () => cpuSeconds(sandbox.pid()) ?? Number.NaN,
        pay: (units) => pay(ctx, item, units),
      })
    } finally {
      clock.stop()
    }
  } finally {
    await db.destroy()
    await sandbox.stop()
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}

async function startWorker(databaseUrl: string, origin: string): Promise<ChildProcess> {
  const worker = fork(join(PROJECT_ROOT, 'bench/supply/worker.ts'), [
    databaseUrl,
    origin,
    SANDBOX_SECRET,
  ])
  await once(worker, 'message')
  return worker
}

async function end(worker: ChildProcess): Promise<void> {
  const gone = once(worker, 'exit')
  worker.disconnect()
  await gone
}

/** They are paid and wait for a moment that does not come by itself. */
async function pay(ctx: Ctx, item: TestItem, units: number): Promise<void> {
  const { paid } = supplyHands(
    () => ctx,
    createFakePayments(),
    () => item,
  )
  let left = units
  const lane = async () => {
    while (left > 0) {
      left -= UNITS_AN_ORDER
      await paid(UNITS_AN_ORDER, { user_id: 'sunny' })
    }
  }
  await Promise.all(Array.from({ length: PAID_AT_ONCE }, lane))
  await sql`update supply_queue set due_at = 'infinity', rank_at = 'infinity'`.execute(ctx.db)
  await sql`vacuum analyze`.execute(ctx.db)
}

/** All that wait become due from now on, so many a second; 0: at once. */
const release = (ctx: Ctx, perSecond: number) =>
  sql`update supply_queue q set due_at = each.at, rank_at = each.at from (
    select unit_id, clock_timestamp() + case when ${perSecond}::integer = 0 then interval '0' else row_number() over (order by unit_id) * interval '1 second' / greatest(${perSecond}::integer, 1) end as at
    from supply_queue where due_at = 'infinity') as each where each.unit_id = q.unit_id`.execute(
    ctx.db,
  )

const countQueued = async ({ db }: Ctx): Promise<number> =>
  (
    await sql<{
      count: number
    }>`select (select count(*) from supply_queue)::integer + (select count(*) from purchase where status = 'prepared')::integer as count`.execute(
      db,
    )
  ).rows[0]?.count ?? 0

async function untilBought(ctx: Ctx): Promise<void> {
  const limit = performance.now() + WAIT_MS
  while ((await countQueued(ctx)) > 0) {
    if (performance.now() > limit) throw new Error('the units were not bought in time')
    await sleep(200)
  }
}

async function asFastAsItGoes(shop: Shop, units: number): Promise<Row[]> {
  const { ctx } = shop
  await shop.pay(units)
  const worker = await shop.worker()
  const workerBefore = cpuSeconds(worker.pid ?? 0) ?? Number.NaN
  const sandboxBefore = await shop.sandboxCpu()
  const began = performance.now()
  await release(ctx, 0)
  await untilBought(ctx)
  const seconds = (performance.now() - began) / 1_000
  const sandboxCpu = (await shop.sandboxCpu()) - sandboxBefore
  const workerCpu = (cpuSeconds(worker.pid ?? 0) ?? Number.NaN) - workerBefore
  await end(worker)
  const perSecond = units / seconds
  const each = (cpu: number) => `${((cpu * 1_000) / units).toFixed(1)} ms a unit`
  return [
    toReach(
      'paid units bought, one worker',
      `${perSecond.toFixed(0)} a second`,
      '150',
      perSecond >= 150,
    ),
    toKnow("the worker's processor", each(workerCpu)),
    toKnow("the sandbox's processor", each(sandboxCpu)),
  ]
}

/** From its turn in the queue, which is when it was paid, to its delivery. */
async function spread(ctx: Ctx, since: Date): Promise<{ p50: number; p95: number; count: number }> {
  const { rows: found } = await sql<{ p50: number; p95: number; count: number }>`
    select count(*)::integer as count, coalesce(percentile_cont(0.5) within group (order by ms), 'NaN') as p50, coalesce(percentile_cont(0.95) within group (order by ms), 'NaN') as p95 from (
      select extract(epoch from u.delivered_at - d.due_at)::double precision * 1000 as ms from order_unit u join bench_due d on d.unit_id = u.id where u.delivered_at >= ${since}
    ) as took`.execute(ctx.db)
  return found[0] ?? { p50: Number.NaN, p95: Number.NaN, count: 0 }
}

async function atPace(shop: Shop, rate: number, seconds: number): Promise<Row[]> {
  const { ctx } = shop
  await shop.pay(rate * seconds)
  const took = await pacedThrough(shop, rate)
  return [
    toReach(
      `from its turn to credited, ${rate} a second, half of ${took.count}`,
      `${took.p50.toFixed(0)} ms`,
      '400 ms',
      took.p50 <= 400,
    ),
    toKnow('of 95 %', `${took.p95.toFixed(0)} ms`),
  ]

  async function pacedThrough({ worker: start }: Shop, perSecond: number) {
    const worker = await start()
    const since = ctx.now()
    await noteDue(ctx, perSecond)
    await untilBought(ctx)
    await end(worker)
    return spread(ctx, since)
  }
}

async function noteDue(ctx: Ctx, perSecond: number): Promise<void> {
  await sql`create table if not exists bench_due (unit_id uuid primary key, due_at timestamptz not null)`.execute(
    ctx.db,
  )
  await release(ctx, perSecond)
  await sql`insert into bench_due select unit_id, due_at from supply_queue on conflict do nothing`.execute(
    ctx.db,
  )
}

/** Purchases of which nobody knows, all of them due to be asked about at once; fresh units come meanwhile. */
async function besideUnknown(shop: Shop, unknown: number): Promise<Row[]> {
  const { ctx } = shop
  await shop.pay(unknown)
  await release(ctx, 0)
  const capabilities = { answersWithinSeconds: 30, maxQuantity: 1 }
  for (;;) {
    const units = await takeQueued(ctx, SUPPLIER, 64)
    if (units.length === 0) break
    await Promise.all(
      units.map(async (unit) => {
        const purchase = await preparePurchase(ctx, unit, { code: SUPPLIER, capabilities })
        if (purchase)
          await recordOutcome(
            ctx,
            purchase,
            { kind: 'unknown', why: 'the benchmark' },
            {
              idempotency: 'reference',
              notFoundIsFinalAfterSeconds: null,
              lookupMayBuyAfterSeconds: null,
            },
          )
      }),
    )
  }
  const fresh = FRESH_A_SECOND * wanted.seconds
  await shop.pay(fresh)
  await sql`update purchase set next_ask_at = now() where next_ask_at is not null`.execute(ctx.db)
  const asked = await countOpen(ctx)
  const worker = await shop.worker()
  const since = ctx.now()
  await noteDue(ctx, FRESH_A_SECOND)
  const began = performance.now()
  await untilBought(ctx)
  const left = await countDue(ctx, since)
  const seconds = (performance.now() - began) / 1_000
  await end(worker)
  const took = await spread(ctx, since)
  return [
    toReach(
      `fresh units, ${FRESH_A_SECOND} a second, beside ${asked} that are asked about, 95 % of ${took.count}`,
      `${took.p95.toFixed(0)} ms`,
      '1,000 ms',
      took.p95 <= 1_000,
    ),
    toKnow('of half', `${took.p50.toFixed(0)} ms`),
    toKnow('asked about meanwhile', `${asked - left} in ${seconds.toFixed(0)} s`),
  ]
}

const countOpen = async ({ db }: Ctx) =>
  Number(
    (
      await sql<{
        count: string
      }>`select count(*) from purchase where status = 'unknown'`.execute(db)
    ).rows[0]?.count ?? 0,
  )

/** Those that nobody has asked about since. */
const countDue = async ({ db }: Ctx, since: Date) =>
  Number(
    (
      await sql<{
        count: string
      }>`select count(*) from purchase where status = 'unknown' and next_ask_at <= ${since}`.execute(
        db,
      )
    ).rows[0]?.count ?? 0,
  )

const rows = await withShop(async (shop) => {
  say('units for as fast as it goes')
  const fast = await asFastAsItGoes(shop, wanted.units)
  say('units at a steady pace')
  const steady = await atPace(shop, wanted.rate, wanted.seconds)
  say('units beside purchases that nobody knows about')
  const beside = await besideUnknown(shop, wanted.unknown)
  return [...fast, ...steady, ...beside]
})
process.stdout.write(`${machine()}; ${otherWork()}\n\n${table(rows)}\n`)
process.exitCode = rows.every(({ isMet }) => isMet !== false) ? 0 : 1
