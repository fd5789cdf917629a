import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookDeposit } from '#features/supply/purchase/commands.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { SupplyUnavailable } from '#providers/supply/provider.ts'
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
import { forgetReadings } from './commands.ts'
import { askBalances } from './flows.ts'
import { countBalanceWork, listCover, listReadings } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
let one: FakeSupplier
let serial = 0
const { offer, paid, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`holds${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
  await offer(one)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('supplier_balance').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const ask = (minor: bigint | null, ctx = database.ctx) =>
  askBalances(ctx, {
    ...one.provider,
    balances: () =>
      minor === null
        ? Promise.reject(new SupplyUnavailable('down'))
        : Promise.resolve([{ available: { minor, currency: 'USD' } }]),
  })
const topUp = (minor: bigint) =>
  bookDeposit(asOperator(database.ctx), {
    supplier: one.provider.code,
    money: { minor, currency: 'USD' },
    feeMinor: 0n,
    reference: `wire ${serial} ${minor}`,
  })
const cover = async (ctx = database.ctx) =>
  (await listCover(ctx.db, ctx.now())).find(({ supplier }) => supplier === one.provider.code)

test('a balance is kept beside what the books say, and how long it lasts follows from what was spent', async () => {
  await topUp(10_000n)
  await paid(2)
  await run(one)
  expect(await ask(8_600n)).toBe(true)
  expect(await cover()).toMatchObject({
    availableMinor: 8_600n,
    prepaidMinor: 8_600n,
    reservedMinor: 0n,
    offMinor: 0n,
    spentMinor: 1_400n,
    hours: 6,
    isLow: true,
  })
  expect(await countBalanceWork(database.ctx.db, database.ctx.now())).toBe(1)
  // The same spending over ten hours lasts for longer.
  const later = minutesLater(database.ctx, 600)
  expect(await cover(later)).toMatchObject({ hours: 61, isLow: false })
  expect(await countBalanceWork(later.db, later.now())).toBe(0)
})

test('a balance that is another than the books say is told, but not while purchases are under way within it', async () => {
  await topUp(10_000n)
  one.next({ kind: 'accepted' })
  await paid()
  await run(one)
  // Taken there already, or not yet: both are as booked.
  for (const minor of [10_000n, 9_300n]) {
    await ask(minor)
    expect(await cover()).toMatchObject({ prepaidMinor: 9_300n, reservedMinor: 700n, offMinor: 0n })
  }
  await ask(10_001n)
  expect(await cover()).toMatchObject({ offMinor: 1n })
  await ask(9_000n)
  expect(await cover()).toMatchObject({ offMinor: -300n })
  expect(await countBalanceWork(database.ctx.db, database.ctx.now())).toBe(1)
})

test('where no money sent there was ever noted the books say nothing, and where nothing is spent nothing runs out', async () => {
  await ask(5n)
  expect(await cover()).toMatchObject({ offMinor: null, hours: null, isLow: false })
})

test('who cannot be asked leaves what is known, and readings go after their time', async () => {
  await ask(500n)
  expect(await ask(null)).toBe(false)
  expect(await cover()).toMatchObject({ availableMinor: 500n })
  expect(await listReadings(database.ctx.db, one.provider.code)).toHaveLength(1)
  await forgetReadings(minutesLater(database.ctx, 31 * 24 * 60))
  expect(await listReadings(database.ctx.db, one.provider.code)).toEqual([])
})
