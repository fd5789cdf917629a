import { beforeAll, expect, test } from 'vitest'
import { quarantineSold } from './commands.ts'
import { countStock } from './queries.ts'
import { releaseQuarantined } from './commands.ts'
import { retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { expireOrder } from '#features/buying/order/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
beforeAll(() => addCurrencies(database.ctx))

async function reserve(item: TestItem) {
  const order = await buy(database.ctx, [{ item }])
  await beginPaying(database.ctx, services, order)
  return order
}

async function attemptOf(orderId: string): Promise<string> {
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return id
}

async function pay(orderId: string): Promise<void> {
  const id = await attemptOf(orderId)
  fake.pay(id, { minor: 1_000n, currency: 'USD' })
  await checkPayment(database.ctx, services, id)
}

async function leave(orderId: string): Promise<void> {
  const id = await attemptOf(orderId)
  fake.set(id, { status: 'failed' })
  await checkPayment(database.ctx, services, id)
  expect(await expireOrder(minutesLater(database.ctx, 60), orderId)).toBe(true)
}

const keyOf = (orderId: string) =>
  database.ctx.db
    .selectFrom('card_key as k')
    .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
    .select(['k.id', 'k.status'])
    .where('u.order_id', '=', orderId)
    .executeTakeFirst()

const labelOf = (orderId: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()

test('after a restore a key that was reserved goes to nobody, neither by the order that had it nor after it', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'R', 3)
  const [paid, left] = [await reserve(item), await reserve(item)]
  const reserved = [(await keyOf(paid.id))?.id, (await keyOf(left.id))?.id]

  expect(await quarantineSold(ctx)).toEqual([{ itemCode: item.code, count: 3 }])
  expect(await violations(ctx)).toEqual([])
  await stock(ctx, item, 'S', 2)
  await pay(paid.id)
  expect(await labelOf(paid.id)).toMatchObject({ status: 'completed', hold: null })
  expect(reserved).not.toContain((await keyOf(paid.id))?.id)

  await leave(left.id)
  expect(await countStock(ctx.db, item.id)).toMatchObject({ free: 1, quarantined: 3 })
  const next = await reserve(item)
  await pay(next.id)
  expect(reserved).not.toContain((await keyOf(next.id))?.id)
  expect(await violations(ctx)).toEqual([])
})

test('an order that lost its key to a restore and is paid waits for one, and is served once keys are released', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'T', 1)
  const order = await reserve(item)
  await quarantineSold(ctx)
  await pay(order.id)
  expect(await labelOf(order.id)).toMatchObject({ status: 'processing', hold: 'out_of_stock' })
  expect(await releaseQuarantined(asOperator(ctx), item.code)).toBe(1)
  await retryShortOrders(ctx)
  expect(await labelOf(order.id)).toMatchObject({ status: 'completed', hold: null })
  expect(await violations(ctx)).toEqual([])
})
