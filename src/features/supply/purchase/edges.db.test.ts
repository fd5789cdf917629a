import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { PRICE_TRIES } from '#features/supply/routing/rules.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { allowCost, followNotice, recordOutcome, settlePurchase, takeQueued } from './commands.ts'
import { askSupplier, buyUnit } from './flows.ts'
import { listQueued } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = {
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
}
const atOnce = () => Promise.resolve()
let item: TestItem
let one: FakeSupplier
let two: FakeSupplier
let serial = 0

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`one${serial}`)
  two = createFakeSupplier(`two${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code, two.provider.code])
  await offer(one)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

type Bought = Awaited<ReturnType<typeof buy>>
const later = (seconds: number): Ctx => minutesLater(database.ctx, seconds / 60)

async function offer({ provider }: FakeSupplier, priority = 0): Promise<void> {
  await setOffers(database.ctx, [
    {
      item: item.id,
      supplier: provider.code,
      priority,
      kind: 'topup',
      product: 'sku-1',
      face: null,
      cost: { minor: 700n, currency: 'USD' },
      fields: {},
    },
  ])
}

async function paid(quantity = 1) {
  const order = await buy(database.ctx, [
    { item, quantity, delivery: 'direct_charge', accountFields: { user_id: 'me' } },
  ])
  await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.pay(id, { minor: BigInt(quantity) * 1_000n, currency: 'USD' })
  await checkPayment(database.ctx, services, id)
  return order
}

const unitsOf = (order: Bought) =>
  database.ctx.db.selectFrom('order_unit').selectAll().where('order_id', '=', order.id).execute()
const statesOf = async (order: Bought) => (await unitsOf(order)).map(({ status }) => status)
const purchasesOf = (order: Bought) =>
  database.ctx.db
    .selectFrom('purchase')
    .selectAll()
    .where('order_id', '=', order.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Buys everything that is queued with a supplier at that moment. */
async function run(supplier: FakeSupplier, ctx = database.ctx): Promise<void> {
  for (const unit of await takeQueued(ctx, supplier.provider.code, 100))
    await buyUnit(ctx, supplier.provider, unit, atOnce)
}
const ask = (supplier: FakeSupplier, seconds: number) =>
  askSupplier(later(seconds), supplier.provider, atOnce)
/** A notice of a supplier about a purchase comes. */
const hear = (ctx: Ctx, { provider }: FakeSupplier, reference: string | undefined) =>
  followNotice(ctx, provider, { reference: reference ?? '', supplierId: null })

/** Purchases of which nobody could find out: a person's matter. */
async function doubted(supplier: FakeSupplier, order: Bought): Promise<string> {
  supplier.next({ kind: 'lost_answer' })
  await run(supplier)
  supplier.tells(() => ({ kind: 'unknown', why: 'down' }))
  for (const seconds of [11, 31, 121, 601, 3_601, 21_601, 86_401]) await ask(supplier, seconds)
  supplier.tells(null)
  const [purchase] = await purchasesOf(order)
  expect(purchase?.status).toBe('doubt')
  return purchase?.reference ?? ''
}

test('a price that every supplier refuses ends with a person, and not in a round from one to the other', async () => {
  await offer(two, 1)
  const refusals = Array.from({ length: 20 }, () => ({ kind: 'failed', class: 'price' }) as const)
  one.next(...refusals)
  two.next(...refusals)
  const order = await paid()
  for (let turn = 0; turn < 12; turn += 1) {
    await run(one)
    await run(two)
  }
  expect([one.calls.length, two.calls.length]).toEqual([PRICE_TRIES, PRICE_TRIES])
  const [unit] = await unitsOf(order)
  const held = (await listQueued(database.ctx.db)).filter(({ unit: id }) => id === unit?.public_id)
  expect(held).toMatchObject([{ held: 'price' }])
  one.forget()
  await allowCost(asOperator(database.ctx, 'boss'), unit?.public_id ?? '')
  await run(two)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('a late success of what waits for its buyer to correct it is its delivery', async () => {
  one.next({ kind: 'failed', class: 'customer' })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['needs_input'])
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await hear(database.ctx, one, purchase?.reference)
  await askSupplier(database.ctx, one.provider, atOnce)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['done'])
})

test('what a supplier tells while a person says otherwise stands', async () => {
  const order = await paid()
  const reference = await doubted(one, order)
  const [purchase] = await purchasesOf(order)
  let told: Promise<unknown> | undefined
  let said: Promise<{ readonly code: string }> | undefined
  await transaction(database.ctx, async (tx) => {
    await lockOrderById(tx, order.id)
    // Both wait for the order: first its supplier's answer, then what a person has read as being in doubt.
    told = recordOutcome(
      database.ctx,
      { id: purchase?.id ?? '', orderId: order.id },
      { kind: 'done', supplierId: 'theirs', cost: null },
      one.provider.capabilities,
    )
    await sleep(200)
    said = refused(
      settlePurchase(asOperator(database.ctx, 'boss'), reference, {
        outcome: 'failed',
        proof: 'not in their report',
      }),
    )
    await sleep(200)
  })
  await told
  expect((await said)?.code).toBe('conflict')
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['done'])
})
