import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { exportKeys } from '#features/buying/vault/commands.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { secret } from '#platform/secret.ts'
import type { SupplyProvider } from '#providers/supply/provider.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { kinguin } from '#providers/supply/kinguin/service.ts'
import type { SupplyService } from '#providers/supply/service.ts'
import {
  addCurrencies,
  addItem,
  testVault,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { paidAt } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { askSupplier, paceOf, returnCards } from './flows.ts'
import { startSupplying, type Supplying } from './jobs.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let sandbox: RunningSupplySandbox
let supplying: Supplying
let item: TestItem
let providers: ReadonlyMap<string, SupplyProvider>
const hands = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

const opened = (service: SupplyService) =>
  service.open(
    Object.fromEntries(
      Object.entries(service.sandbox(sandbox.originOf(service.code), SANDBOX_SECRET)).map(
        ([name, value]) => [name, secret(value)],
      ),
    ),
    () => new Date(),
  )

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await database.ctx.db
    .insertInto('currency_rate')
    .values(
      ['USD', 'EUR'].map((currency) => ({
        currency,
        per_usd: '1',
        spread_basis_points: 0,
        source: 'feed:ecb',
        observed_at: database.ctx.now(),
      })),
    )
    .execute()
  sandbox = await startSupplySandbox()
  const all = await Promise.all([opened(kinguin), opened(hook)])
  providers = new Map(all.map((provider) => [provider.code, provider]))
  await registerSuppliers(database.ctx, [...providers.keys()])
  supplying = startSupplying(database.ctx, providers, () => {}, testVault)
})
afterAll(async () => {
  await supplying.stop()
  await sandbox.stop()
})

/** Sells a new item as a card of a sandboxed supplier, at up to 20.00 USD. */
async function sell(supplier: string, product: string): Promise<void> {
  item = await addItem(database.ctx)
  await setOffers(database.ctx, [
    {
      item: item.id,
      supplier,
      priority: 0,
      kind: 'giftcard',
      product,
      face: null,
      cost: { minor: 940n, currency: supplier === 'kinguin' ? 'EUR' : 'USD' },
      fields: {},
    },
  ])
}

const delivered = (order: Awaited<ReturnType<typeof hands.paid>>, count: number) =>
  expect
    .poll(() => hands.statesOf(order), { timeout: 60_000 })
    .toEqual(Array.from({ length: count }, () => 'delivered'))

const openedKeys = async (order: Awaited<ReturnType<typeof hands.paid>>) =>
  (
    await exportKeys(database.ctx, testVault, {
      accountId: order.accountId,
      network: '',
      order: order.publicId,
    })
  ).map(({ parts }) => parts)

test('cards of Kinguin are asked for once they are paid, and one that is a picture is kept as one', async () => {
  await sell('kinguin', '9001')
  const order = await hands.paid(2, {}, 'card_key')
  await delivered(order, 2)
  const keys = await openedKeys(order)
  expect(keys.map((parts) => Object.keys(parts).join())).toEqual(
    expect.arrayContaining(['code', 'image']),
  )
  expect(keys.find(({ image }) => image)?.['image']).toMatch(/^data:image\/png;base64,iVBOR/)
  expect(keys.find(({ code }) => code)?.['code']).toMatch(/^SANDBOX-/)
  expect((await hands.purchasesOf(order)).map(({ quantity }) => quantity)).toEqual([2])
  expect(await violations(database.ctx)).toEqual([])
})

test('cards that nobody has seen go back to Kinguin once their buyer has the money, and those that were seen do not', async () => {
  const ann = asOperator(database.ctx, 'ann')
  await sell('kinguin', '9001')
  const order = await hands.paid(1, {}, 'card_key')
  await delivered(order, 1)
  const [purchase] = await hands.purchasesOf(order)
  const reference = purchase?.reference ?? ''
  expect((await refused(returnCards(ann, providers, reference))).code).toBe('order_closed')
  const units = (await hands.unitsOf(order)).map(({ id }) => id)
  await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: units,
    destination: 'original',
    reason: 'mistake',
    requestedBy: 'system',
    approvedBy: 'system',
  })
  await submitRefunds(database.ctx, services.providers)
  expect(await hands.statesOf(order)).toEqual(['refunded'])
  expect(await returnCards(ann, providers, reference)).toEqual({ kind: 'accepted' })
  expect((await hands.purchasesOf(order)).map(({ status }) => status)).toEqual(['reversed'])
  expect((await refused(returnCards(ann, providers, reference))).code).toBe('conflict')
  const there = (await sandbox.books()).purchases.find((sale) => sale.reference === reference)
  expect(there?.state).toBe('returned')
  expect(await violations(database.ctx)).toEqual([])

  const seen = await hands.paid(1, {}, 'card_key')
  await delivered(seen, 1)
  expect(await openedKeys(seen)).toHaveLength(1)
  const [shown] = await hands.purchasesOf(seen)
  expect((await refused(returnCards(ann, providers, shown?.reference ?? ''))).code).toBe(
    'order_closed',
  )
})

test('code, serial number, PIN and day of expiry of a service of one’s own arrive as they came', async () => {
  await sell('hook', '9001')
  const order = await hands.paid(1, {}, 'card_key')
  await delivered(order, 1)
  const [parts] = await openedKeys(order)
  expect(parts).toEqual({
    code: expect.stringMatching(/^SANDBOX-/),
    pin: expect.stringMatching(/^\d{4}$/),
    serial: expect.stringMatching(/^SBX/),
  })
  const [key] = await database.ctx.db
    .selectFrom('card_key')
    .select('expires_on')
    .where('item', '=', item.id)
    .execute()
  expect(key?.expires_on.toISOString()).toMatch(/^2031-12-3/)
})

test('a card whose answer is lost, and one that comes later, are found by asking and given once', async () => {
  for (const scenario of ['9011', '9002']) {
    await sell('hook', scenario)
    const order = await hands.paid(1, {}, 'card_key')
    await expect
      .poll(() => hands.statesOf(order), { timeout: 60_000 })
      .toEqual([scenario === '9011' ? 'in_doubt' : 'delivering'])
    const provider = providers.get('hook')
    if (!provider) throw new Error('the hook is open')
    await expect
      .poll(
        async () => {
          await askSupplier(hands.later(11), provider, paceOf(provider), undefined, testVault)
          return hands.statesOf(order)
        },
        { timeout: 60_000, interval: 500 },
      )
      .toEqual(['delivered'])
    expect(await openedKeys(order)).toHaveLength(1)
    const sold = (await sandbox.books()).purchases.filter(({ sku }) => sku === scenario)
    expect(sold).toHaveLength(1)
  }
  expect(await violations(database.ctx)).toEqual([])
})
