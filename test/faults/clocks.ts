import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { begin, pay, placeOrder, type Bought } from './acts.ts'
import { openCrowd, type Outcomes } from './crowd.ts'
import { startShop } from './shop.ts'
import { addShoppers } from './shopper.ts'
import type { HomeStage, Stage } from './stage.ts'
import { findFaultsOnceSettled } from './money.ts'

export interface ClockReport {
  readonly seconds: number
  readonly outcomes: readonly Outcomes[]
  readonly faults: readonly string[]
}

const SHOPPERS = 4
const PATIENCE_MS = 120_000
const DAY_MS = 86_400_000
const SHIFTING = join(import.meta.dirname, 'shifted-clock.ts')

/**
 * The worker's clock is a day ahead and that of the web process a day behind, in the long run also the other way round: nothing expires
 * that has time, what has none does, and doctor tells of it.
 */
export async function runClocks(
  stage: HomeStage,
  { seconds, isBothWays }: { readonly seconds: number; readonly isBothWays: boolean },
): Promise<ClockReport> {
  const faults: string[] = []
  const outcomes: Outcomes[] = []
  for (const ahead of isBothWays ? [DAY_MS, -DAY_MS] : [DAY_MS]) {
    const shop = await startShop({
      home: stage.home,
      environment: {
        NODE_OPTIONS: `--import=${SHIFTING}`,
        FAULT_CLOCKS: `worker.ts:${ahead},server.js:${-ahead}`,
      },
    })
    try {
      const found = await buyByWrongClocks({ ...stage, shop }, seconds)
      outcomes.push(found.outcomes)
      faults.push(...found.faults)
    } finally {
      await shop.stop()
    }
  }
  return { seconds, outcomes, faults }
}

async function buyByWrongClocks(
  { shop, journal, seed, items }: Stage,
  seconds: number,
): Promise<{ readonly outcomes: Outcomes; readonly faults: readonly string[] }> {
  const faults: string[] = []
  const { held, over } = await placeTwo({ shop, journal, items })
  const crowd = await openCrowd({
    shop,
    journal,
    seed,
    items,
    shoppers: SHOPPERS,
    patienceMs: PATIENCE_MS,
  })
  if (!(await crowd.isServed(PATIENCE_MS))) faults.push('nothing is sold')
  await sleep(seconds * 1_000)
  if (!(await becomes(shop, over, 'expired')))
    faults.push('an order whose time is over does not expire: sweeps stand still')
  if (!(await becomes(shop, held.order, 'waiting_for_payment')))
    faults.push('an order that has time is no longer waiting for its payment')
  await pay(held, 'approve')
  const found = await shop.complaints()
  if (!/^wrong.*clock/m.test(found)) faults.push(`doctor says: ${found || 'nothing'}`)
  faults.push(...(await crowd.stop()))
  return {
    outcomes: crowd.outcomes(),
    faults: [...faults, ...(await findFaultsOnceSettled(shop, journal))],
  }
}

/** Two orders: the payment of one has begun, the time of the other is over at once. */
async function placeTwo({
  shop,
  journal,
  items,
}: Pick<Stage, 'shop' | 'journal' | 'items'>): Promise<{
  readonly held: Bought
  readonly over: string
}> {
  const wish = { shop, journal, item: items[0] ?? '', quantity: 1, patienceMs: PATIENCE_MS }
  const [one, other] = await addShoppers(shop, 2, 'clock')
  const begun = one && (await begin(one, wish))
  const over = other && (await placeOrder(other, wish))
  if (!begun || !over) throw new Error('there is nothing to buy')
  await shop.withCtx((ctx) =>
    ctx.db
      .updateTable('shop_order')
      .set({ expires_at: ctx.now() })
      .where('public_id', '=', over)
      .execute(),
  )
  return { held: { ...begun, shopper: one, wish }, over }
}

async function becomes(shop: Stage['shop'], order: string, status: string): Promise<boolean> {
  const isSo = () =>
    shop.withCtx(async (ctx) => {
      const row = await ctx.db
        .selectFrom('shop_order')
        .select('status')
        .where('public_id', '=', order)
        .executeTakeFirst()
      return row?.status === status
    })
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    if (await isSo()) return true
    await sleep(500)
  }
  return false
}
