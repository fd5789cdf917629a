import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readVersion } from '#features/buying/order/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { type OperatorCtx } from '#features/team/operator/commands.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { leadUnitAtDesk, readEffect } from './commands.ts'

const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
let one: FakeSupplier
let owner: OperatorCtx
let serial = 0
const { statesOf, unitsOf, offer, paid, purchasesOf, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
type Bought = Awaited<ReturnType<typeof paid>>

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  owner = await firstOwner(ctx)
})
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`dear${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

/** A unit that costs two dollars more than its price of ten. */
async function held() {
  await offer(one, 0, usd(1_200n))
  const order = await paid()
  await run(one)
  const [unit] = await unitsOf(order)
  return { order, unit: unit?.public_id ?? '' }
}

async function led(order: Bought, unit: string, minor: bigint | null) {
  return leadUnitAtDesk(owner, {
    order: order.number,
    version: await readVersion(database.ctx.db, order.id),
    key: randomUUID(),
    unit,
    to: 'supplier',
    seenCost: minor === null ? null : usd(minor),
  })
}

const wondered = (order: Bought, unit: string) =>
  readEffect(owner, {
    order: order.number,
    act: 'supplier',
    units: [unit],
    destination: 'original',
  })

test('what a unit costs at its supplier is told before it may be bought for that', async () => {
  const { order, unit } = await held()
  expect(await wondered(order, unit)).toMatchObject({ money: usd(1_200n), to: 'supplier' })
  expect((await refused(led(order, unit, null))).fields).toHaveProperty('seen_cost')
  await led(order, unit, 1_200n)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await refused(wondered(order, unit))).code).toBe('order_closed')
})

test('what has become dearer since it was seen is refused, and so is another currency', async () => {
  const { order, unit } = await held()
  await offer(one, 0, usd(9_900n))
  expect((await refused(led(order, unit, 1_200n))).code).toBe('changed_meanwhile')
  await run(one)
  expect(await statesOf(order)).toEqual(['queued'])
  expect(await purchasesOf(order)).toEqual([])
})

test('what becomes dearer after it was allowed is not bought, but held anew', async () => {
  const { order, unit } = await held()
  await led(order, unit, 1_200n)
  await offer(one, 0, usd(9_900n))
  await run(one)
  expect(await purchasesOf(order)).toEqual([])
  expect(await wondered(order, unit)).toMatchObject({ money: usd(9_900n) })
  // A supplier is told the same bound, whatever it says it costs.
  await led(order, unit, 9_900n)
  await run(one)
  expect(await purchasesOf(order)).toMatchObject([{ max_minor: '9900', status: 'done' }])
})
