import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimUnit, releaseHold, retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { eraseGate, forgetScreenings, tendRefused } from '#features/buying/gate/commands.ts'
import { screenDue } from '#features/buying/gate/flows.ts'
import { exportGate, listHeldByGate } from '#features/buying/gate/queries.ts'
import { gateSetting } from '#features/buying/gate/schema.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { ScreeningProvider } from '#providers/screening/provider.ts'
import { openYente } from '#providers/screening/yente/yente.ts'
import { openScreeningSandbox } from '#sandbox/screening/service.ts'
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
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'

const database = useDatabase()
const fake = createFakePayments()
let sandbox: Awaited<ReturnType<typeof openScreeningSandbox>>
let service: ScreeningProvider
let item: TestItem
let one: FakeSupplier
let serial = 0
const { later, statesOf, offer, paid, payFor, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
type Bought = Awaited<ReturnType<typeof buy>>

beforeAll(async () => {
  await addCurrencies(database.ctx)
  sandbox = await openScreeningSandbox({ port: 0, apiKey: null, slowMs: 0 })
  service = openYente({
    url: sandbox.origin,
    isInside: true,
    apiKey: null,
    dataset: 'sanctions',
    threshold: '0.7',
  })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`screened${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
  await offer(one)
  await set({ screening: true })
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('screening_check').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const set = (value: unknown) =>
  database.ctx.db
    .insertInto('setting')
    .values({ key: gateSetting.key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
/** Somebody of this name pays for something. */
async function paidBy(nickname: string, quantity = 1): Promise<Bought> {
  const order = await paid(quantity)
  await call(order, nickname)
  return order
}
const call = ({ accountId }: Bought, nickname: string) =>
  sql`update account set nickname = ${nickname} where id = ${accountId}`.execute(database.ctx.db)
const orderOf = ({ id }: Bought) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const reasonsOf = async ({ number }: Bought) =>
  (await listHeldByGate(database.ctx.db)).find(({ orderNumber }) => orderNumber === number)?.reasons
const ask = (ctx: Ctx = database.ctx) => screenDue(ctx, service)
const told = async ({ id }: Bought) =>
  (
    await sql<{ reason: string }>`
      select reason from order_event where order_id = ${id} and is_to_tell and reason = 'risk'`.execute(
      database.ctx.db,
    )
  ).rows.length

test('who is on no list is asked about once, under a reference that was noted before, and gets their goods', async () => {
  const order = await paidBy('Ann Clear')
  await run(one)
  expect(one.calls).toHaveLength(0)
  // Nothing is held while the service is being asked.
  expect(await orderOf(order)).toMatchObject({ hold: null })
  const { id } = await database.ctx.db
    .selectFrom('screening_check')
    .select('id')
    .executeTakeFirstOrThrow()
  const before = sandbox.asked.length
  expect(await ask()).toBe(1)
  expect(sandbox.asked.slice(before)).toEqual([{ dataset: 'sanctions', reference: id }])
  await run(one, later(4))
  expect(await statesOf(order)).toEqual(['delivered'])
  // The answer holds for the next order as well, until it is too old.
  const next = await again(order)
  await run(one, later(8))
  expect(await statesOf(next)).toEqual(['delivered'])
  expect(await ask(later(10))).toBe(0)
  const much = await again(order)
  await run(one, minutesLater(database.ctx, 25 * 60))
  expect(await statesOf(much)).toEqual(['queued'])
  expect(await ask(minutesLater(database.ctx, 25 * 60))).toBe(1)
})

test('who is found is held for a person, who lets it go on', async () => {
  const order = await paidBy('Bob Listed')
  await run(one)
  await ask()
  await run(one, later(4))
  expect(await orderOf(order)).toMatchObject({ status: 'processing', hold: 'risk' })
  expect(await reasonsOf(order)).toEqual(['screening_match'])
  expect(await told(order)).toBe(1)
  await tendRefused(minutesLater(database.ctx, 60 * 24 * 90))
  expect(await orderOf(order)).toMatchObject({ hold: 'risk', refunded_minor: '0' })
  await sql`update order_event set is_to_tell = false where is_to_tell`.execute(database.ctx.db)
  expect(await releaseHold(asOperator(database.ctx), order.number)).toBeNull()
  await run(one, later(70))
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('without an answer nothing passes and nothing goes back; with one it goes on by itself', async () => {
  const order = await paidBy('Ann Clear')
  await run(one)
  sandbox.fail(/POST/, 'fault')
  expect(await ask()).toBe(0)
  await run(one, later(4))
  expect(await orderOf(order)).toMatchObject({ hold: 'risk', refunded_minor: '0' })
  expect(await reasonsOf(order)).toEqual(['screening'])
  expect(await told(order)).toBe(1)
  // It is left alone for a while, and for longer after each try.
  expect(await ask(later(9))).toBe(0)
  sandbox.fail(/POST/, 'lost_answer')
  expect(await ask(later(11))).toBe(0)
  expect(await ask(later(39))).toBe(0)
  await tendRefused(minutesLater(database.ctx, 60 * 24))
  expect(await orderOf(order)).toMatchObject({ hold: 'risk', refunded_minor: '0' })
  await sql`update order_event set is_to_tell = false where is_to_tell`.execute(database.ctx.db)
  expect(await ask(later(42))).toBe(1)
  expect(await orderOf(order)).toMatchObject({ hold: null })
  await run(one, later(120))
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('what was held for want of an answer stays held for who is found then', async () => {
  const order = await paidBy('Bob Listed')
  await run(one)
  sandbox.fail(/POST/, 'fault')
  await ask()
  await run(one, later(4))
  expect(await ask(later(11))).toBe(1)
  expect(await reasonsOf(order)).toEqual(['screening_match'])
  expect(await orderOf(order)).toMatchObject({ hold: 'risk' })
})

test('where nobody asks, everything is held after half a minute', async () => {
  const order = await paidBy('Ann Clear')
  await run(one)
  await run(one, later(29))
  expect(await orderOf(order)).toMatchObject({ hold: null })
  await run(one, later(33))
  expect(await orderOf(order)).toMatchObject({ hold: 'risk' })
  expect(one.calls).toHaveLength(0)
})

test('who has another name by the time of the call is asked about anew', async () => {
  const order = await paidBy('Ann Clear')
  await run(one)
  await call(order, 'Bob Listed')
  expect(await ask()).toBe(0)
  await run(one, later(4))
  expect(await ask(later(5))).toBe(1)
  await run(one, later(8))
  expect(await reasonsOf(order)).toEqual(['screening_match'])
})

test('what people deliver by hand waits the same, and nobody is told of the wait', async () => {
  const plain = await addItem(database.ctx, { delivery: 'direct_charge' })
  const order = await buy(database.ctx, [
    { item: plain, delivery: 'direct_charge', accountFields: { user_id: 'me' } },
  ])
  await payFor(order, { byNotice: true })
  await call(order, 'Ann Clear')
  const unit = await database.ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const ann = asOperator(database.ctx)
  expect((await refused(claimUnit(ann, unit.public_id))).code).toBe('order_closed')
  expect([await reasonsOf(order), await told(order)]).toEqual([['screening'], 0])
  await ask()
  expect((await claimUnit(ann, unit.public_id))?.unit).toBe(unit.public_id)
})

test('own keys stay reserved until the answer, and are handed over then', async () => {
  const card = await addItem(database.ctx)
  await stock(database.ctx, card, 'S', 2)
  await set({ screening: true, own_keys: true })
  const order = await buy(database.ctx, [{ item: card, quantity: 2 }])
  await call(order, 'Ann Clear')
  // What a process has read of the setting holds for seconds.
  const ctx = later(60)
  await payFor(order, { byNotice: true, ctx })
  expect(await orderOf(order)).toMatchObject({ status: 'processing', hold: 'risk' })
  expect(await told(order)).toBe(0)
  expect(await ask(ctx)).toBe(1)
  await retryShortOrders(ctx)
  expect(await orderOf(order)).toMatchObject({ status: 'completed', hold: null })
})

test('what is kept names nobody, is exported, and goes with the account and after its time', async () => {
  const order = await paidBy('Bob Listed')
  await run(one)
  await ask()
  const rows = await database.ctx.db.selectFrom('screening_check').selectAll().execute()
  expect(rows).toMatchObject([{ state: 'match', matches: ['NK-sandbox-1 0.97'] }])
  expect(JSON.stringify(rows)).not.toMatch(/Bob|@/)
  expect(await exportGate(database.ctx.db, order.accountId)).toContainEqual(
    expect.objectContaining({ screening_service: 'match' }),
  )
  const count = async () =>
    (await database.ctx.db.selectFrom('screening_check').select('id').execute()).length
  await forgetScreenings(minutesLater(database.ctx, 31 * 24 * 60))
  expect(await count()).toBe(1)
  await forgetScreenings(minutesLater(database.ctx, 33 * 24 * 60))
  expect(await count()).toBe(0)
  await run(one, later(4))
  expect(await count()).toBe(1)
  await transaction(database.ctx, (tx) => eraseGate(tx, order.accountId))
  expect(await count()).toBe(0)
})

/** The same shopper buys once more. */
async function again({ accountId }: Bought): Promise<Bought> {
  const order = await buy(
    database.ctx,
    [{ item, delivery: 'direct_charge', accountFields: { user_id: 'me' } }],
    { accountId },
  )
  await payFor(order, { byNotice: true })
  return order
}
