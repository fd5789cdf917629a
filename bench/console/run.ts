/**
 * The console of a shop with a million orders, five million keys, two hundred thousand shoppers and three million lines of audit: each
 * list, filter and page opened by one operator; then ten at work while shoppers buy, by turns with the shoppers alone; then all orders as a
 * file: `node bench/console/run.ts [--orders 1000000] [--parts lists,work,file]`. Web, worker, payment service and mail server are processes of their own.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { closeDays } from '#features/office/books/commands.ts'
import { addUpFigures } from '#features/office/figure/commands.ts'
import { addUpTallies } from '#features/office/report/commands.ts'
import { REPORTS } from '#features/office/report/rules.ts'
import { writeShelves } from '#features/buying/shelf/commands.ts'
import { makeKeys } from '#features/buying/vault/jobs.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { present } from '#kernel/assert.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { addGoods, addManyFreeKeys, addSoldOrders, inBulk, tidy } from '../buying/made-up.ts'
import { SECRET_KEY, startShop, type ShopProcesses } from '../buying/shop-processes.ts'
import { addShoppers, createWatch, type Shopper } from '../buying/shoppers.ts'
import { createTalk, type Talk } from '../load/talk.ts'
import { median } from '../median.ts'
import { runNode } from '../processes.ts'
import { cpuSeconds } from '../process-figures.ts'
import { grid, machine, milliseconds, otherWork, percent, table, toReach } from '../report.ts'
import { startOnce } from '../starts.ts'
import { buySteadily, operate, type Times } from './at-work.ts'
import { loadOf, loadTable, type Load } from './load.ts'
import { addAudit, addColleagues, addCustomers, addReported } from './made-up.ts'
import { hundredthPage, measurePage, openPage, type PageFigures } from './pages.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    parts: { type: 'string', default: 'lists,work,file' },
  },
})
const PARTS = new Set(values.parts.split(','))
const ORDERS = Number(values.orders)
const ROUNDS = Number(values.rounds)
const KEYS = ORDERS * 5
const SHOPPERS = ORDERS / 5
const AUDIT = ORDERS * 3
const COLLEAGUES = 10
const PURCHASES_A_SECOND = 30
const SECONDS = 20
const HOT_ITEM = 'card:steam:us:20'
/** A year of orders, one after another. */
const APART_SECONDS = Math.floor((320 * 86_400) / ORDERS)
const FIRST = 1
const TIME_ZONE = 'UTC'
const EXPORT_TIMEOUT_MS = 1_200_000
const IDLE_WITHIN_MS = 180_000
const IDLE_LOOK_MS = 5_000
const IDLE_SHARE = 0.05

const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'lukado-console-'))
const dataDirectory = join(folder, 'data')
const log = createLogger({ level: 'warn' })

say(`${machine()}; ${otherWork()}`)
await runNode([join(PROJECT_ROOT, 'scripts', 'build.ts'), '--if-stale'])
await startOnce(dataDirectory)
const postgres = await startEmbeddedPostgres({ dataDirectory, log })
const db = openDatabase({ url: postgres.url, poolSize: 12, statementTimeoutMs: 1_800_000 })
try {
  const ctx = createCtx({ db, keys: createKeys(SECRET_KEY), log, actor: 'system' })
  const shoppers = await fill(ctx)
  const cookies = await addColleagues(ctx, COLLEAGUES)
  const looked = await addressesOf(ctx)
  const shop = await startShop({
    databaseUrl: postgres.url,
    dataDirectory,
    folder,
    profileFolder: null,
  })
  try {
    if (PARTS.has('lists')) {
      // The worker's own statements would count.
      process.kill(shop.pids.worker, 'SIGSTOP')
      say(`\n${listTable(await measureLists(createTalk(shop.port), cookies, looked))}\n`)
      process.kill(shop.pids.worker, 'SIGCONT')
    }
    const addresses = looked.map(({ address }) => address)
    if (PARTS.has('work')) {
      await untilIdle(shop.pids.worker)
      await measureAtWork(ctx, shop, { shoppers, cookies, addresses })
    }
    if (PARTS.has('file'))
      await measureExport(createTalk(shop.port), present(cookies[0], 'an operator'))
  } finally {
    await shop.stop()
  }
} finally {
  await db.destroy()
  await postgres.stop()
  removeDataFolder(folder)
}

async function fill(ctx: Ctx): Promise<Shopper[]> {
  say('made-up shoppers, orders, keys and audit')
  const began = performance.now()
  await sql`insert into ledger_account (code, currency) select code, 'USD' from unnest(array['provider:bench', 'held', 'orders', 'sales', 'fees']) as code on conflict do nothing`.execute(
    ctx.db,
  )
  const goods = await addGoods(ctx.db, 'bench')
  const account = await addCustomers(ctx.db, SHOPPERS)
  await inBulk(ctx.db, async () => {
    await addSoldOrders(ctx.db, {
      account,
      goods,
      from: FIRST,
      count: ORDERS,
      unitsAnOrder: 1,
      apartSeconds: APART_SECONDS,
    })
    await addManyFreeKeys(ctx.db, goods, { from: FIRST, count: KEYS - ORDERS })
  })
  await tidy(ctx.db)
  await addAudit(ctx.db, AUDIT)
  await addReported(ctx.db)
  const vault = openVault(() => openVaultKeys({ dataDirectory, vaultKeys: undefined }))
  const stockable = present(await findStockable(ctx.db, HOT_ITEM), HOT_ITEM)
  await makeKeys(ctx, vault, [
    { ...stockable, count: PURCHASES_A_SECOND * SECONDS * (2 * ROUNDS + 2) },
  ])
  await writeShelves(ctx)
  say(`filled in ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  await addUp(ctx)
  return addShoppers(ctx, PURCHASES_A_SECOND * 10)
}

interface People {
  readonly shoppers: readonly Shopper[]
  /** Of operators. */
  readonly cookies: readonly string[]
}

interface Looked {
  readonly what: string
  readonly address: string
  /** A page of one thing, which has no hundredth. */
  readonly isOne?: boolean
}

/** What the worker of a shop that has long been there has added up: its books, and its figures. */
async function addUp(ctx: Ctx): Promise<void> {
  const began = performance.now()
  await closeDays(ctx, TIME_ZONE)
  const closed = performance.now()
  await ctx.db.deleteFrom('figure_progress').execute()
  const signal = new AbortController().signal
  do await addUpFigures(ctx, TIME_ZONE, signal)
  while (await ctx.db.selectFrom('figure_due').select('begins').limit(1).executeTakeFirst())
  const figures = performance.now()
  do await addUpTallies(ctx, TIME_ZONE, signal)
  while (await ctx.db.selectFrom('tally_due').select('begins').limit(1).executeTakeFirst())
  const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(0)} s`
  say(
    `the books of a year closed in ${seconds(began, closed)}, its figures added up in ${seconds(closed, figures)}, what is reported beside in ${seconds(figures, performance.now())}`,
  )
}

/** What operators open, by real numbers of this shop. */
async function addressesOf(ctx: Ctx): Promise<readonly Looked[]> {
  const { rows } = await sql<{ number: string; customer: string; batch: string }>`
    select o.number, a.user_id as customer, (select b.id from key_batch b join item i on i.id = b.item where i.code = 'card:bench:10' limit 1) as batch
    from shop_order o join account a on a.id = o.account_id order by o.created_at desc offset ${ORDERS / 2}::integer limit 1`.execute(
    ctx.db,
  )
  const { number, customer, batch } = present(rows[0], 'an order')
  const day = '2026-03-01'
  return [
    { what: 'home', address: '/', isOne: true },
    { what: 'home: a year by brand', address: '/?period=year&by=brand', isOne: true },
    { what: 'home: a year by country', address: '/?period=year&by=country', isOne: true },
    ...REPORTS.map((report) => ({
      what: `report of a year: ${report}`,
      address: `/reports?report=${report}&period=year&ago=0&compare=year`,
      isOne: true,
    })),
    {
      what: 'report of a year: sales in USD by country',
      address: '/reports?report=sales&period=year&currency=USD&by=country',
      isOne: true,
    },
    { what: 'orders', address: '/orders' },
    { what: 'orders that need a person', address: '/orders?view=attention' },
    { what: 'completed orders', address: '/orders?view=done' },
    { what: 'orders by method', address: '/orders?method=card' },
    { what: 'orders by product', address: '/orders?product=bench-global' },
    { what: 'orders by a product nobody bought', address: '/orders?product=steam-us' },
    { what: 'orders of a month', address: `/orders?since=${day}&until=2026-03-31` },
    { what: 'orders above an amount', address: '/orders?currency=USD&least=5' },
    { what: 'orders above an amount that none has', address: '/orders?currency=USD&least=5000' },
    { what: 'orders with a case', address: '/orders?case=open' },
    { what: 'an order', address: `/orders/${number}`, isOne: true },
    { what: 'customers', address: '/customers' },
    { what: 'frozen customers', address: '/customers?view=frozen' },
    { what: 'a customer', address: `/customers/${customer}`, isOne: true },
    { what: 'cases', address: '/cases' },
    { what: 'shelves', address: '/keys' },
    { what: 'a shelf', address: '/keys/card:bench:10', isOne: true },
    { what: 'keys of a batch', address: `/keys/card:bench:10/${batch}` },
    { what: 'delivery by hand', address: '/by-hand' },
    { what: 'money: providers', address: '/money', isOne: true },
    { what: 'money: ledger', address: '/money?view=ledger', isOne: true },
    { what: 'money: bank', address: '/money?view=bank' },
    { what: 'audit', address: '/audit' },
    { what: 'audit of a colleague', address: '/audit?actor=colleague3' },
    { what: 'audit of an action', address: '/audit?action=key.see' },
    { what: 'audit of a day', address: `/audit?from=${day}&until=${day}` },
    { what: 'audit of somebody unknown', address: '/audit?actor=nobody' },
    { what: 'approvals', address: '/approvals' },
    { what: 'the machine', address: '/system', isOne: true },
  ]
}

async function measureLists(
  talk: Talk,
  [first]: readonly string[],
  looked: readonly Looked[],
): Promise<readonly PageFigures[]> {
  const cookie = present(first, 'an operator')
  const found: PageFigures[] = []
  for (const { what, address, isOne } of looked) {
    found.push(await measurePage(db, talk, cookie, { what, page: 1, address }))
    const far = isOne ? undefined : await hundredthPage(talk, cookie, address)
    if (far !== undefined)
      found.push(await measurePage(db, talk, cookie, { what, page: 100, address: far }))
  }
  return found
}

function listTable(figures: readonly PageFigures[]): string {
  return grid(
    ['page', 'number', 'in SQL', 'HTTP, median', 'p95', 'slowest'],
    figures.map((one) => [
      one.what,
      String(one.page),
      ...[one.sql, one.p50, one.p95, one.max].map(milliseconds),
    ]),
  )
}

/** A worker that has just begun, or stood still, has much to look through first. */
async function untilIdle(pid: number): Promise<void> {
  for (let waited = 0; waited < IDLE_WITHIN_MS; waited += IDLE_LOOK_MS) {
    const before = cpuSeconds(pid) ?? 0
    await sleep(IDLE_LOOK_MS)
    if (((cpuSeconds(pid) ?? 0) - before) * 1_000 < IDLE_LOOK_MS * IDLE_SHARE) return
  }
}

/** Purchases alone and beside ten operators, by turns. */
async function measureAtWork(
  ctx: Ctx,
  shop: ShopProcesses,
  { shoppers, cookies, addresses }: People & { readonly addresses: readonly string[] },
): Promise<void> {
  const way = {
    shop: createTalk(shop.port),
    payment: createTalk(shop.paymentPort),
    item: HOT_ITEM,
    watch: createWatch(ctx),
  }
  const talk = createTalk(shop.port)
  const pace = { perSecond: PURCHASES_A_SECOND, seconds: SECONDS }
  await buySteadily(shoppers, way, { ...pace, seconds: SECONDS / 2 })
  await operate(talk, cookies, addresses, SECONDS)
  const alone: Times[] = []
  const beside: Times[] = []
  const pages: Times[] = []
  const opened: { readonly address: string; readonly took: number }[] = []
  const loads = { alone: [] as Load[], beside: [] as Load[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = loadOf(shop)
    alone.push((await buySteadily(shoppers, way, pace)).times)
    const between = loadOf(shop)
    const [{ times }, operated] = await Promise.all([
      buySteadily(shoppers, way, pace),
      operate(talk, cookies, addresses, SECONDS),
    ])
    beside.push(times)
    pages.push(operated.times)
    opened.push(...operated.opened)
    loads.alone.push(between.since(before))
    loads.beside.push(loadOf(shop).since(between))
  }
  say(loadTable(loads))
  say(slowest(opened))
  const p95 = (times: readonly Times[]) => median(times.map((one) => one.p95))
  const longer = p95(beside) / p95(alone) - 1
  say(
    table([
      toReach(
        `pages of ten operators beside ${PURCHASES_A_SECOND} purchases a second, p95`,
        milliseconds(p95(pages)),
        '≤ 120 ms',
        p95(pages) <= 120,
      ),
      toReach(
        `purchases, p95: ${milliseconds(p95(alone))} alone, ${milliseconds(p95(beside))} beside ten operators`,
        percent(longer),
        '≤ 5 % longer',
        longer <= 0.05,
      ),
    ]),
  )
}

/** The five pages that took longest, as each was at its middle. */
function slowest(opened: readonly { readonly address: string; readonly took: number }[]): string {
  const byAddress = Map.groupBy(opened, ({ address }) => address)
  const rows = [...byAddress]
    .map(([address, ones]) => ({ address, middle: median(ones.map(({ took }) => took)) }))
    .toSorted((one, other) => other.middle - one.middle)
    .slice(0, 5)
  return grid(
    ['slowest pages of ten operators', 'median'],
    rows.map(({ address, middle }) => [address, milliseconds(middle)]),
  )
}

/** All orders as a file, from the press until it is there. */
async function measureExport(talk: Talk, cookie: string): Promise<void> {
  const began = performance.now()
  const { text } = await talk(
    'POST',
    '/api/console/exports/make',
    [`cookie: ${cookie}`, 'sec-fetch-site: same-origin', 'content-type: application/json'],
    { kind: 'orders', from: '2026-01-01', until: '2026-12-31' },
  )
  const { code } = JSON.parse(text) as { readonly code: number }
  if (code !== 1) throw new Error(`no export: ${text.slice(0, 300)}`)
  for (;;) {
    const { state } = await openPage(talk, cookie, '/exports')
    const [run] = (state.data as { runs?: readonly { state: string; rows: unknown }[] }).runs ?? []
    if (run?.state === 'done' || run?.state === 'failed') {
      const seconds = (performance.now() - began) / 1_000
      say(`orders as a file: ${run.state}, ${String(run.rows)} rows in ${seconds.toFixed(0)} s`)
      return
    }
    if (performance.now() - began > EXPORT_TIMEOUT_MS) throw new Error('the export takes too long')
    await sleep(500)
  }
}
