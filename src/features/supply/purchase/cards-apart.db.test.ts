import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { refundFailed, retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { countStock } from '#features/buying/vault/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
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
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { listCases } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const COST = { minor: 700n, currency: 'USD' }
let item: TestItem
let one: FakeSupplier
let serial = 0
const hands = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
const { statesOf, unitsOf, purchasesOf, run, ask } = hands

type Bought = Awaited<ReturnType<typeof buy>>

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx)
  one = createFakeSupplier(`one${serial}`, { maxQuantity: 5 })
  await registerSuppliers(database.ctx, [one.provider.code])
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

/** A card is said never to have been bought, its price goes back, and then the supplier has it after all. */
async function boughtAfterAll(): Promise<Bought> {
  await hands.offer(one, 0, COST, 'key')
  one.next({ kind: 'lost_call' })
  const order = await hands.paid(1, {}, 'card_key')
  await run(one)
  await ask(one, 61)
  await refundFailed(database.ctx)
  expect(await statesOf(order)).toEqual(['refund_due'])
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await database.ctx.db
    .updateTable('purchase')
    .set({ next_ask_at: database.ctx.now(), asked: 0 })
    .where('id', '=', purchase?.id ?? '')
    .execute()
  return order
}

test('a card bought after all, whose key does not come with the news, is asked for until it does', async () => {
  const order = await boughtAfterAll()
  one.cardsAreReady(false)
  await ask(one, 120)
  one.cardsAreReady(true)
  await ask(one, 200)
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['late'])
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ quarantined: 1, delivered: 0 })
})

test('a card bought after all, whose key never comes, ends as a loss and a case', async () => {
  const order = await boughtAfterAll()
  one.cardsAreReady(false)
  let seconds = 120
  for (let day = 0; day < 10; day += 1) {
    await ask(one, seconds)
    seconds += 87_000
  }
  expect((await purchasesOf(order)).map((each) => [each.status, each.next_ask_at])).toEqual([
    ['late', null],
  ])
  expect(
    (await listCases(database.ctx.db)).filter(({ orderNumber }) => orderNumber === order.number),
  ).toMatchObject([{ kind: 'late' }])
})

/** A paid order of one card of the shop's own, whose key is gone when the money comes, and of the item. */
async function paidShort(
  plain: TestItem,
  letter: string,
  delivery: 'card_key' | 'direct_charge',
): Promise<Bought> {
  const services = paidAt(fake)
  await stock(database.ctx, plain, letter, 1)
  const accountFields: Record<string, string> =
    delivery === 'direct_charge' ? { user_id: 'me' } : {}
  const order = await buy(database.ctx, [{ item, delivery, accountFields }, { item: plain }])
  const { id } = await beginPaying(database.ctx, services, order)
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'void', unit_id: null, claimed_at: null })
    .where('item', '=', plain.id)
    .execute()
  fake.pay(id, { minor: 2_000n, currency: 'USD' })
  await checkPayment(database.ctx, services, id)
  expect(await holdOf(order)).toBe('out_of_stock')
  return order
}

const holdOf = async ({ id }: Bought) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('hold')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).hold

const stateOfItem = async (order: Bought, { id }: TestItem) =>
  (await unitsOf(order)).find((unit) => unit.item === id)?.status

test('a card waits for stock on when something else of its order fails and goes back', async () => {
  const plain = await addItem(database.ctx)
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  await hands.offer(one)
  const order = await paidShort(plain, 'P', 'direct_charge')
  one.next({ kind: 'failed', class: 'stock' })
  await run(one)
  await refundFailed(database.ctx)
  expect(await stateOfItem(order, item)).toBe('refund_due')
  expect(await holdOf(order)).toBe('out_of_stock')
  await stock(database.ctx, plain, 'Q', 1)
  await retryShortOrders(database.ctx)
  expect(await stateOfItem(order, plain)).toBe('delivered')
  expect(await holdOf(order)).toBeNull()
})

test('what waits for a supplier does not go back because another card of its order never came into stock', async () => {
  const plain = await addItem(database.ctx)
  await hands.offer(one, 0, COST, 'key')
  const order = await paidShort(plain, 'R', 'card_key')
  await retryShortOrders(hands.later(25 * 3_600))
  expect(await stateOfItem(order, plain)).toBe('refund_due')
  expect(await stateOfItem(order, item)).toBe('queued')
  await run(one)
  expect(await stateOfItem(order, item)).toBe('delivered')
})
