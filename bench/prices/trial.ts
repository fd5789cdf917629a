/**
 * Trying a margin rule for everything on a shop with as many items as asked for, in all currencies of the demo: `node bench/prices/trial.ts [--count 10000]`.
 * How long it takes alone, and how long the event loop was held meanwhile.
 */
import { mkdtempSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { importCatalogue, DEMO_FOLDER } from '#features/goods/transfer/commands.ts'
import { changePrices, tryPrices } from '#features/office/pricing/commands.ts'
import type { PriceChange } from '#features/office/pricing/schema.ts'
import { actingAs } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { machine, otherWork } from '../report.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' } } })
const count = Number(values.count)
const TRIES = 5
const folder = mkdtempSync(join(tmpdir(), 'lukado-trial-'))
const log = createLogger({ level: 'warn' })
/** The rule that is in force. */
let current = ''
const say = (text: string) => process.stdout.write(`${text}\n`)

say(`${machine()}, ${otherWork()}`)
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log })
await migrate(postgres.url)
const db = openDatabase({
  url: postgres.url,
  poolSize: 4,
  statementTimeoutMs: 60_000,
  idleInTransactionMs: 120_000,
})
try {
  await measure()
} finally {
  await db.destroy()
  await postgres.stop()
  removeDataFolder(folder)
}

async function measure(): Promise<void> {
  const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32, 7)), log, actor: 'bench' })
  const who = (role: OperatorRole) =>
    actingAs(ctx, { id: '00000000-0000-7000-8000-000000000000', name: role, role })
  await importCatalogue(ctx, DEMO_FOLDER)
  await makeItems()
  const { rows } = await sql<{ items: number; currencies: number }>`
    select (select count(*)::integer from item where status = 'active') as items, (select count(*)::integer from currency where is_checkout) as currencies`.execute(
    db,
  )
  say(`${rows[0]?.items} items on sale, ${rows[0]?.currencies} currencies`)
  await changePrices(who('owner'), rule(800), null)
  await timed('an owner tries a rule for everything', () => tryPrices(who('owner'), next(900)))
  await timed('somebody with a limit tries it', () => tryPrices(who('catalogue'), next(900)))
  await changePrices(
    who('owner'),
    { path: 'floor', floor: { basis_points: 200, after_fees: true } },
    null,
  )
  await timed('with a floor after fees', () => tryPrices(who('owner'), next(900)))
  await timed('a currency’s margin', () =>
    tryPrices(who('owner'), {
      path: 'currency',
      currency: 'EUR',
      margin_basis_points: 300,
      rounding_increment: '5',
      rounding_mode: 'up',
      charm: null,
    }),
  )
}

function rule(points: number, replaces: string | null = null): PriceChange {
  const scope = { brand: null, supplier: null, region: null, currency: null }
  return { path: 'rule', ...scope, basis_points: points, valid_from: null, replaces }
}

/** Puts another in the place of the rule that is in force. */
function next(points: number): PriceChange {
  return rule(points, current)
}

/** As many items as asked for, each with a cost of its own, beside the demo's. */
async function makeItems(): Promise<void> {
  await sql`
    insert into item (id, code, product, kind, name, price_minor, price_currency, cost_minor, cost_currency, position, status, source, updated_at)
    select gen_random_uuid(), 'card:trial:us:' || n, (select product from item where status = 'active' order by code limit 1), 'value', 'Trial ' || n,
      500 + n * 7, 'USD', 400 + n * 6, 'USD', n, 'active', 'bench', now() from generate_series(1, greatest(0, ${count} - (select count(*)::integer from item where status = 'active'))) n`.execute(
    db,
  )
}

async function timed(what: string, work: () => ReturnType<typeof tryPrices>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from margin_rule where valid_until is null limit 1`.execute(db)
  current = rows[0]?.id ?? ''
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const times: number[] = []
  let told = ''
  loop.enable()
  for (let left = TRIES; left > 0; left -= 1) {
    const began = performance.now()
    const { effect } = await work()
    times.push(performance.now() - began)
    told = `${effect.pricesChanged} of ${effect.prices} prices change, ${effect.itemsChanged} of ${effect.items} items`
  }
  loop.disable()
  const sorted = times.toSorted((one, other) => one - other)
  const middle = ((sorted[TRIES >> 1] ?? 0) / 1_000).toFixed(2)
  const most = ((sorted.at(-1) ?? 0) / 1_000).toFixed(2)
  say(
    `${what}: ${middle} s in the middle of ${TRIES}, ${most} s at most; the loop was held ${(loop.percentile(99) / 1e6).toFixed(0)} ms at p99, ${(loop.max / 1e6).toFixed(0)} ms at most (${told}; ${otherWork()})`,
  )
}
