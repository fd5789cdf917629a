/**
 * A supplier's whole catalogue into a shop with the demo's goods, and a change of every cost of it until the shop's pages show the new prices:
 * `node bench/prices/run.ts [--count 10000]`. The supplier and the web process are processes of their own, over HTTP.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { productPath, type Product } from '#features/goods/catalogue/rules.ts'
import { addRule } from '#features/goods/price/commands.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { importCatalogue, DEMO_FOLDER } from '#features/goods/transfer/commands.ts'
import { publishDrafts } from '#features/supply/sync/commands.ts'
import { syncCatalogue } from '#features/supply/sync/flows.ts'
import { actingAs } from '#features/team/operator/commands.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { migrate } from '#platform/migrate.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { secret } from '#platform/secret.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { SANDBOX_SECRET, startSupplySandbox } from '../../test/support/supply-sandbox.ts'
import { runNode, startWeb } from '../processes.ts'
import { machine, otherWork } from '../report.ts'
import { currencyCookie } from '../shop.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' } } })
const count = Number(values.count)
const folder = mkdtempSync(join(tmpdir(), 'lukado-prices-'))
const log = createLogger({ level: 'warn' })
/** That are watched, and how long at most. */
const PAGES = 50
const SHOWN_WITHIN_MS = 60_000
const seconds = (since: number) => (performance.now() - since) / 1_000
const say = (text: string) => process.stdout.write(`${text}\n`)

say(`${machine()}, ${otherWork()}`)
await runNode([join(PROJECT_ROOT, 'scripts', 'build.ts'), '--if-stale'])
const dataDirectory = join(folder, 'data')
const postgres = await startEmbeddedPostgres({ dataDirectory, log })
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
  removeDataFolder(folder)
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
  const web = await startWeb(postgres.url, dataDirectory, { profileFolder: null })
  try {
    await measureChange(sync, web.port)
  } finally {
    await web.stop()
  }
}

interface Watched {
  readonly url: string
  /** As the page writes it. */
  readonly price: string
}

/** Pages all over the made-up goods, with the price of their first item as it is in the database. */
async function watchedPages(port: number): Promise<Watched[]> {
  const { catalogue, pricing } = await loadSnapshot(db, 1)
  const own = catalogue.products.filter(({ code }) => code.startsWith('hook-bulk-game-'))
  const every = Math.max(1, Math.floor(own.length / PAGES))
  return own
    .filter((_, index) => index % every === 0)
    .flatMap((product: Product) => {
      const [item] = product.items
      const minor = item ? priceOf(pricing, item, US_DOLLAR).minor : null
      return minor === null
        ? []
        : [{ url: `http://127.0.0.1:${port}${productPath(product)}`, price: toMajor(minor, 2) }]
    })
}

/** Whether a page, asked for as a visitor does, shows a price. */
async function shows({ url, price }: Watched): Promise<boolean> {
  const answer = await fetch(url, {
    headers: { 'accept-language': 'en', cookie: currencyCookie('USD') },
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`)
  return new RegExp(`(?<![\\d.,])${price.replace('.', '\\.')}(?!\\d)`).test(text)
}

/** All costs rise by a tenth; the pages, which are kept ready, are asked for one after another until each of them shows its new price. */
async function measureChange(sync: () => Promise<{ costs: number }>, port: number): Promise<void> {
  const before = await watchedPages(port)
  for (const page of before)
    if (!(await shows(page))) throw new Error(`${page.url} does not show ${page.price} at first`)
  await sandbox.setBulk(count, 110)
  const began = performance.now()
  const { costs } = await sync()
  const committed = performance.now()
  const after = await watchedPages(port)
  const changed = after.filter(({ price }, index) => price !== before[index]?.price)
  if (changed.length < after.length / 2) throw new Error('too few of the watched prices changed')
  let first: number | null = null
  for (let open = changed; open.length > 0; ) {
    const left: Watched[] = []
    for (const page of open)
      if (!(await shows(page))) left.push(page)
      else first ??= performance.now()
    open = left
    if (performance.now() - committed > SHOWN_WITHIN_MS)
      throw new Error(`${open.length} pages do not show their new prices`)
  }
  const since = (at: number) => ((at - committed) / 1_000).toFixed(1)
  say(
    `${costs} costs changed: read and written in ${((committed - began) / 1_000).toFixed(1)} s; over HTTP the first of ${changed.length} product pages shows its new price ${since(first ?? committed)} s after, the last ${since(performance.now())} s (${otherWork()})`,
  )
}
