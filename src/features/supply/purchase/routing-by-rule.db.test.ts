import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  measureSuppliers,
  noteBalances,
  registerSuppliers,
  setItemRoute,
} from '#features/supply/routing/commands.ts'
import { routingSetting } from '#features/supply/routing/schema.ts'
import { transaction } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { bookDeposit } from './commands.ts'
import { listQueued } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
let one: FakeSupplier
let two: FakeSupplier
let serial = 0
const { later, statesOf, purchasesOf, offer, paid, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
const dollars = (minor: bigint) => ({ minor, currency: 'USD' })

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`ruled${serial}-one`)
  two = createFakeSupplier(`ruled${serial}-two`)
  await registerSuppliers(database.ctx, [one.provider.code, two.provider.code])
  await offer(one, 0, dollars(700n))
  await offer(two, 1, dollars(600n))
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const set = (value: unknown) =>
  database.ctx.db
    .insertInto('setting')
    .values({ key: routingSetting.key, value: JSON.stringify(value) })
    .execute()
/** Whichever is asked first, the unit goes to the one that is meant. */
async function bought(): Promise<readonly string[]> {
  const order = await paid()
  await run(one)
  await run(two)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered'])
  return (await purchasesOf(order)).map(({ supplier }) => supplier)
}

test('the shop’s rule chooses, an item’s own goes before it, and why is kept with the purchase', async () => {
  expect(await bought()).toEqual([one.provider.code])
  await set({ rule: ['cost'] })
  expect(await bought()).toEqual([two.provider.code])
  await setItemRoute(asOperator(database.ctx), {
    item: item.code,
    rule: ['priority'],
    lossBasisPoints: null,
  })
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  expect(purchase?.why).toMatchObject({
    chosen: one.provider.code,
    offers: [
      { supplier: one.provider.code, cost: '700 USD' },
      { supplier: two.provider.code, cost: '600 USD' },
    ],
  })
  await setItemRoute(asOperator(database.ctx), {
    item: item.code,
    rule: null,
    lossBasisPoints: null,
  })
  expect(await bought()).toEqual([two.provider.code])
})

test('measured time chooses once something was measured', async () => {
  await set({ rule: ['time'] })
  expect(await bought()).toEqual([one.provider.code])
  await measureSuppliers(minutesLater(database.ctx, 1))
  const { p50_ms: p50 } = await database.ctx.db
    .selectFrom('supplier')
    .select('p50_ms')
    .where('code', '=', one.provider.code)
    .executeTakeFirstOrThrow()
  expect(p50).toBeGreaterThanOrEqual(0)
})

test('a supplier with less left than a unit costs is not called; a noted top-up lets it go on', async () => {
  await database.ctx.db
    .deleteFrom('supplier_offer')
    .where('supplier', '=', two.provider.code)
    .execute()
  await transaction(database.ctx, (tx, now) =>
    noteBalances(tx, one.provider.code, [dollars(699n)], now),
  )
  const order = await paid()
  await run(one)
  expect(one.calls).toEqual([])
  expect(await statesOf(order)).toEqual(['queued'])
  await bookDeposit(asOperator(database.ctx), {
    supplier: one.provider.code,
    money: dollars(10_000n),
    feeMinor: 0n,
    reference: `wire ${serial}`,
  })
  expect(await run(one, later(1))).toBe(1)
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('a balance that was asked for long ago keeps nothing up', async () => {
  await transaction(database.ctx, (tx, now) =>
    noteBalances(tx, one.provider.code, [dollars(0n)], new Date(now.getTime() - 16 * 60_000)),
  )
  expect(await bought()).toEqual([one.provider.code])
})

test('an item’s own limit of loss goes before the shop’s', async () => {
  await database.ctx.db
    .deleteFrom('supplier_offer')
    .where('supplier', '=', two.provider.code)
    .execute()
  await offer(one, 0, dollars(1_040n))
  one.costs(1_040n)
  await set({ loss_basis_points: 100 })
  const route = { item: item.code, rule: null }
  await setItemRoute(asOperator(database.ctx), { ...route, lossBasisPoints: 500 })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered'])
  await database.ctx.db.deleteFrom('setting').execute()
  await set({ loss_basis_points: 500 })
  await setItemRoute(asOperator(database.ctx), { ...route, lossBasisPoints: 0 })
  const next = await paid()
  await run(one)
  expect(await statesOf(next)).toEqual(['queued'])
})

test('what has become dearer since it was paid is bought up to the limit of loss, and no further', async () => {
  await database.ctx.db
    .deleteFrom('supplier_offer')
    .where('supplier', '=', two.provider.code)
    .execute()
  await offer(one, 0, dollars(1_040n))
  const order = await paid()
  await run(one)
  expect((await listQueued(database.ctx.db)).map(({ held }) => held)).toContain('price')
  await set({ loss_basis_points: 500 })
  const next = await paid()
  one.costs(1_040n)
  await run(one)
  expect(await statesOf(next)).toEqual(['delivered'])
  // The other bound is the lower one here.
  await database.ctx.db.deleteFrom('setting').execute()
  await set({ loss_basis_points: 500, loss_usd_minor: 39 })
  const last = await paid()
  await run(one)
  expect([...(await statesOf(order)), ...(await statesOf(last))]).toEqual(['queued', 'queued'])
})
