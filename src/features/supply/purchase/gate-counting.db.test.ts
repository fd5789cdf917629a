import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  importScreening,
  judgeOrder,
  refuseByOperator,
  tendRefused,
} from '#features/buying/gate/commands.ts'
import { gateSetting } from '#features/buying/gate/schema.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { addCurrencies, addItem, buy, type TestItem } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'

const database = useDatabase()
let item: TestItem
let supplier: FakeSupplier
let serial = 0
const { later, statesOf, offer, paid, run } = supplyHands(
  () => database.ctx,
  createFakePayments(),
  () => item,
)
type Bought = Awaited<ReturnType<typeof buy>>

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  supplier = createFakeSupplier(`counted${serial}`)
  await registerSuppliers(database.ctx, [supplier.provider.code])
  await offer(supplier)
})

const limits = (...all: object[]) => {
  const value = JSON.stringify({ limits: all })
  return database.ctx.db
    .insertInto('setting')
    .values({ key: gateSetting.key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

const change = (order: Bought, set: object) =>
  database.ctx.db.updateTable('shop_order').set(set).where('id', '=', order.id).execute()

const judged = ({ id }: Bought) =>
  transaction(database.ctx, async (tx) => judgeOrder(tx, database.ctx, await lockOrderById(tx, id)))

test('what a person has refused counts for nobody after it', async () => {
  await limits({ per: 'player', hours: 24, units: 1 })
  const refused = await paid(2, { user_id: 'again' })
  await run(supplier)
  expect(supplier.calls).toHaveLength(0)
  await refuseByOperator(asOperator(database.ctx), refused.number, 'too many at once')
  await tendRefused(database.ctx)
  const next = await paid(1, { user_id: 'again' })
  await run(supplier, later(1))
  expect(await statesOf(next)).toEqual(['delivered'])
})

test('the second of two orders for one player waits for the first, and counts it', async () => {
  await limits({ per: 'player', hours: 24, units: 1 })
  const [first, second] = [await paid(1, { user_id: 'both' }), await paid(1, { user_id: 'both' })]
  let other: Promise<{ readonly verdict: string }> | undefined
  await transaction(database.ctx, async (tx) => {
    const order = await lockOrderById(tx, first.id)
    expect((await judgeOrder(tx, database.ctx, order)).verdict).toBe('pass')
    other = judged(second)
    await sql`select pg_sleep(0.3)`.execute(tx)
  })
  expect((await other)?.verdict).toBe('hold')
})

test('a limit in dollars counts what was paid in any currency', async () => {
  await database.ctx.db
    .insertInto('currency_rate')
    .values({ currency: 'JPY', per_usd: '100', observed_at: database.ctx.now(), source: 'test' })
    .execute()
  await limits({ per: 'player', hours: 24, usd_minor: 999 })
  const order = await paid(1, { user_id: 'yen' })
  // 1,000 yen are ten dollars.
  await change(order, { currency: 'JPY' })
  expect(await judged(order)).toMatchObject({ verdict: 'hold', reasons: ['player_limit'] })
})

test.each(['hold', 'refuse'])(
  'what was paid in a currency that no rate is known of is held by a limit in dollars that says %s',
  async (verdict) => {
    await database.ctx.db.deleteFrom('currency_rate').where('currency', '=', 'JPY').execute()
    await limits({ per: 'player', hours: 24, usd_minor: 1_000_000, verdict })
    const order = await paid(1, { user_id: `unknown-${verdict}` })
    await change(order, { currency: 'JPY' })
    expect(await judged(order)).toMatchObject({ verdict: 'hold', reasons: ['player_limit'] })
  },
)

test('a phone is the same whichever operator it is recharged with', async () => {
  await limits({ per: 'phone', hours: 24, units: 1 })
  const recharge = () =>
    sql`update brand set kind = 'recharge' where code = ${item.brand}`.execute(database.ctx.db)
  await recharge()
  const first = await paid(1, { mobile: '+1 868 555 0100' })
  expect(await judged(first)).toMatchObject({ verdict: 'pass' })
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  await recharge()
  const second = await paid(1, { mobile: '+18685550100' })
  expect(await judged(second)).toMatchObject({ verdict: 'hold', reasons: ['phone_limit'] })
})

test.each(['refund_requested', 'disputed', 'late'])(
  'nothing is bought for an order that is held as %s',
  async (hold) => {
    await limits()
    const order = await paid(1)
    await change(order, { hold, status: 'processing' })
    await run(supplier)
    expect(supplier.calls).toHaveLength(0)
    await change(order, { hold: null, status: 'waiting_for_shipment' })
    await run(supplier, later(61))
    expect(await statesOf(order)).toEqual(['delivered'])
  },
)

const dispute = ({ id }: Bought, isDisputed: boolean) =>
  sql`update payment_attempt set is_disputed = ${isDisputed} where order_id = ${id}`.execute(
    database.ctx.db,
  )

test('nothing is bought while its bank disputes the payment', async () => {
  await limits()
  const order = await paid(1)
  await dispute(order, true)
  await run(supplier)
  expect(supplier.calls).toHaveLength(0)
  await dispute(order, false)
  await run(supplier, later(61))
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('what was refused by a rule is not given back while its bank disputes the payment', async () => {
  await limits({ per: 'player', hours: 24, units: 1, verdict: 'refuse' })
  const order = await paid(2, { user_id: 'disputed' })
  await run(supplier)
  await dispute(order, true)
  expect(await tendRefused(database.ctx)).toBe(0)
  expect(await statesOf(order)).toEqual(['queued', 'queued'])
  await dispute(order, false)
  expect(await tendRefused(database.ctx)).toBe(1)
  expect(await statesOf(order)).toEqual(['refund_due', 'refund_due'])
})

test('every billing address of a shopper is looked for on lists', async () => {
  await limits()
  const order = await paid(1)
  await sql`insert into country (code, alpha3, numeric_code, name, continent, currency, store_currency, language, is_on_sale, position)
    values ('DE', 'DEU', '276', 'Germany', 'EU', 'EUR', 'EUR', 'en', true, 0)`.execute(
    database.ctx.db,
  )
  for (const [first, isDefault] of [
    ['Ann', true],
    ['Zoë', false],
    ['Bob', false],
  ] as const)
    await sql`insert into billing_address (id, public_id, account_id, country, first_name, surname, address, is_default, created_at, updated_at)
      values (${database.ctx.newId()}, ${`${first}-${serial}`.padEnd(22, 'x').replace('ë', 'e')}, ${order.accountId}, 'DE', ${first}, 'Quux', 'a street', ${isDefault}, now(), now())`.execute(
      database.ctx.db,
    )
  await importScreening(asOperator(database.ctx), 'test-list', [
    { reference: 'Q1', name: 'quux zoe', email: null },
  ])
  expect(await judged(order)).toMatchObject({ verdict: 'hold', reasons: ['listed_name'] })
})
