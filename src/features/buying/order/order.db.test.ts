import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { transaction } from '#platform/ctx.ts'
import { listReasons } from '../../../../test/support/books.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { cancelOrder, expireDue, expireOrder, reserveStock } from './commands.ts'
import { isOrderNumber } from './engine/order-number.ts'
import { hasUnfinishedOrders, listOrders, listShopOrders, lockOrder } from './queries.ts'
import { ORDER_TRANSITIONS, UNIT_TRANSITIONS, UNPAID_A_DAY } from './rules.ts'

const database = useDatabase()
let card: TestItem
let topUp: TestItem
beforeAll(async () => {
  await addCurrencies(database.ctx)
  card = await addItem(database.ctx)
  topUp = await addItem(database.ctx, { delivery: 'direct_charge' })
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const later = (minutes: number) => minutesLater(database.ctx, minutes)
const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status
const reserve = (id: string) =>
  transaction(database.ctx, (tx) => reserveStock(tx, database.ctx, id))

test('the database knows the same transitions as the rules', async () => {
  const rows = await database.ctx.db.selectFrom('transition_rule').selectAll().execute()
  for (const [machine, table] of [
    ['order', ORDER_TRANSITIONS],
    ['unit', UNIT_TRANSITIONS],
  ] as const) {
    const expected = Object.entries(table)
      .flatMap(([from, targets]) => targets.map((to: string) => `${from} ${to}`))
      .toSorted()
    expect(
      rows
        .filter((row) => row.machine === machine)
        .map((row) => `${row.from_status} ${row.to_status}`)
        .toSorted(),
    ).toEqual(expected)
  }
})

test('an order has a number of its own and a unit for each thing bought', async () => {
  const order = await buy(database.ctx, [
    { item: card, quantity: 3 },
    { item: topUp, delivery: 'direct_charge' },
  ])
  expect(isOrderNumber(order.number)).toBe(true)
  const units = await database.ctx.db
    .selectFrom('order_unit')
    .selectAll()
    .where('order_id', '=', order.id)
    .execute()
  expect(units).toHaveLength(4)
  expect(new Set(units.map((unit) => unit.public_id)).size).toBe(4)
  const row = await database.ctx.db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 'pending_payment', total_minor: '4000', goods_minor: '4000' })
  expect(await hasUnfinishedOrders(database.ctx.db, order.accountId)).toBe(true)
})

test('the same request sent 32 times at once makes one order', async () => {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const made = await Promise.all(
    Array.from({ length: 32 }, () =>
      buy(database.ctx, [{ item: card }], { accountId, requestKey: 'one' }),
    ),
  )
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect(
    await database.ctx.db
      .selectFrom('shop_order')
      .select('id')
      .where('account_id', '=', accountId)
      .execute(),
  ).toHaveLength(1)
})

test('a key that stands for another request is refused', async () => {
  const { accountId } = await buy(database.ctx, [{ item: card }], { requestKey: 'mine' })
  expect(
    (
      await refused(
        buy(database.ctx, [{ item: card, quantity: 2 }], { accountId, requestKey: 'mine' }),
      )
    ).code,
  ).toBe('conflict')
})

test('a sixth unpaid order is refused, however many come at once', async () => {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () =>
      buy(database.ctx, [{ item: card }], { accountId }).then(
        () => 'made',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(5)
  expect(new Set(outcomes)).toEqual(new Set(['made', 'too_many_unpaid']))
})

test('an account that is leaving makes no orders', async () => {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const now = new Date()
  await database.ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: now, erase_at: now })
    .where('id', '=', accountId)
    .execute()
  expect((await refused(buy(database.ctx, [{ item: card }], { accountId }))).code).toBe(
    'unauthorised',
  )
})

test('stock is reserved once, and comes back when the order is cancelled', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'A', 2)
  const order = await buy(database.ctx, [{ item, quantity: 2 }])
  await reserve(order.id)
  await reserve(order.id)
  expect((await refused(reserve((await buy(database.ctx, [{ item }])).id))).code).toBe(
    'out_of_stock',
  )
  expect(await cancelOrder(database.ctx, order.accountId, order.publicId)).toBe('cancelled')
  expect(await cancelOrder(database.ctx, order.accountId, order.publicId)).toBe('cancelled')
  expect(await statusOf(order.id)).toBe('cancelled')
  await reserve((await buy(database.ctx, [{ item, quantity: 2 }])).id)
})

test('an order that lacks one of its goods reserves none of them', async () => {
  const [plenty, scarce] = [await addItem(database.ctx), await addItem(database.ctx)]
  await stock(database.ctx, plenty, 'B', 5)
  const order = await buy(database.ctx, [{ item: plenty, quantity: 2 }, { item: scarce }])
  expect((await refused(reserve(order.id))).code).toBe('out_of_stock')
  expect(
    await database.ctx.db
      .selectFrom('card_key')
      .select('id')
      .where('item', '=', plenty.id)
      .where('status', '=', 'free')
      .execute(),
  ).toHaveLength(5)
})

test('an order expires after 15 minutes and not before, and its keys go back', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'C', 1)
  const order = await buy(database.ctx, [{ item }])
  await reserve(order.id)
  expect(await expireOrder(later(14), order.id)).toBe(false)
  expect(await expireDue(later(16))).toBeGreaterThan(0)
  expect(await statusOf(order.id)).toBe('expired')
  expect(await expireOrder(later(16), order.id)).toBe(true)
  await reserve((await buy(database.ctx, [{ item }])).id)
  expect((await refused(cancelOrder(database.ctx, order.accountId, order.publicId))).code).toBe(
    'order_closed',
  )
})

test('however many orders are due, all of them expire in one run', async () => {
  const orders = await Promise.all(
    Array.from({ length: 201 }, () => buy(database.ctx, [{ item: topUp }])),
  )
  expect(await expireDue(later(16))).toBeGreaterThanOrEqual(orders.length)
  expect(await statusOf(orders.at(-1)?.id ?? '')).toBe('expired')
})

test('cancelling and expiring at once end in one of both, and the keys come back once', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'D', 1)
  const order = await buy(database.ctx, [{ item }])
  await reserve(order.id)
  await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      index % 2
        ? cancelOrder(database.ctx, order.accountId, order.publicId)
        : expireOrder(later(20), order.id),
    ),
  )
  expect(['cancelled', 'expired']).toContain(await statusOf(order.id))
  expect(await listReasons(database.ctx.db, order.id)).toHaveLength(2)
})

test("somebody else's order does not exist", async () => {
  const order = await buy(database.ctx, [{ item: card }])
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  expect((await refused(cancelOrder(database.ctx, accountId, order.publicId))).code).toBe(
    'not_found',
  )
  expect(
    (await refused(transaction(database.ctx, (tx) => lockOrder(tx, accountId, order.publicId))))
      .code,
  ).toBe('not_found')
  expect(await listOrders(database.ctx.db, accountId, { filters: [], page: 1, limit: 10 })).toEqual(
    { ids: [], total: 0 },
  )
})

test('the list is paged, newest first, and filtered by kind and label together', async () => {
  const first = await buy(database.ctx, [{ item: card }])
  const { accountId } = first
  const made = [
    first,
    await buy(database.ctx, [{ item: topUp, delivery: 'direct_charge' }], { accountId }),
    await buy(database.ctx, [{ item: card }], { accountId }),
  ]
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      listOrders(database.ctx.db, accountId, { filters: ['all'], page, limit: 2 }),
    ),
  )
  expect(pages.flatMap(({ ids }) => ids)).toEqual(made.map(({ id }) => id).toReversed())
  expect(pages.map(({ total }) => total)).toEqual([3, 3, 3])
  const listed = async (...filters: Parameters<typeof listOrders>[2]['filters']) =>
    (await listOrders(database.ctx.db, accountId, { filters, page: 1, limit: 10 })).total
  expect([
    await listed('game_card'),
    await listed('direct_charging'),
    await listed('pending_payment'),
    await listed('completed'),
    await listed('after_sales'),
    await listed('pending_shipment'),
  ]).toEqual([2, 1, 3, 0, 0, 0])
  expect([
    await listed('pending_payment', 'direct_charging'),
    await listed('completed', 'game_card'),
  ]).toEqual([1, 0])
})

test("the shop's orders go on after the last of the page before, whatever their states", async () => {
  const made = [
    await buy(database.ctx, [{ item: card }]),
    await buy(database.ctx, [{ item: card }]),
    await buy(database.ctx, [{ item: card }]),
    await buy(database.ctx, [{ item: card }]),
  ]
  for (const { accountId, publicId } of [made[1], made[3]].filter((each) => each !== undefined))
    await cancelOrder(database.ctx, accountId, publicId)
  const newest = made.map(({ number }) => number).toReversed()
  const list = async (before: string | null, status: 'cancelled' | null = null) =>
    (await listShopOrders(database.ctx.db, { status, before, limit: 2 })).map(
      ({ number }) => number,
    )
  expect(await list(null)).toEqual(newest.slice(0, 2))
  expect(await list(newest[1] ?? '')).toEqual(newest.slice(2))
  expect(await list(null, 'cancelled')).toEqual([newest[0], newest[2]])
  expect((await list(newest[0] ?? '', 'cancelled'))[0]).toBe(newest[2])
})

test('a step no machine knows is refused by the database', async () => {
  const order = await buy(database.ctx, [{ item: card }])
  await cancelOrder(database.ctx, order.accountId, order.publicId)
  await expect(
    sql`update shop_order set status = 'pending_payment', ended = null where id = ${order.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toMatchObject({ constraint: 'transition_order' })
  await expect(
    sql`update order_unit set status = 'refunded' where order_id = ${order.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toMatchObject({ constraint: 'transition_unit' })
  await expect(
    sql`update order_event set reason = 'other' where order_id = ${order.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toMatchObject({ code: '23514' })
})

test.each([
  ['paid without money', sql`status = 'completed'`],
  ['settled without money', sql`settled_at = now()`],
  ['more given back than taken', sql`refunded_minor = 1`],
  ['a total that is not the sum', sql`total_minor = 1`],
  ['ended without a label', sql`ended = 'expired'`],
])('an order is never %s', async (_, change) => {
  const order = await buy(database.ctx, [{ item: card }])
  await expect(
    sql`update shop_order set ${change} where id = ${order.id}`.execute(database.ctx.db),
  ).rejects.toMatchObject({ code: '23514' })
})

test('after fifty orders of a day that came to nothing the next one waits for tomorrow; paid ones count for nothing', async () => {
  const { ctx } = database
  const { accountId } = await somebody(ctx, { withPassword: false })
  const order = () => buy(ctx, [{ item: card }], { accountId })
  for (let made = 1; made < UNPAID_A_DAY; made += 1) {
    const { publicId } = await order()
    await cancelOrder(ctx, accountId, publicId)
  }
  expect(await expireOrder(later(20), (await order()).id)).toBe(true)
  expect(await refused(order())).toMatchObject({
    code: 'unpaid_too_often',
    params: { max: UNPAID_A_DAY },
  })
  // The release before asks without the number, and knows no such outcome.
  const asked = { account_id: accountId, created_at: ctx.now(), request_key: 'of before' }
  await expect(
    sql`select place_order(${JSON.stringify(asked)}::jsonb, 5)`.execute(ctx.db),
  ).rejects.toThrow(/null value/)
  await buy({ ...ctx, isLimited: false }, [{ item: card }], { accountId })
  await buy(later(24 * 60 + 1), [{ item: card }], { accountId })
})
