import { join } from 'node:path'
import { sql } from 'kysely'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { median } from '../median.ts'
import { CLIENTS, measureDeliveries, measureUpdates, type Paced } from './delivery.ts'
import { measureLists, type ListTime } from './lists.ts'
import {
  addBooks,
  addFreeKeys,
  addGoods,
  addOpenOrders,
  addShopper,
  addSoldOrders,
  tidy,
  type MadeUpGoods,
} from './made-up.ts'

const ROUNDS = 5
const SOLD_KEYS = 1_000_000
const UNITS_AN_ORDER = 100
/** Orders a round may work off: more than it can. */
const ORDERS_A_ROUND = 6_000
const SHARE_TWICE = 0.3

export interface DeliveryRounds extends Paced {
  /** Of the updates a second in the rounds between. */
  readonly ratio: number
}

export interface DeliveryFigures {
  readonly updates: Paced
  readonly plain: DeliveryRounds
  readonly twice: DeliveryRounds
  readonly manySold: DeliveryRounds
  readonly delivered: number
  /** Units with more than one key, keys with more than one delivery: none. */
  readonly duplicates: number
  readonly violations: number
  /** Only where asked for: the rows take minutes to make up. */
  readonly lists: readonly ListTime[]
}

export interface DeliveryOptions {
  readonly seconds: number
  readonly withLists: boolean
  readonly say: (what: string) => void
}

/** Deliveries on a durable server of their own, beside single-row updates on the same server, by turns. */
export async function measureDelivery(
  folder: string,
  options: DeliveryOptions,
): Promise<DeliveryFigures> {
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'buying'),
    log: createLogger({ level: 'warn' }),
  })
  const db = openDatabase({ url: postgres.url, poolSize: CLIENTS, statementTimeoutMs: 600_000 })
  try {
    await migrate(postgres.url)
    const ctx = createCtx({
      db,
      keys: createKeys(Buffer.alloc(32, 7)),
      log: createLogger({ level: 'warn' }),
      actor: 'system',
    })
    return await measureOn(ctx, options)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

async function measureOn(
  ctx: Ctx,
  { seconds, withLists, say }: DeliveryOptions,
): Promise<DeliveryFigures> {
  await addBooks(ctx.db)
  const goods = await addGoods(ctx.db, 'bench')
  const account = await addShopper(ctx.db, 1)
  const made = { goods, account, next: 1 }
  await measureUpdates(ctx, 1)
  await rounds(ctx, made, { seconds: 1, twice: 0, count: 1 })
  say('deliveries')
  const plain = await rounds(ctx, made, { seconds, twice: 0, count: ROUNDS })
  say('deliveries, notices twice')
  const twice = await rounds(ctx, made, { seconds, twice: SHARE_TWICE, count: ROUNDS })
  say('keys that were sold')
  await addSoldOrders(ctx.db, {
    account,
    goods,
    from: made.next,
    count: SOLD_KEYS / UNITS_AN_ORDER,
    unitsAnOrder: UNITS_AN_ORDER,
  })
  await tidy(ctx.db)
  made.next += SOLD_KEYS
  say('deliveries with many sold')
  await rounds(ctx, made, { seconds: 1, twice: 0, count: 1 })
  const manySold = await rounds(ctx, made, { seconds, twice: 0, count: ROUNDS })
  say('promises')
  const {
    rows: [found],
  } = await sql<{ violations: number; duplicates: number; delivered: number }>`
    select (select count(*)::integer from invariant_violation) as violations,
      (select count(*)::integer from (select from ledger_transfer where source = 'deliver' group by source_id having count(*) > 1) as delivered_twice) as duplicates,
      (select count(*)::integer from card_key where status = 'delivered') as delivered`.execute(
    ctx.db,
  )
  return {
    updates: plain.updates,
    plain,
    twice,
    manySold,
    delivered: found?.delivered ?? 0,
    duplicates: found?.duplicates ?? -1,
    violations: found?.violations ?? -1,
    lists: withLists ? await measureLists(ctx, { goods, from: made.next, say }) : [],
  }
}

async function rounds(
  ctx: Ctx,
  made: { readonly goods: MadeUpGoods; readonly account: string; next: number },
  {
    seconds,
    twice,
    count,
  }: { readonly seconds: number; readonly twice: number; readonly count: number },
): Promise<DeliveryRounds & { readonly updates: Paced }> {
  const found: { readonly updates: Paced; readonly deliveries: Paced }[] = []
  for (let round = 0; round < count; round += 1) {
    await addFreeKeys(ctx.db, made.goods, { from: made.next, count: ORDERS_A_ROUND })
    const attempts = await addOpenOrders(ctx.db, {
      ...made,
      from: made.next,
      count: ORDERS_A_ROUND,
    })
    made.next += ORDERS_A_ROUND
    const updates = await measureUpdates(ctx, seconds)
    const deliveries = await measureDeliveries(ctx, attempts, { seconds, twice })
    found.push({ updates, deliveries })
  }
  const over = (figures: readonly Paced[]): Paced => ({
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    p50: median(figures.map(({ p50 }) => p50)),
    p99: median(figures.map(({ p99 }) => p99)),
  })
  return {
    ...over(found.map(({ deliveries }) => deliveries)),
    updates: over(found.map(({ updates }) => updates)),
    ratio: median(found.map(({ updates, deliveries }) => deliveries.perSecond / updates.perSecond)),
  }
}
