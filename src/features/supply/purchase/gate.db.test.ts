import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimUnit, releaseHold, retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import {
  eraseGate,
  forgetUses,
  importScreening,
  noteReleased,
  proveAge,
  refuseByOperator,
  tendRefused,
} from '#features/buying/gate/commands.ts'
import { countHeldByGate, exportGate, listHeldByGate } from '#features/buying/gate/queries.ts'
import { gateSetting } from '#features/buying/gate/schema.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { refuseRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { transaction } from '#platform/ctx.ts'
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
import { paidAt } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let item: TestItem
let one: FakeSupplier
let serial = 0
const { later, statesOf, unitsOf, offer, paid, payFor, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
type Bought = Awaited<ReturnType<typeof buy>>

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`gated${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
  await offer(one)
  await set({})
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('screening_entry').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const set = (value: unknown) =>
  database.ctx.db
    .insertInto('setting')
    .values({ key: gateSetting.key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
const limits = (...all: object[]) => set({ limits: all })
const orderOf = ({ id }: Bought) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const reasonsOf = async ({ number }: Bought) =>
  (await listHeldByGate(database.ctx.db)).find(({ orderNumber }) => orderNumber === number)?.reasons
const ann = () => asOperator(database.ctx)

test('more than may go to one player is held before it is bought, and a person lets it go on', async () => {
  await limits({ per: 'player', hours: 24, units: 2 })
  const first = await paid(2, { user_id: '1234 5' })
  expect(await run(one)).toBe(2)
  expect(await statesOf(first)).toEqual(['delivered', 'delivered'])
  const second = await paid(1, { user_id: '12345' })
  await run(one)
  expect(one.calls).toHaveLength(2)
  expect(await orderOf(second)).toMatchObject({ status: 'processing', hold: 'risk' })
  expect(await reasonsOf(second)).toEqual(['player_limit'])
  expect(await countHeldByGate(database.ctx.db)).toBe(1)
  // Held money never goes back by itself.
  await tendRefused(minutesLater(database.ctx, 60 * 24 * 90))
  expect(await orderOf(second)).toMatchObject({ hold: 'risk', refunded_minor: '0' })
  const { rows } = await sql<{ told: boolean }>`
    select is_to_tell as told from order_event where order_id = ${second.id} and reason = 'risk'`.execute(
    database.ctx.db,
  )
  expect(rows).toEqual([{ told: true }])
  await sql`update order_event set is_to_tell = false where is_to_tell`.execute(database.ctx.db)
  expect(await releaseHold(ann(), second.number)).toBeNull()
  await noteReleased(ann(), second.number, 'called back')
  expect(await run(one, later(61))).toBe(1)
  expect(await statesOf(second)).toEqual(['delivered'])
  expect(await countHeldByGate(database.ctx.db)).toBe(0)
})

test('another player is not counted, and what is too old is not', async () => {
  await limits({ per: 'player', hours: 2, units: 1 })
  await paid(1, { user_id: 'a1' })
  await paid(1, { user_id: 'a2' })
  expect(await run(one)).toBe(2)
  await paid(1, { user_id: 'a1' })
  await run(one, minutesLater(database.ctx, 121))
  expect(one.calls).toHaveLength(3)
})

test('amounts count as well as units', async () => {
  await limits({ per: 'player', hours: 24, usd_minor: 1_500 })
  const orders = [await paid(1, { user_id: 'b' }), await paid(1, { user_id: 'b' })]
  await run(one)
  const holds = await Promise.all(orders.map(orderOf))
  expect(holds.map(({ hold }) => hold).toSorted()).toEqual(['risk', null].toSorted())
  expect(one.calls).toHaveLength(1)
})

test('who lets it go on by the second person’s approval needs to say it once', async () => {
  await limits({ per: 'shopper', hours: 24, units: 1 })
  const order = await paid(2)
  await run(one)
  expect(await reasonsOf(order)).toEqual(['shopper_limit'])
  // As the approval of another person does.
  await releaseHold(ann(), order.number)
  await run(one, later(61))
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
})

test('what may not be sold there any more is refused, and its price goes back by itself', async () => {
  const order = await paid(2)
  await sql`update item set buyer_countries = '{}' where id = ${item.id}`.execute(database.ctx.db)
  await run(one)
  expect(await orderOf(order)).toMatchObject({ hold: 'risk' })
  expect(one.calls).toHaveLength(0)
  expect(await tendRefused(database.ctx)).toBe(1)
  await submitRefunds(database.ctx, services.providers)
  expect(await orderOf(order)).toMatchObject({ status: 'refunded', hold: null })
  expect(await tendRefused(database.ctx)).toBe(0)
})

test('an operator refuses: what is not delivered goes back, within their limits', async () => {
  await limits({ per: 'shopper', hours: 24, units: 1 })
  const order = await paid(2)
  await run(one)
  expect(
    (
      await refused(
        refuseByOperator(asOperator(database.ctx, 'cat', 'catalogue'), order.number, 'no'),
      )
    ).code,
  ).toBe('forbidden')
  expect(await refuseByOperator(ann(), order.number, 'a stolen card')).toEqual({
    needsApproval: false,
  })
  expect(await tendRefused(database.ctx)).toBe(1)
  await submitRefunds(database.ctx, services.providers)
  expect(await orderOf(order)).toMatchObject({ status: 'refunded', hold: null })
  const { rows } = await sql<{ after: unknown }>`
    select after from audit_log where action = 'delivery_refused' and subject_code = ${order.number}`.execute(
    database.ctx.db,
  )
  expect(rows).toEqual([{ after: { decision: 'refused', note: 'a stolen card' } }])
})

test('a name on a list holds, whatever order it is written in, and so does an address', async () => {
  const order = await paid()
  const nickname = 'Zoë  Quux'
  await sql`update account set nickname = ${nickname} where id = ${order.accountId}`.execute(
    database.ctx.db,
  )
  await importScreening(ann(), 'test-list', [{ reference: 'Q1', name: 'quux zoe', email: null }])
  await run(one)
  expect(await reasonsOf(order)).toEqual(['listed_name'])
  const other = await paid()
  const { email } = await database.ctx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', other.accountId)
    .executeTakeFirstOrThrow()
  await importScreening(ann(), 'test-list', [{ reference: 'Q2', name: null, email }])
  await run(one)
  expect(await reasonsOf(other)).toEqual(['listed_email'])
})

test('an age nobody knows holds; once it is noted the next order passes', async () => {
  await sql`update product set min_age = 18 where code = ${item.product}`.execute(database.ctx.db)
  const order = await paid()
  await run(one)
  expect(await reasonsOf(order)).toEqual(['age'])
  const { uid } = await database.ctx.db
    .selectFrom('account')
    .select('uid')
    .where('id', '=', order.accountId)
    .executeTakeFirstOrThrow()
  await proveAge(ann(), { uid, years: 18, note: 'passport' })
  const again = await buy(
    database.ctx,
    [{ item, delivery: 'direct_charge', accountFields: { user_id: 'x' } }],
    { accountId: order.accountId },
  )
  await payFor(again)
  await run(one)
  expect(await statesOf(again)).toEqual(['delivered'])
  const exported = await exportGate(database.ctx.db, order.accountId)
  expect(exported[0]).toMatchObject({ years_at_least: 18 })
  expect(exported[1]).toMatchObject({ order: order.number, verdict: 'hold' })
  await transaction(database.ctx, (tx) => eraseGate(tx, order.accountId))
  expect(await exportGate(database.ctx.db, order.accountId)).toHaveLength(1)
})

test('a corrected account is looked at anew', async () => {
  await limits({ per: 'player', hours: 24, units: 1 })
  await paid(1, { user_id: 'rich' })
  await run(one)
  const order = await paid(1, { user_id: 'wrong' })
  one.next({ kind: 'failed', class: 'customer' })
  await run(one)
  expect(await statesOf(order)).toEqual(['needs_input'])
  await sql`update order_line set account_fields = '{"user_id": "rich"}' where order_id = ${order.id}`.execute(
    database.ctx.db,
  )
  await sql`update order_unit set status = 'queued', input_until = null where order_id = ${order.id}`.execute(
    database.ctx.db,
  )
  await sql`update shop_order set status = 'waiting_for_shipment' where id = ${order.id}`.execute(
    database.ctx.db,
  )
  await sql`insert into order_event (id, order_id, at, actor, request_id, to_status, reason) values (${database.ctx.newId()}, ${order.id}, now(), 'system', 'test', 'waiting_for_shipment', 'input_corrected')`.execute(
    database.ctx.db,
  )
  await run(one, later(1))
  expect(await reasonsOf(order)).toEqual(['player_limit'])
  await sql`update order_event set is_to_tell = false where is_to_tell`.execute(database.ctx.db)
})

test('goods delivered by hand pass the same gate', async () => {
  await database.ctx.db.deleteFrom('supplier_offer').where('item', '=', item.id).execute()
  await limits({ per: 'shopper', hours: 24, units: 1 })
  const order = await paid(2)
  const [unit] = await unitsOf(order)
  expect((await refused(claimUnit(ann(), unit?.public_id ?? ''))).code).toBe('order_closed')
  expect(await orderOf(order)).toMatchObject({ hold: 'risk' })
  const next = await paid(1)
  expect((await claimUnit(ann(), null))?.orderNumber).toBe(next.number)
})

test('own keys pass the gate where the owner wants it, and stay reserved until somebody lets them go on', async () => {
  const card = await addItem(database.ctx)
  await stock(database.ctx, card, 'K', 3)
  await set({ own_keys: true, limits: [{ per: 'shopper', hours: 24, units: 1 }] })
  const ctx = minutesLater(database.ctx, 1)
  const order = await buy(ctx, [{ item: card, quantity: 2 }])
  await payFor(order, { byNotice: true })
  expect(await orderOf(order)).toMatchObject({ status: 'processing', hold: 'risk' })
  expect(await statesOf(order)).toEqual(['queued', 'queued'])
  expect(await violations(database.ctx)).toEqual([])
  await releaseHold(ann(), order.number)
  await retryShortOrders(database.ctx)
  expect(await orderOf(order)).toMatchObject({ status: 'completed', hold: null })
})

test.each([true, false])(
  'what somebody refused is not handed over when its refund comes to nothing (own keys looked at: %s)',
  async (areLookedAt) => {
    const card = await addItem(database.ctx)
    await stock(database.ctx, card, areLookedAt ? 'R' : 'Q', 2)
    await set({ own_keys: true, limits: [{ per: 'shopper', hours: 24, units: 1 }] })
    const order = await buy(minutesLater(database.ctx, 1), [{ item: card, quantity: 2 }])
    await payFor(order, { byNotice: true })
    await database.ctx.db
      .insertInto('setting')
      .values({ key: 'refund_second_person_minor', value: '0' })
      .execute()
    expect(await refuseByOperator(ann(), order.number, 'a stolen card')).toEqual({
      needsApproval: true,
    })
    await tendRefused(database.ctx)
    const { public_id: refund } = await database.ctx.db
      .selectFrom('refund')
      .select('public_id')
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    await set({ own_keys: areLookedAt, limits: [] })
    await refuseRefund(asOperator(database.ctx, 'bea', 'owner'), refund, 'not yet')
    await database.ctx.db.deleteFrom('setting').where('key', '<>', gateSetting.key).execute()
    expect(await orderOf(order)).toMatchObject({ hold: 'out_of_stock' })
    await retryShortOrders(database.ctx)
    expect(await statesOf(order)).toEqual(['queued', 'queued'])
    expect(await orderOf(order)).toMatchObject({ status: 'processing', hold: 'risk' })
    // Nor once it has waited so long that its price would go back as what is not there.
    await retryShortOrders(minutesLater(database.ctx, 60 * 25))
    expect(await orderOf(order)).toMatchObject({ hold: 'risk', refunded_minor: '0' })
    // Until a person says so: the last word of people is the one that counts.
    expect(await releaseHold(ann(), order.number)).toBeNull()
    await retryShortOrders(database.ctx)
    expect(await orderOf(order)).toMatchObject({ status: 'completed', hold: null })
  },
)

test('what is held stays so when its bank takes the money and gives it back', async () => {
  const card = await addItem(database.ctx)
  await stock(database.ctx, card, 'H', 1)
  await set({ own_keys: true, limits: [{ per: 'shopper', hours: 24, usd_minor: 500 }] })
  const order = await buy(database.ctx, [
    { item: card },
    { item, delivery: 'direct_charge', accountFields: { user_id: 'back' } },
  ])
  await payFor(order, { byNotice: true })
  expect(await orderOf(order)).toMatchObject({ hold: 'risk' })
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  for (const reversed of [{ minor: 2_000n, currency: 'USD' }, null]) {
    fake.set(id, { reversed })
    await checkPayment(database.ctx, services, id)
  }
  await retryShortOrders(database.ctx)
  await run(one, later(61))
  expect(await statesOf(order)).toEqual(['queued', 'queued'])
  expect(await orderOf(order)).toMatchObject({ status: 'processing', hold: 'risk' })
  await releaseHold(ann(), order.number)
  await retryShortOrders(database.ctx)
  await run(one, later(200))
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
})

test('what went to whom is forgotten once no limit looks back so far', async () => {
  await limits({ per: 'player', hours: 24, units: 9 })
  await paid(1, { user_id: 'old' })
  await run(one)
  const count = async () =>
    (await database.ctx.db.selectFrom('delivery_use').select('kind').execute()).length
  expect(await count()).toBeGreaterThan(0)
  await forgetUses(minutesLater(database.ctx, 33 * 24 * 60))
  expect(await count()).toBe(0)
})
