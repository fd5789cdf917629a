import { afterEach, beforeAll, expect, test } from 'vitest'
import { retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { listOrdersOf } from '#features/buying/order/queries.ts'
import { cancelUnpaid, checkPayment } from '#features/buying/payment/flows.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { countStock, listBatches } from './queries.ts'
import type { KeyStatus } from './rules.ts'
import { releaseQuarantined, withdrawBatch } from './commands.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
})

const statusesOf = async (item: TestItem, letter: string) =>
  (
    await database.ctx.db
      .selectFrom('card_key as k')
      .innerJoin('key_batch as b', 'b.id', 'k.batch_id')
      .select('k.status')
      .where('k.item', '=', item.id)
      .where('b.id', '=', await batchOf(item, letter))
      .orderBy('k.pick')
      .execute()
  ).map(({ status }) => status)
const batches = new Map<string, string>()
/** The batch of keys that begin with that letter. */
async function batchOf(item: TestItem, letter: string): Promise<string> {
  return batches.get(`${item.id} ${letter}`) ?? ''
}
async function addBatch(item: TestItem, letter: string, count: number): Promise<string> {
  await stock(database.ctx, item, letter, count)
  const [newest] = await listBatches(database.ctx.db, item.code, 1)
  batches.set(`${item.id} ${letter}`, newest?.id ?? '')
  return newest?.id ?? ''
}
const withdraw = (batch: string) => withdrawBatch(asOperator(database.ctx), batch)

/** An order whose payment is open, with a key reserved. */
async function begun(item: TestItem) {
  const made = await buy(database.ctx, [{ item }])
  const { id: attempt } = await beginPaying(database.ctx, services, made)
  const pay = async () => {
    fake.pay(attempt, { minor: 1_000n, currency: 'USD' })
    await checkPayment(database.ctx, services, attempt)
  }
  const { status } = await statusOf(made.id)
  expect(status).toBe('waiting_for_payment')
  return { ...made, attempt, pay }
}
const statusOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test("batches of no item are nobody's, those of an item without keys are none", async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  expect(await listBatches(ctx.db, item.code, 9)).toEqual([])
  await expect(listBatches(ctx.db, 'steam', 9)).rejects.toMatchObject({ code: 'not_found' })
})

test('a bad batch leaves the shelf, and what of it is sold is listed', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const bad = await addBatch(item, 'B', 3)
  const order = await begun(item)
  await order.pay()
  await addBatch(item, 'G', 2)
  const { public_id: unit } = await ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()

  const done = await withdraw(bad)
  expect(done).toMatchObject({
    itemCode: item.code,
    withdrawn: 2,
    sold: [{ orderNumber: order.number, unit, status: 'delivered', isRevealed: false }],
  })
  // The good batch is still on sale.
  expect(await countStock(ctx.db, item.id)).toMatchObject({ free: 2, delivered: 1, void: 2 })
  expect(await withdraw(bad)).toMatchObject({ withdrawn: 0 })
  await expect(withdraw('no-such')).rejects.toMatchObject({ code: 'not_found' })
  await expect(withdrawBatch(asOperator(ctx, 'aiko', 'support'), bad)).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a key of a bad batch that was reserved is never sold: not when the order is cancelled, nor when it is paid', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const bad = await addBatch(item, 'B', 2)
  const [paid, cancelled] = [await begun(item), await begun(item)]
  await withdraw(bad)
  await addBatch(item, 'G', 1)
  await cancelUnpaid(ctx, services, cancelled.accountId, cancelled.publicId)
  expect(await statusesOf(item, 'B')).toEqual(['void', 'void'])
  await paid.pay()
  expect(await statusOf(paid.id)).toEqual({ status: 'completed', hold: null })
  expect(await statusesOf(item, 'G')).toEqual(['delivered'])
})

test('who has paid for a key of a bad batch waits for another one', async () => {
  const item = await addItem(database.ctx)
  const bad = await addBatch(item, 'B', 1)
  const order = await begun(item)
  await withdraw(bad)
  await order.pay()
  expect(await statusOf(order.id)).toEqual({ status: 'processing', hold: 'out_of_stock' })
  await addBatch(item, 'G', 1)
  await retryShortOrders(database.ctx)
  expect(await statusOf(order.id)).toEqual({ status: 'completed', hold: null })
})

test('whichever way a key of a bad batch would come back to the shelf, it is void', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  const bad = await addBatch(item, 'B', 3)
  await begun(item)
  // As the release before withdraws a batch: what is reserved stays so.
  await ctx.db
    .updateTable('key_batch')
    .set({ withdrawn_at: ctx.now(), withdrawn_by: 'somebody' })
    .where('id', '=', bad)
    .execute()
  const move = (from: KeyStatus, to: 'free' | 'quarantined') =>
    ctx.db
      .updateTable('card_key')
      .set({ status: to, unit_id: null, claimed_at: null })
      .where('batch_id', '=', bad)
      .where('status', '=', from)
      .execute()
  await move('claimed', 'free')
  expect((await statusesOf(item, 'B')).toSorted()).toEqual(['free', 'free', 'void'])
  await move('free', 'quarantined')
  expect(await statusesOf(item, 'B')).toEqual(['void', 'void', 'void'])
  expect(await releaseQuarantined(asOperator(ctx), item.code)).toBe(0)
  // Nor does what is still being read from its file.
  const [row] = await ctx.db
    .selectFrom('card_key')
    .selectAll()
    .where('batch_id', '=', bad)
    .limit(1)
    .execute()
  if (!row) throw new Error('a key')
  const { pick: _, ...key } = row
  await ctx.db
    .insertInto('card_key')
    .values({
      ...key,
      id: ctx.newId(),
      fingerprint: Buffer.alloc(32, 7),
      expires_on: '2099-01-01',
      status: 'free',
    })
    .execute()
  expect(await countStock(ctx.db, item.id)).toMatchObject({ free: 0, void: 4 })
})

test('orders are found by the address of who made them', async () => {
  const { ctx } = database
  const order = await buy(ctx, [{ item: await addItem(ctx) }])
  const { email } = await ctx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', order.accountId)
    .executeTakeFirstOrThrow()
  expect(
    (await listOrdersOf(ctx.db, (email ?? '').toUpperCase(), 9)).map(({ number }) => number),
  ).toEqual([order.number])
  expect(await listOrdersOf(ctx.db, 'nobody@shop.example', 9)).toEqual([])
})
