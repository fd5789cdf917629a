import { sql } from 'kysely'
import { makeKeys } from '#features/buying/vault/jobs.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { present } from '#kernel/assert.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { getRequest, quantile } from '../load/client.ts'
import { applySteadyLoad, arrive, type SteadyResult } from '../load/open-loop.ts'
import { createTalk } from '../load/talk.ts'
import { median } from '../median.ts'
import { CLIENTS, measureUpdates, type Paced } from './delivery.ts'
import { SECRET_KEY, startShop, type ShopOptions } from './shop-processes.ts'
import {
  addShoppers,
  createWatch,
  purchase,
  type Purchased,
  type Shopper,
  type Way,
} from './shoppers.ts'

export interface PurchaseOptions extends ShopOptions {
  readonly rounds: number
  readonly seconds: number
}

/** Medians over the rounds; times in milliseconds. */
export interface PurchaseFigures {
  /** Single-row updates in the rounds between. */
  readonly updatesPerSecond: number
  readonly purchases: Paced & { readonly ratio: number }
  /** Begun a second, in the rounds with visitors beside. */
  readonly steadyPerSecond: number
  /** From the payment service's answer until the key is seen. */
  readonly visible: SteadyResult
  readonly visits: SteadyResult
  readonly checked: PurchaseChecks
}

export interface PurchaseChecks {
  readonly bought: number
  /** Of them, completed with exactly one delivered key, nobody else's, and money booked to the last unit. */
  readonly sound: number
  readonly violations: number
}

export const PAGES_PER_SECOND = 1_000
const HOT_ITEM = 'card:steam:us:20'
const KEYS = 20_000
/** Until the compilers of both processes have seen every part of a purchase some hundred times. */
const WARM_UP_SECONDS = 10
/** As many as have a purchase under way at once in the open loop, and more. */
const STEADY_SHOPPERS = 400
const PAGE = '/cards'
const LIST = '/api/goods/index?limit=10&lang=en&currency_code=USD'

/**
 * Whole purchases over HTTP of one item, sixteen shoppers at a time, beside single-row updates on the same server by turns; then
 * half as many a second, each begun when it is due, while visitors read the catalogue. Every purchase is looked at in the end.
 */
export async function measurePurchases(options: PurchaseOptions): Promise<PurchaseFigures> {
  const db = openDatabase({
    url: options.databaseUrl,
    poolSize: CLIENTS,
    statementTimeoutMs: 600_000,
  })
  const ctx = createCtx({
    db,
    keys: createKeys(SECRET_KEY),
    log: createLogger({ level: 'warn' }),
    actor: 'system',
  })
  try {
    await fillShelves(ctx, options.dataDirectory)
    const shoppers = await addShoppers(ctx, CLIENTS + STEADY_SHOPPERS)
    const shop = await startShop(options)
    try {
      return await measureOn(
        ctx,
        shoppers,
        {
          port: shop.port,
          shop: createTalk(shop.port),
          payment: createTalk(shop.paymentPort),
          item: HOT_ITEM,
          watch: createWatch(ctx),
        },
        options,
      )
    } finally {
      await shop.stop()
    }
  } finally {
    await db.destroy()
  }
}

/** Keys for all purchases. The demo's other shelves count as full, since no shop but a demo makes keys while it sells. */
async function fillShelves(ctx: Ctx, dataDirectory: string): Promise<void> {
  const vault = openVault(() => openVaultKeys({ dataDirectory, vaultKeys: undefined }))
  const stockable = present(await findStockable(ctx.db, HOT_ITEM), HOT_ITEM)
  await makeKeys(ctx, vault, [{ ...stockable, count: KEYS }])
  await ctx.db
    .updateTable('item')
    .set({ stock: 0 })
    .where('code', '<>', HOT_ITEM)
    .where('stock', 'is distinct from', 0)
    .execute()
}

async function measureOn(
  ctx: Ctx,
  shoppers: readonly Shopper[],
  way: Way & Port,
  { rounds, seconds }: PurchaseOptions,
): Promise<PurchaseFigures> {
  const bought: Purchased[] = []
  const atOnce = async (length: number) => {
    const made = await buyAtOnce(shoppers.slice(0, CLIENTS), way, length)
    bought.push(...made.bought)
    return made
  }
  await measureUpdates(ctx, 1)
  await atOnce(WARM_UP_SECONDS)
  const found: { readonly updates: Paced; readonly purchases: Paced }[] = []
  for (let round = 0; round < rounds; round += 1)
    found.push({
      updates: await measureUpdates(ctx, seconds),
      purchases: await atOnce(2 * seconds),
    })
  const over = (pick: (paced: Paced) => number) =>
    median(found.map(({ purchases }) => pick(purchases)))
  const perSecond = over((paced) => paced.perSecond)
  const steady: { readonly visible: SteadyResult; readonly visits: SteadyResult }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const made = await buySteadily(shoppers.slice(CLIENTS), way, {
      perSecond: perSecond / 2,
      seconds: 2 * seconds,
    })
    bought.push(...made.bought)
    steady.push(made)
  }
  return {
    updatesPerSecond: median(found.map(({ updates }) => updates.perSecond)),
    purchases: {
      perSecond,
      p50: over((paced) => paced.p50),
      p99: over((paced) => paced.p99),
      ratio: median(found.map(({ updates, purchases }) => purchases.perSecond / updates.perSecond)),
    },
    steadyPerSecond: perSecond / 2,
    visible: overRounds(steady.map(({ visible }) => visible)),
    visits: overRounds(steady.map(({ visits }) => visits)),
    checked: await check(ctx, bought),
  }
}

async function buyAtOnce(
  shoppers: readonly Shopper[],
  way: Way,
  seconds: number,
): Promise<Paced & { readonly bought: readonly Purchased[] }> {
  const bought: Purchased[] = []
  const began = performance.now()
  await Promise.all(
    shoppers.map(async (shopper) => {
      while (performance.now() - began < seconds * 1_000) bought.push(await purchase(shopper, way))
    }),
  )
  const perSecond = (bought.length * 1_000) / (performance.now() - began)
  const times = Float64Array.from(bought, ({ begun, visible }) => visible - begun).sort()
  return { bought, perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

interface Port {
  /** Of the web process, for visitors. */
  readonly port: number
}

interface Steady {
  readonly bought: readonly Purchased[]
  readonly visible: SteadyResult
  readonly visits: SteadyResult
}

async function buySteadily(
  shoppers: readonly Shopper[],
  way: Way & Port,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Steady> {
  const running: Promise<Purchased>[] = []
  const idle = [...shoppers]
  const arrivals = arrive({ count: Math.floor(perSecond * seconds), perSecond }, () => {
    const shopper = present(idle.shift(), 'a shopper who has bought')
    running.push(purchase(shopper, way).finally(() => void idle.push(shopper)))
  })
  const requests = [getRequest(PAGE, 'br'), getRequest(LIST, 'identity')]
  const [visits] = await Promise.all([
    applySteadyLoad({ port: way.port, requests, perSecond: PAGES_PER_SECOND, seconds }),
    arrivals,
  ])
  const bought = await Promise.all(running)
  const times = Float64Array.from(bought, ({ paid, visible }) => visible - paid).sort()
  return {
    bought,
    visits,
    visible: { p50: quantile(times, 0.5), p99: quantile(times, 0.99), max: times.at(-1) ?? 0 },
  }
}

function overRounds(results: readonly SteadyResult[]): SteadyResult {
  return {
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
    max: Math.max(...results.map(({ max }) => max)),
  }
}

/** What came of the purchases, read from the shop's rows. */
async function check(ctx: Ctx, bought: readonly Purchased[]): Promise<PurchaseChecks> {
  const { rows } = await sql<{ sound: number; violations: number }>`
    with wanted as (
      select id, total_minor from shop_order where public_id = any(${bought.map(({ order }) => order)}::text[]) and status = 'completed' and captured_minor = total_minor and refunded_minor = 0
    ), sound as (
      select w.id from wanted w
      where (select count(*) from order_unit u join card_key k on k.unit_id = u.id where u.order_id = w.id and u.status = 'delivered' and k.status = 'delivered') = 1
        and (select count(*) from order_unit u where u.order_id = w.id) = 1
        and (select sum(t.amount_minor) from ledger_transfer t join payment_attempt a on a.id = t.source_id where a.order_id = w.id and t.source = 'capture') = w.total_minor
        and (select sum(t.amount_minor) from ledger_transfer t where t.source_id = w.id and t.source = 'settle') = w.total_minor
        and (select count(*) from ledger_transfer t join order_unit u on u.id = t.source_id where u.order_id = w.id and t.source = 'deliver') = 1
    )
    select (select count(*)::integer from sound) as sound, (select count(*)::integer from invariant_violation) as violations`.execute(
    ctx.db,
  )
  return {
    bought: bought.length,
    sound: rows[0]?.sound ?? 0,
    violations: rows[0]?.violations ?? -1,
  }
}
