import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import {
  SupplyUnavailable,
  type CataloguePage,
  type ReportedPurchase,
  type SupplyProduct,
  type SupplyProvider,
} from '#providers/supply/provider.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { lukado } from '#providers/supply/lukado/service.ts'
import { seagm } from '#providers/supply/seagm/service.ts'
import { secret } from '#platform/secret.ts'
import { walk } from '../../../../test/support/walk.ts'
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
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { closeSupplyDifference } from './commands.ts'
import { compareSupplier } from './flows.ts'
import { countSupplyDifferences, listSupplyDifferences } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
let one: FakeSupplier
let serial = 0
let sandbox: RunningSupplySandbox
const { offer, paid, run, purchasesOf, ask, statesOf } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  sandbox = await startSupplySandbox()
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`tells${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
  await offer(one)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('supply_difference').execute()
  expect(await violations(database.ctx)).toEqual([])
})

/** What the report tells of one of ours, as it stands. */
const entry = (
  purchase: { readonly reference: string; readonly supplier_id: string | null } | undefined,
  more: Partial<ReportedPurchase> = {},
): ReportedPurchase => ({
  supplierId: purchase?.supplier_id ?? `theirs-${serial}`,
  reference: purchase?.reference ?? null,
  state: 'done',
  cost: { minor: 700n, currency: 'USD' },
  at: null,
  ...more,
})
/** Two hours later, as what was bought a moment ago may not be in a report yet. */
const compare = (
  purchases: readonly ReportedPurchase[],
  more: { unread?: number } = {},
  hours = 2,
) =>
  compareSupplier(minutesLater(database.ctx, hours * 60), {
    ...one.provider,
    report: async (_from, _to, cursor) => ({
      purchases: cursor === null ? purchases.slice(0, 1) : purchases.slice(1),
      unread: more.unread ?? 0,
      next: cursor === null ? '2' : null,
    }),
  })
const kinds = async () => (await listSupplyDifferences(database.ctx.db)).map(({ kind }) => kind)

test('what both know alike is no difference', async () => {
  const purchases = await purchasesOf(await boughtTwo())
  expect(await compare(purchases.map((each) => entry(each)))).toEqual({
    way: 'report',
    told: 2,
    unread: 0,
    found: 0,
  })
  expect(await kinds()).toEqual([])
})

test('each kind of difference is found once, and closes by itself once the report agrees', async () => {
  const [first, second] = await purchasesOf(await boughtTwo())
  const told = [entry(first, { cost: { minor: 699n, currency: 'USD' } }), entry(undefined)]
  expect((await compare(told))?.found).toBe(3)
  expect((await kinds()).toSorted()).toEqual(['amount', 'missing_here', 'missing_there'])
  expect((await compare(told))?.found).toBe(0)
  const ours = await listSupplyDifferences(database.ctx.db)
  expect(
    await walk(
      (part) => listSupplyDifferences(database.ctx.db, part),
      ({ id }) => id,
    ),
  ).toEqual(ours)
  expect(ours.find(({ kind }) => kind === 'amount')).toMatchObject({
    reference: first?.reference,
    ourMinor: '700',
    theirMinor: '699',
  })
  await compare([entry(first), entry(second), entry(undefined)])
  expect(await kinds()).toEqual(['missing_here'])
})

test('a purchase that was taken back without a word is asked about, and ends as one that was reversed', async () => {
  const [first, second] = await purchasesOf(await boughtTwo())
  await compare([entry(first, { state: 'failed', cost: null }), entry(second)])
  expect(await kinds()).toEqual(['state'])
  one.tells(() => ({ kind: 'failed', class: 'supplier', code: 'TAKEN_BACK', text: '' }))
  await ask(one, 3 * 3_600)
  const [after] = await purchasesOf({ id: first?.order_id } as never)
  expect(after?.status).toBe('reversed')
  await compare([entry(first, { state: 'failed', cost: null }), entry(second)])
  expect(await kinds()).toEqual([])
})

test('what is still open is asked about and is no difference; what failed there and was never ours is none', async () => {
  one.next({ kind: 'accepted' })
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  expect((await compare([entry(purchase), entry(undefined, { state: 'failed' })]))?.found).toBe(0)
  await ask(one, 2 * 3_600 + 1)
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('nothing is missing there while something of the report cannot be read, or was bought a moment ago', async () => {
  await boughtTwo()
  expect((await compare([], { unread: 1 }))?.found).toBe(0)
  expect((await compare([], {}, 0.5))?.found).toBe(0)
  expect((await compare([]))?.found).toBe(2)
})

test('somebody closes a difference with a note, and the same answer opens none again', async () => {
  const told = [entry(undefined)]
  await compare(told)
  const [difference] = await listSupplyDifferences(database.ctx.db)
  const ann = asOperator(database.ctx)
  await closeSupplyDifference(ann, difference?.id ?? '', 'bought by hand in their dashboard')
  expect((await refused(closeSupplyDifference(ann, difference?.id ?? '', 'again'))).code).toBe(
    'not_found',
  )
  expect((await refused(closeSupplyDifference(ann, 'nonsense', 'again'))).code).toBe('not_found')
  expect((await compare(told))?.found).toBe(0)
  expect(await countSupplyDifferences(database.ctx.db)).toBe(0)
})

test('a report that cannot be read leaves everything as it was', async () => {
  await boughtTwo()
  await expect(
    compareSupplier(database.ctx, {
      ...one.provider,
      report: () => Promise.reject(new SupplyUnavailable('down')),
    }),
  ).rejects.toThrow(SupplyUnavailable)
  expect(await kinds()).toEqual([])
})

/** Without a report: two hours later each purchase is asked about. */
const askEach = (hours = 2, days?: number) =>
  compareSupplier(
    minutesLater(database.ctx, hours * 60),
    one.provider,
    days === undefined ? {} : { days },
  )

test('without a report each purchase is asked about once, by our reference', async () => {
  const order = await boughtTwo()
  expect(await askEach(0.5)).toEqual({ way: 'lookup', told: 0, unread: 0, found: 0 })
  expect(await askEach()).toEqual({ way: 'lookup', told: 2, unread: 0, found: 0 })
  const references = (await purchasesOf(order)).map(({ reference }) => reference)
  expect([...one.asked].toSorted()).toEqual(references.toSorted())
  expect((await askEach(3))?.told).toBe(0)
  expect((await askEach(3, 1))?.told).toBe(2)
  expect([...one.bought.values()]).toEqual([1, 1])
})

test('what an answer tells otherwise is a difference, and is asked about until it agrees', async () => {
  const [first] = await purchasesOf(await boughtTwo())
  one.tells(({ purchase: { reference }, supplierId }) =>
    reference === first?.reference
      ? {
          kind: 'done',
          supplierId: supplierId ?? '',
          cost: { minor: 699n, currency: 'USD' },
        }
      : { kind: 'not_found' },
  )
  expect(await askEach()).toMatchObject({ told: 2, found: 2 })
  expect((await kinds()).toSorted()).toEqual(['amount', 'missing_there'])
  expect(await askEach(3)).toMatchObject({ told: 2, found: 0 })
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  expect(await askEach(4)).toMatchObject({ told: 0, unread: 2, found: 0 })
  expect(await kinds()).toHaveLength(2)
  one.tells(null)
  expect(await askEach(5)).toMatchObject({ told: 2, found: 0 })
  expect(await kinds()).toEqual([])
})

test('what was taken back is found by asking, and ends as one that was reversed', async () => {
  const order = await boughtTwo()
  one.tells(() => ({ kind: 'failed', class: 'supplier', code: 'TAKEN_BACK', text: '' }))
  expect(await askEach()).toMatchObject({ found: 2 })
  await ask(one, 3 * 3_600)
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['reversed', 'reversed'])
})

test('where asking could buy again nobody is asked, however its purchases ended', async () => {
  await boughtTwo()
  const { provider } = one
  const risky: SupplyProvider = {
    ...provider,
    capabilities: { ...provider.capabilities, idempotency: 'same_reference_asks_again' },
  }
  expect(await compareSupplier(minutesLater(database.ctx, 120), risky)).toBeNull()
  expect(one.asked).toEqual([])
})

test.each([hook, lukado, seagm])(
  'with the sandbox over its socket, the shop’s purchases and $code agree, and what was bought past the shop is found where there is a report',
  async (service) => {
    const provider = await service.open(
      Object.fromEntries(
        Object.entries(service.sandbox(sandbox.originOf(service.code), SANDBOX_SECRET)).map(
          ([name, value]) => [name, secret(value)],
        ),
      ),
      () => new Date(),
    )
    const way = provider.report ? 'report' : 'lookup'
    await registerSuppliers(database.ctx, [provider.code])
    await database.ctx.db.deleteFrom('supplier_offer').where('item', '=', item.id).execute()
    const good = await findTopUp(provider)
    expect(good).toBeDefined()
    if (good?.faces.kind !== 'single' || !good.faces.cost) return
    await setOffers(database.ctx, [
      {
        item: item.id,
        supplier: provider.code,
        priority: 0,
        kind: 'topup',
        product: good.id,
        face: null,
        cost: good.faces.cost,
        fields: { user_id: good.fields[0]?.name ?? 'user_id' },
      },
    ])
    const hand = { ...one, provider }
    const order = await paid(2, { user_id: '12349001' })
    await run(hand)
    expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
    const compared = () =>
      compareSupplier(minutesLater(database.ctx, way === 'report' ? 0 : 120), provider)
    expect(await compared()).toEqual({ way, told: 2, unread: 0, found: 0 })
    const past = await provider.purchase({
      kind: 'topup',
      product: good.id,
      quantity: 1,
      face: null,
      fields: { [good.fields[0]?.name ?? 'user_id']: '12349001' },
      reference: database.ctx.newId(),
      maxCost: null,
      token: null,
      buyerAddress: null,
    })
    expect(past.kind).toBe('done')
    expect(await compared()).toMatchObject(
      way === 'report' ? { told: 3, found: 1 } : { told: 0, found: 0 },
    )
    expect(await kinds()).toEqual(way === 'report' ? ['missing_here'] : [])
  },
)

/** A top-up of the demo that costs less than what the shop's item is sold for. */
async function findTopUp({ catalogue }: SupplyProvider): Promise<SupplyProduct | undefined> {
  for (let cursor: string | null = null; ; ) {
    const page: CataloguePage = await catalogue(cursor)
    const good = page.products.find(
      ({ kind, faces }) =>
        kind === 'topup' &&
        faces.kind === 'single' &&
        faces.cost !== null &&
        faces.cost.minor < 900n,
    )
    if (good || page.next === null) return good
    cursor = page.next
  }
}

async function boughtTwo() {
  const order = await paid(2)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
  return order
}
