/**
 * A supplier's whole catalogue into a shop with the demo's goods, and a change of every cost of it until it is in what pages are made of:
 * `node bench/prices/run.ts [--count 10000]`. The supplier is a process of its own, over HTTP.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import { addRule } from '#features/goods/price/commands.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { importCatalogue, DEMO_FOLDER } from '#features/goods/transfer/commands.ts'
import { publishDrafts } from '#features/supply/sync/commands.ts'
import { syncCatalogue } from '#features/supply/sync/flows.ts'
import { actingAs } from '#features/team/operator/commands.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { migrate } from '#platform/migrate.ts'
import { secret } from '#platform/secret.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { SANDBOX_SECRET, startSupplySandbox } from '../../test/support/supply-sandbox.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' } } })
const count = Number(values.count)
const folder = mkdtempSync(join(tmpdir(), 'lukado-prices-'))
const log = createLogger({ level: 'warn' })
const seconds = (since: number) => (performance.now() - since) / 1_000
const say = (text: string) => process.stdout.write(`${text}\n`)

const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log })
const sandbox = await startSupplySandbox()
await migrate(postgres.url)
const db = openDatabase({
  url: postgres.url,
  poolSize: 8,
  statementTimeoutMs: 60_000,
  idleInTransactionMs: 120_000,
})
try {
  await measure()
} finally {
  await db.destroy()
  await sandbox.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32, 7)), log, actor: 'bench' })
  const operator = actingAs(ctx, {
    id: '00000000-0000-7000-8000-000000000000',
    name: 'bench',
    role: 'owner',
  })
  await importCatalogue(ctx, DEMO_FOLDER)
  await sandbox.setBulk(count, 100)
  const settings = hook.sandbox(sandbox.originOf('hook'), SANDBOX_SECRET)
  const supplier = await hook.open(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, secret(value)])),
    ctx.now,
  )
  const sync = () => syncCatalogue(operator, supplier, { isDry: false, appliesJumps: false })
  let began = performance.now()
  const first = await sync()
  say(`first sync: ${seconds(began).toFixed(1)} s; ${JSON.stringify(first)}`)
  await publishDrafts(operator, 'hook', null)
  began = performance.now()
  await sync()
  say(`a sync that changes nothing: ${seconds(began).toFixed(1)} s`)
  await addRule(operator, {
    brand: null,
    supplier: null,
    region: null,
    currency: null,
    basisPoints: 800,
    validFrom: null,
  })
  let changedAt = 0
  const holder = await holdSnapshot({
    db,
    databaseUrl: postgres.url,
    log,
    onChange: () => (changedAt = performance.now()),
  })
  const sum = () => {
    const { catalogue, pricing } = holder.current()
    return catalogue.products
      .flatMap(({ items }) => items)
      .reduce((all, item) => all + (priceOf(pricing, item, US_DOLLAR).minor ?? 0n), 0n)
  }
  const before = sum()
  await sandbox.setBulk(count, 110)
  began = performance.now()
  const report = await sync()
  const synced = performance.now()
  while (changedAt < synced) await new Promise((resolve) => setTimeout(resolve, 20))
  say(
    `${report.costs} costs changed: read and written in ${((synced - began) / 1_000).toFixed(1)} s, in the pages' prices ${((changedAt - synced) / 1_000).toFixed(1)} s after (sum of prices ${before} → ${sum()})`,
  )
  await holder.close()
}
