import { sql } from 'kysely'
import { listOrders } from '#features/order/queries.ts'
import { listOwnKeys } from '#features/vault/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { median } from '../median.ts'
import { addSoldOrders, addShopper, type MadeUpGoods } from './made-up.ts'

const ORDERS = 1_000_000
const ORDERS_OF_ONE = 10_000
const UNITS_AN_ORDER = 5
const PAGE = 20
const PAGES = [1, 100]
const TRIES = 15

export interface ListTime {
  readonly list: string
  readonly page: number
  /** Milliseconds; median and slowest of some tries. */
  readonly p50: number
  readonly max: number
}

/** How long pages of long lists take, with a million orders and five million keys: one shopper's ten thousand among them. */
export async function measureLists(ctx: Ctx, { goods, from, say }: { readonly goods: MadeUpGoods; readonly from: number; readonly say: (what: string) => void }): Promise<ListTime[]> {
  const [one, others] = [await addShopper(ctx.db, 2), await addShopper(ctx.db, 3)]
  say('a million orders')
  await addSoldOrders(ctx.db, { account: others, goods, from, count: ORDERS - ORDERS_OF_ONE, unitsAnOrder: UNITS_AN_ORDER })
  await addSoldOrders(ctx.db, { account: one, goods, from: from + ORDERS, count: ORDERS_OF_ONE, unitsAnOrder: UNITS_AN_ORDER })
  say('lists')
  const found: ListTime[] = []
  for (const page of PAGES) {
    found.push(await time('orders of a shopper', page, () => listOrders(ctx.db, one, { filters: ['all'], page, limit: PAGE })))
    found.push(await time('completed orders of a shopper', page, () => listOrders(ctx.db, one, { filters: ['completed'], page, limit: PAGE })))
    found.push(await time('keys of a shopper', page, () => listOwnKeys(ctx.db, one, { page, limit: PAGE })))
    found.push(await time('orders of the shop', page, () => readShopPage(ctx, page)))
  }
  return found
}

/** As an operator's list goes on: after the last order of the page before, by the index of all orders. */
async function readShopPage(ctx: Ctx, page: number): Promise<void> {
  const { rows: [last] } = await sql<{ created_at: Date; id: string }>`
    select created_at, id from shop_order order by created_at desc, id desc limit 1 offset ${Math.max(0, (page - 1) * PAGE - 1)}`.execute(ctx.db)
  await sql`select id, public_id, number, status, currency, total_minor, created_at from shop_order
    where ${page === 1 ? sql`true` : sql`(created_at, id) < (${last?.created_at}, ${last?.id})`} order by created_at desc, id desc limit ${PAGE}`.execute(ctx.db)
}

async function time(list: string, page: number, read: () => Promise<unknown>): Promise<ListTime> {
  await read()
  const times: number[] = []
  for (let count = 0; count < TRIES; count += 1) {
    const began = performance.now()
    await read()
    times.push(performance.now() - began)
  }
  return { list, page, p50: median(times), max: Math.max(...times) }
}
