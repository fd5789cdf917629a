import { beforeAll, expect, test } from 'vitest'
import {
  noteBalances,
  noteHealth,
  registerSuppliers,
  restForOurs,
  setItemRoute,
  setOffer,
} from '#features/supply/routing/commands.ts'
import {
  findRoutedItem,
  listOffers,
  readRouting,
  routeOf,
  tryRule,
} from '#features/supply/routing/queries.ts'
import { chooseOffer } from '#features/supply/routing/rules.ts'
import { present } from '#kernel/assert.ts'
import { transaction } from '#platform/ctx.ts'
import { addCurrencies, addItem, type TestItem } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { askBalance, askComparison, setAlertHours, setShopRoute } from './commands.ts'
import { listBrandPaces, listSupplierStates, needsOf } from './queries.ts'
import { breakerOf, healthOf, ruleVersion } from './rules.ts'

const database = useDatabase()
const boss = () => asOperator(database.ctx)
const dollars = (minor: bigint) => ({ minor, currency: 'USD' })
let item: TestItem

const offer = (supplier: string, priority: number, cost: bigint) =>
  setOffer(boss(), {
    item: item.code,
    supplier,
    product: `${supplier}-sku`,
    priority,
    face: null,
    cost: dollars(cost),
  })
const route = async () => {
  const { offers } = await routeOf(database.ctx.db, item, database.ctx.now())
  return offers.map(({ supplier }) => supplier)
}
const stateOf = async (code: string) =>
  present((await listSupplierStates(database.ctx.db, database.ctx.now(), code))[0], code)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await registerSuppliers(database.ctx, ['one', 'two'])
  await offer('one', 0, 700n)
  await offer('two', 1, 600n)
})

test('suppliers stand with their health, and first who needs a person', async () => {
  const now = database.ctx.now()
  expect(await stateOf('one')).toMatchObject({
    offers: 1,
    queued: 0,
    open: 0,
    day: { done: 0, failed: 0, p50Ms: null },
    balances: [],
  })
  expect(healthOf(await stateOf('one'), now)).toBe('healthy')
  await restForOurs(database.ctx, 'two', 'closed')
  const [first] = await listSupplierStates(database.ctx.db, now)
  expect([first?.code, first && needsOf(first), first && healthOf(first, now)]).toEqual([
    'two',
    1,
    'refuses',
  ])
  for (let failure = 0; failure < 5; failure += 1) await noteHealth(database.ctx, 'one', false)
  expect(healthOf(await stateOf('one'), now)).toBe('paused')
  expect(breakerOf(await stateOf('one'), now, 5)).toBe('open')
  await noteHealth(database.ctx, 'one', true)
  await noteHealth(database.ctx, 'two', true)
  await transaction(database.ctx, (tx, at) => noteBalances(tx, 'one', [dollars(5_000n)], at))
  expect((await stateOf('one')).balances).toMatchObject([
    { availableMinor: 5_000n, hours: null, isLow: false, offMinor: null },
  ])
  expect(await listBrandPaces(database.ctx.db, now, 'one')).toEqual([])
})

test('a rule is tried, made, seen by whoever changes it after, and taken back', async () => {
  const before = await readRouting(database.ctx.db)
  expect(await tryRule(database.ctx.db, database.ctx.now(), ['cost'])).toEqual({
    looked: 1,
    moved: 1,
    examples: [{ item: item.code, name: '10 USD', from: 'one', to: 'two' }],
  })
  expect(await route()).toEqual(['one', 'two'])
  const cheapest = { rule: ['cost'], lossBasisPoints: 300, lossUsdMinor: 200n } as const
  expect(await setShopRoute(boss(), ruleVersion(before), cheapest)).toEqual(before)
  expect(await route()).toEqual(['two', 'one'])
  expect((await refused(setShopRoute(boss(), ruleVersion(before), cheapest))).code).toBe(
    'changed_meanwhile',
  )
  await setShopRoute(boss(), ruleVersion(await readRouting(database.ctx.db)), before)
  expect(await route()).toEqual(['one', 'two'])
  await setAlertHours(boss(), 48)
})

test('an item goes by its own rule, and what was said before tells how to take it back', async () => {
  const own = { item: item.code, rule: ['cost'], lossBasisPoints: null } as const
  const nothing = { rule: null, lossBasisPoints: null, waits: null }
  expect(await setItemRoute(boss(), own)).toEqual(nothing)
  expect(await route()).toEqual(['two', 'one'])
  const tried = await routeOf(database.ctx.db, item, database.ctx.now(), {
    rule: ['priority'],
    lossBasisPoints: null,
  })
  expect(chooseOffer(tried.offers, database.ctx.now())).toMatchObject({
    offer: { supplier: 'one' },
  })
  expect(await setItemRoute(boss(), { ...own, rule: null })).toEqual({
    ...nothing,
    rule: ['cost'],
  })
  expect(await findRoutedItem(database.ctx.db, item.code)).toMatchObject({
    rule: null,
    source: 'both',
    price: dollars(1_000n),
  })
  expect(
    await listOffers(database.ctx.db, { supplier: 'one', search: 'card:', after: '', limit: 2 }),
  ).toMatchObject([{ item: item.code, suppliers: 2, isOn: true, cost: '700' }])
  expect((await refused(askBalance(boss(), 'one'))).code).toBe('not_found')
})

test('whoever may look at suppliers does not have them asked without end, and one does not stand for another', async () => {
  const ctx = { ...asOperator(database.ctx, 'lee', 'read-only'), isLimited: true }
  for (const ask of [askBalance, askComparison]) {
    // Asked for something that no worker of this shop does, it is not there.
    for (let count = 0; count < 6; count += 1)
      expect((await refused(ask(ctx, 'six'))).code).toBe('not_found')
    expect(await refused(ask(ctx, 'six'))).toMatchObject({
      code: 'too_many_requests',
      params: { seconds: expect.any(Number) },
    })
    expect((await refused(ask(ctx, 'ten'))).code).toBe('not_found')
  }
})
