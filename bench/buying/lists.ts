import { sql } from 'kysely'
import { listOrders, listShopOrders } from '#features/buying/order/queries.ts'
import type { OrderFilter, OrderStatus } from '#features/buying/order/rules.ts'
import { readListedOrders } from '#features/buying/order/view/stored.ts'
import { listTransactions } from '#features/buying/transaction/queries.ts'
import { listOwnKeys } from '#features/buying/vault/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { median } from '../median.ts'
import {
  addManyFreeKeys,
  addShopper,
  addSoldOrders,
  inBulk,
  mixOrders,
  tidy,
  type MadeUpGoods,
} from './made-up.ts'

const ORDERS = 1_000_000
const KEYS = 5_000_000
const ORDERS_OF_ONE = 10_000
const KEYS_AN_ORDER_OF_ONE = 5
const PAGE = 20
const PAGES = [1, 100]
const TRIES = 5

export interface ListTime {
  readonly list: string
  readonly page: number
  /** Milliseconds; median and slowest of some tries. */
  readonly p50: number
  readonly max: number
}

/** How long pages of long lists take, with a million orders and five million keys: one shopper's ten thousand among them. */
export async function measureLists(
  ctx: Ctx,
  {
    goods,
    from,
    say,
  }: { readonly goods: MadeUpGoods; readonly from: number; readonly say: (what: string) => void },
): Promise<ListTime[]> {
  const [one, others] = [await addShopper(ctx.db, 2), await addShopper(ctx.db, 3)]
  say('a million orders and five million keys')
  const sold = ORDERS - ORDERS_OF_ONE
  await inBulk(ctx.db, async () => {
    await Promise.all([
      addSoldOrders(ctx.db, { account: others, goods, from, count: sold, unitsAnOrder: 1 }),
      addSoldOrders(ctx.db, {
        account: one,
        goods,
        from: from + sold,
        count: ORDERS_OF_ONE,
        unitsAnOrder: KEYS_AN_ORDER_OF_ONE,
      }),
      addManyFreeKeys(ctx.db, goods, {
        from,
        count: KEYS - sold - ORDERS_OF_ONE * KEYS_AN_ORDER_OF_ONE,
      }),
    ])
    say('their indexes')
  })
  await mixOrders(ctx.db, one)
  await tidy(ctx.db)
  say('lists')
  return timeLists(ctx, one)
}

const OF_SHOPPER: readonly (readonly [what: string, ...filters: OrderFilter[]])[] = [
  ['all', 'all'],
  ['unpaid', 'pending_payment'],
  ['under way', 'pending_shipment'],
  ['completed', 'completed'],
  ['after-sales', 'after_sales'],
  ['cards', 'game_card'],
  ['top-ups', 'direct_charging'],
  ['completed cards', 'completed', 'game_card'],
  ['completed top-ups', 'completed', 'direct_charging'],
]
const OF_SHOP: readonly (OrderStatus | null)[] = [null, 'completed', 'shipping', 'expired']

async function timeLists({ db }: Ctx, one: string): Promise<ListTime[]> {
  const found: ListTime[] = []
  for (const page of PAGES) {
    for (const [what, ...filters] of OF_SHOPPER) {
      found.push(
        await time(`orders of a shopper, ${what}`, page, async () => {
          const { ids } = await listOrders(db, one, { filters, page, limit: PAGE })
          return readListedOrders(db, ids)
        }),
      )
    }
    found.push(
      await time('keys of a shopper', page, () => listOwnKeys(db, one, { page, limit: PAGE })),
    )
    found.push(
      await time('transactions of a shopper', page, () =>
        listTransactions(db, one, { page, limit: PAGE }),
      ),
    )
    for (const status of OF_SHOP) {
      const before = await lastBefore({ db }, status, page)
      found.push(
        await time(`orders of the shop, ${status ?? 'all'}`, page, () =>
          listShopOrders(db, { status, before, limit: PAGE }),
        ),
      )
    }
  }
  return found
}

/** Where the page begins, as whoever turned page after page has it. */
async function lastBefore(
  { db }: Pick<Ctx, 'db'>,
  status: OrderStatus | null,
  page: number,
): Promise<string | null> {
  if (page === 1) return null
  const { rows } = await sql<{ number: string }>`
    select number from shop_order where ${status === null ? sql`true` : sql`status = ${status}`} order by created_at desc, id desc limit 1 offset ${(page - 1) * PAGE - 1}`.execute(
    db,
  )
  return rows[0]?.number ?? null
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
