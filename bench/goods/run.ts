/**
 * The grid of goods of a shop with a hundred thousand items: its first and its thousandth page, a typed filter, and a change of ten thousand prices
 * until the shop shows it, while visitors look: `node bench/goods/run.ts [--items 100000]`. The web process is one of its own, over HTTP.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { importCatalogue, DEMO_FOLDER } from '#features/goods/transfer/commands.ts'
import { createFirstOwner } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { addColleagues } from '../console/made-up.ts'
import { hundredthPage, openPage } from '../console/pages.ts'
import { quantile } from '../load/client.ts'
import { createTalk, type Talk } from '../load/talk.ts'
import { runNode, startWeb } from '../processes.ts'
import { machine, milliseconds, otherWork, table, toReach, type Row } from '../report.ts'
import { currencyCookie } from '../shop.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const { values } = parseArgs({ options: { items: { type: 'string', default: '100000' } } })
const ITEMS = Number(values.items)
const A_PRODUCT = 50
const CHANGED = 10_000
/** Items of a product that the filter finds: those with a 4 in their name, and a few by chance. */
const SHARE = 15
const TRIES = 40
const SHOWN_WITHIN_MS = 60_000
const PAGE_MOST = 120
const FILTER_MOST = 100
const CHANGE_MOST = 5_000
const VISITOR_MOST = 50

const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), 'lukado-goods-'))
const dataDirectory = join(folder, 'data')
const log = createLogger({ level: 'warn' })

say(`${machine()}; ${otherWork()}`)
await runNode([join(PROJECT_ROOT, 'scripts', 'build.ts'), '--if-stale'])
const postgres = await startEmbeddedPostgres({ dataDirectory, log })
await migrate(postgres.url)
const db = openDatabase({ url: postgres.url, poolSize: 8, statementTimeoutMs: 600_000 })
try {
  const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32, 1)), log, actor: 'system' })
  await importCatalogue(ctx, DEMO_FOLDER)
  await addItems()
  await createFirstOwner(ctx, { name: 'bench', password: 'correct horse battery' })
  const [cookie] = await addColleagues(ctx, 1)
  const web = await startWeb(postgres.url, dataDirectory, { profileFolder: null })
  try {
    say(table(await measure(createTalk(web.port), present(cookie, 'an operator'))))
  } finally {
    await web.stop()
  }
} finally {
  await db.destroy()
  await postgres.stop()
  removeDataFolder(folder)
}

/** Products of fifty items each, all of one region. */
async function addItems(): Promise<void> {
  const products = Math.ceil(ITEMS / A_PRODUCT)
  await sql`insert into brand (code, kind, type, name, delivery, source)
    select 'made-up-' || n, case when n <= ${sql.lit(Math.ceil(CHANGED / SHARE))} then 'gift_card' else 'game_card' end, 1, 'Made Up ' || n, 'card_key', 'catalogue:bench' from generate_series(1, ${sql.lit(products)}) as n`.execute(
    db,
  )
  await sql`insert into product (code, brand, region, position, source)
    select 'made-up-' || n, 'made-up-' || n, (select code from region order by position limit 1), 0, 'catalogue:bench' from generate_series(1, ${sql.lit(products)}) as n`.execute(
    db,
  )
  await sql`insert into item (id, code, product, kind, name, price_minor, price_currency, cost_minor, cost_currency, stock, position, source, updated_at)
    select uuidv7(), 'card:made-up-' || p || ':all:' || n, 'made-up-' || p, 'edition', 'Edition ' || n, 1000 + n, 'USD', 900, 'USD', 5, n, 'catalogue:bench', now()
    from generate_series(1, ${sql.lit(products)}) as p cross join generate_series(1, ${sql.lit(A_PRODUCT)}) as n`.execute(
    db,
  )
  await sql`vacuum analyze item, product, brand`.execute(db)
}

async function p95(talk: Talk, cookie: string, address: string): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < TRIES; index += 1)
    times.push((await openPage(talk, cookie, address)).took)
  return quantile(Float64Array.from(times).sort(), 0.95)
}

async function thousandthPage(talk: Talk, cookie: string): Promise<string> {
  let address = '/products'
  for (let hundreds = 0; hundreds < 10; hundreds += 1)
    address = (await hundredthPage(talk, cookie, address)) ?? address
  return address
}

async function measure(talk: Talk, cookie: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  const row = (what: string, value: number, most: number) =>
    rows.push(toReach(what, milliseconds(value), `≤ ${most} ms`, value <= most))
  row('grid, first page, p95', await p95(talk, cookie, '/products'), PAGE_MOST)
  const far = await thousandthPage(talk, cookie)
  row('grid, thousandth page, p95', await p95(talk, cookie, far), PAGE_MOST)
  for (const find of ['edition 7', 'made up 1234', 'steam'])
    row(
      `typed "${find}", p95`,
      await p95(talk, cookie, `/products?find=${encodeURIComponent(find)}`),
      FILTER_MOST,
    )
  const { goods, shown, told, visitor } = await changePrices(talk, cookie)
  row(`effect of ${goods} prices`, told, CHANGE_MOST)
  row(`${goods} prices, until the shop shows them`, shown, CHANGE_MOST)
  row('visitors meanwhile, p99', visitor, VISITOR_MOST)
  return rows
}

async function call<T>(talk: Talk, cookie: string, path: string, body: object): Promise<T> {
  const { status, text } = await talk(
    'POST',
    `/api/console/${path}`,
    [`cookie: ${cookie}`, 'content-type: application/json', 'sec-fetch-site: same-origin'],
    body,
  )
  const envelope = JSON.parse(text) as { code: number; data: T }
  if (envelope.code !== 1) throw new Error(`${path} answers ${status}: ${text.slice(0, 500)}`)
  return envelope.data
}

/** A tenth more for ten thousand items, told and made, while one visitor after another opens pages of the demo's goods. */
async function changePrices(talk: Talk, cookie: string) {
  const asked = {
    rule: { by: 'percent', basis_points: 1_000 },
    filter: { find: 'made up edition 4', kind: 'gift_card' },
  }
  let began = performance.now()
  const effect = await call<{ hash: string; goods: number }>(talk, cookie, 'goods/try', asked)
  const told = performance.now() - began
  const watching = { isOver: false, times: [] as number[] }
  const visitor = visit(talk, watching)
  began = performance.now()
  await call(talk, cookie, 'goods/change', {
    ...asked,
    kind: 'bulk',
    key: 'bench-change-1',
    hash: effect.hash,
  })
  say(`made within ${milliseconds(performance.now() - began)}`)
  const [item] = (
    await sql<{ code: string; minor: string }>`
      select i.product as code, i.price_minor::text as minor from item i join goods_change_row r on r.code = i.code order by i.code desc limit 1`.execute(
      db,
    )
  ).rows
  const price = (Number(item?.minor ?? 0) / 100).toFixed(2)
  while (!(await shows(talk, item?.code ?? '', price)))
    if (performance.now() - began > SHOWN_WITHIN_MS) throw new Error(`${price} is not shown`)
  const shown = performance.now() - began
  watching.isOver = true
  await visitor
  return {
    goods: effect.goods,
    shown,
    told,
    visitor: quantile(Float64Array.from(watching.times).sort(), 0.99),
  }
}

async function shows(talk: Talk, product: string, price: string): Promise<boolean> {
  const path = `/cards/${product}`
  const { status, text } = await talk('GET', path, [
    'accept-language: en',
    `cookie: ${currencyCookie('USD')}`,
  ])
  if (status !== 200) throw new Error(`${path} answers ${status}`)
  return text.includes(price)
}

async function visit(talk: Talk, watching: { isOver: boolean; times: number[] }): Promise<void> {
  const paths = ['/', '/cards/made-up-1', '/cards/steam-us']
  for (let index = 0; !watching.isOver; index += 1) {
    const began = performance.now()
    await talk('GET', paths[index % paths.length] ?? '/', [
      'accept-language: en',
      `cookie: ${currencyCookie('USD')}`,
    ])
    watching.times.push(performance.now() - began)
  }
}
