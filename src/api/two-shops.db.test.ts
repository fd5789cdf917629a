import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimUnit, completeUnit } from '#features/buying/fulfilment/commands.ts'
import { exportKeys } from '#features/buying/vault/commands.ts'
import { createKey, type MadeKey } from '#features/buying/reseller/commands.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { compareSupplier } from '#features/supply/comparison/flows.ts'
import { listSupplyDifferences } from '#features/supply/comparison/queries.ts'
import { bookDeposit } from '#features/supply/purchase/commands.ts'
import { listSupplierBooks } from '#features/supply/purchase/queries.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { secret } from '#platform/secret.ts'
import { createLukadoSupplier } from '#providers/supply/lukado/lukado.ts'
import type { SupplyProvider, SupplyPurchase } from '#providers/supply/provider.ts'
import { openSupplyClient, type SupplyClient } from '#providers/supply/wire/client.ts'
import {
  addCurrencies,
  addItem,
  testVault,
  violations,
  type TestItem,
} from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { asOperator } from '../../test/support/operators.ts'
import { somebody } from '../../test/support/people.ts'
import { startShop, type RunningShop } from '../../test/support/running-shop.ts'
import { supplyHands } from '../../test/support/supply-hands.ts'
import { stockVapour, VAPOUR_CARD } from '../../test/support/vapour-cards.ts'

/** What the shop that sells to others has: a card with keys, and a top-up that it delivers by hand. */
const PACK = 'game:dragon-quarry:global:1200'
const ANY = 'air:us-bell:10'
const CHEAP = 'card:vapour:us:10'
const CREDIT = 100_000n
const VAULT = { VAULT_KEYS: `1:${Buffer.alloc(32, 3).toString('base64')}` }
const buying = useDatabase()
const selling = useDatabase()
const fake = createFakePayments()
let seller: RunningShop
let sellerCtx: Ctx
let key: MadeKey
let item: TestItem
const hands = supplyHands(
  () => buying.ctx,
  fake,
  () => item,
)

beforeAll(async () => {
  sellerCtx = { ...selling.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await stockVapour(sellerCtx, [
    { item: VAPOUR_CARD, mark: 'B', count: 10 },
    { item: CHEAP, mark: 'C', count: 5 },
  ])
  await sellAnyAmount()
  await sellerCtx.db
    .updateTable('item')
    .set({ price_minor: '699' })
    .where('code', '=', PACK)
    .execute()
  const { accountId, email } = await somebody(sellerCtx, { withPassword: false })
  await transaction(sellerCtx, (tx) =>
    grantCredit(tx, sellerCtx, { accountId, email, money: { minor: CREDIT, currency: 'USD' } }),
  )
  key = await createKey(asOperator(sellerCtx), {
    email,
    name: 'The other shop',
    scopes: ['browse', 'order', 'reveal'],
    orderMax: CREDIT,
    dayMax: CREDIT,
    agentMax: null,
    networks: [],
  })
  seller = await startShop(selling.url, VAULT)

  await addCurrencies(buying.ctx)
  item = await addItem(buying.ctx, { delivery: 'direct_charge' })
  await registerSuppliers(buying.ctx, ['lukado'])
  await setOffers(buying.ctx, [
    {
      item: item.id,
      supplier: 'lukado',
      priority: 0,
      kind: 'topup',
      product: PACK,
      face: null,
      cost: { minor: 699n, currency: 'USD' },
      fields: {},
    },
  ])
  await bookDeposit(asOperator(buying.ctx), {
    supplier: 'lukado',
    money: { minor: CREDIT, currency: 'USD' },
    feeMinor: 0n,
    reference: 'prepaid',
  })
})
afterAll(() => seller.stop())

/** The seller's operator sells its airtime at any amount, 10.33 for 10. */
const sellAnyAmount = () =>
  sellerCtx.db
    .updateTable('item')
    .set({
      price_minor: '1033',
      face_min_minor: '500',
      face_max_minor: '5000',
      face_step_minor: '50',
    })
    .where('code', '=', ANY)
    .execute()

const whole = openSupplyClient({ timeoutMs: 10_000 })
const supplier = (client: SupplyClient = whole): SupplyProvider =>
  createLukadoSupplier({
    origin: seller.origin,
    key: key.key,
    secret: secret(key.secret),
    currency: 'USD',
    webhookSecret: null,
    client,
    now: () => new Date(),
    newNonce: randomUUID,
  })
const purchaseOf = (more: Partial<SupplyPurchase> = {}): SupplyPurchase => ({
  kind: 'giftcard',
  product: VAPOUR_CARD,
  quantity: 2,
  face: null,
  fields: {},
  reference: randomUUID(),
  maxCost: { minor: 3_800n, currency: 'USD' },
  token: null,
  buyerAddress: null,
  ...more,
})
/** What the buyer's books say is prepaid, and what the seller's say is left. */
const bothBooks = async () => {
  const [own] = await listSupplierBooks(buying.ctx.db)
  const [there] = await supplier().balances()
  return [BigInt(own?.prepaid ?? 0), there?.available.minor]
}
/** The seller delivers everything that waits to be delivered by hand. */
async function deliverThere(): Promise<void> {
  const units = await sellerCtx.db
    .selectFrom('order_unit as u')
    .innerJoin('shop_order as o', 'o.id', 'u.order_id')
    .select('u.public_id')
    .where('u.delivery', '=', 'direct_charge')
    .where('u.status', '=', 'queued')
    .where('o.settled_at', 'is not', null)
    .execute()
  for (const { public_id: unit } of units) {
    await claimUnit(asOperator(sellerCtx), unit)
    await completeUnit(asOperator(sellerCtx), unit, 'credited in the game')
  }
}

test('a top-up that is sold here is bought there, delivered there, and known here', async () => {
  const order = await hands.paid(1, { user_id: '1234567' })
  expect(await hands.run({ ...fake, provider: supplier() } as never)).toBe(1)
  expect(await hands.statesOf(order)).toEqual(['delivering'])
  const [purchase] = await hands.purchasesOf(order)
  const sold = await sellerCtx.db
    .selectFrom('reseller_order as r')
    .innerJoin('shop_order as o', 'o.id', 'r.order_id')
    .innerJoin('order_line as l', 'l.order_id', 'o.id')
    .select(['r.reference', 'o.total_minor', 'l.account_fields'])
    .execute()
  expect(sold).toEqual([
    { reference: purchase?.reference, total_minor: '699', account_fields: { user_id: '1234567' } },
  ])
  await deliverThere()
  await hands.ask({ provider: supplier() } as never, 600)
  expect(await hands.statesOf(order)).toEqual(['delivered'])
  const [here, there] = await bothBooks()
  expect(here).toBe(there)
  expect(here).toBe(CREDIT - 699n)
  expect(await compareSupplier(buying.ctx, supplier())).toMatchObject({
    way: 'report',
    told: 1,
    unread: 0,
    found: 0,
  })
})

test('what was ordered there past this shop is found by comparing', async () => {
  const past = purchaseOf({ kind: 'giftcard', product: CHEAP, quantity: 1 })
  expect((await supplier().purchase(past)).kind).toBe('done')
  expect(await compareSupplier(buying.ctx, supplier())).toMatchObject({ found: 1 })
  expect(await listSupplyDifferences(buying.ctx.db)).toMatchObject([
    { kind: 'missing_here', reference: past.reference },
  ])
  await buying.ctx.db.deleteFrom('supply_difference').execute()
})

test('cards are bought there, and their codes arrive whole', async () => {
  const provider = supplier()
  const purchase = purchaseOf()
  expect(await provider.quote(purchase)).toEqual({ kind: 'quote', cost: purchase.maxCost })
  const bought = await provider.purchase(purchase)
  expect(bought).toMatchObject({ kind: 'done', cost: { minor: 3_800n, currency: 'USD' } })
  const told = await provider.cards({
    purchase,
    supplierId: 'supplierId' in bought ? (bought.supplierId ?? null) : null,
  })
  expect(told.kind === 'cards' && told.cards.map(({ code }) => code?.reveal())).toEqual([
    expect.stringMatching(/^B\d{11}$/),
    expect.stringMatching(/^B\d{11}$/),
  ])
  expect(
    await provider.purchase(purchaseOf({ maxCost: { minor: 3_799n, currency: 'USD' } })),
  ).toMatchObject({
    kind: 'failed',
    class: 'price',
  })
  expect(
    await provider.purchase(
      purchaseOf({ kind: 'topup', product: PACK, quantity: 1, fields: { user_id: 'x' } }),
    ),
  ).toMatchObject({
    kind: 'failed',
    class: 'customer',
  })
  expect(await provider.purchase(purchaseOf({ quantity: 90, maxCost: null }))).toMatchObject({
    kind: 'failed',
  })
})

test('a card that is sold to order here is bought there when it is paid, and its code is the buyer’s', async () => {
  const topUp = item
  item = await addItem(buying.ctx)
  await setOffers(buying.ctx, [
    {
      item: item.id,
      supplier: 'lukado',
      priority: 0,
      kind: 'giftcard',
      product: CHEAP,
      face: null,
      cost: { minor: 950n, currency: 'USD' },
      fields: {},
    },
  ])
  const order = await hands.paid(1, {}, 'card_key')
  await hands.run({ provider: supplier() } as never)
  await hands.ask({ provider: supplier() } as never, 600)
  expect(await hands.statesOf(order)).toEqual(['delivered'])
  const [key] = await exportKeys(buying.ctx, testVault, {
    accountId: order.accountId,
    network: '',
    order: order.publicId,
  })
  expect(key?.parts['code']).toMatch(/^C\d{11}$/)
  item = topUp
})

test('an amount of one’s own is listed there with its range, bought to the unit, and known here by it', async () => {
  const provider = supplier()
  const { products } = await provider.catalogue(null)
  expect(products.find(({ id }) => id === ANY)).toMatchObject({
    kind: 'recharge',
    faces: {
      kind: 'range',
      min: { minor: 500n, currency: 'USD' },
      max: { minor: 5_000n, currency: 'USD' },
      price: {
        face: { minor: 1_000n, currency: 'USD' },
        cost: { minor: 1_033n, currency: 'USD' },
        feeMinor: 0n,
      },
    },
  })
  const before = await bothBooks()
  const topUp = item
  item = await addItem(buying.ctx, { delivery: 'direct_charge' })
  await buying.ctx.db
    .updateTable('item')
    .set({
      kind: 'airtime',
      face_minor: '1000',
      face_min_minor: '500',
      face_max_minor: '2000',
      face_step_minor: '50',
    })
    .where('id', '=', item.id)
    .execute()
  await setOffers(buying.ctx, [
    {
      item: item.id,
      supplier: 'lukado',
      priority: 0,
      kind: 'recharge',
      product: ANY,
      face: null,
      cost: { minor: 1_033n, currency: 'USD' },
      fields: {},
    },
  ])
  const amount = { minor: 750n, currency: 'USD' }
  const order = await hands.paid(1, { phone: '+12015550123' }, 'direct_charge', amount)
  await hands.run({ provider } as never)
  expect(await hands.statesOf(order)).toEqual(['delivering'])
  const [purchase] = await hands.purchasesOf(order)
  const sold = await sellerCtx.db
    .selectFrom('reseller_order as r')
    .innerJoin('order_line as l', 'l.order_id', 'r.order_id')
    .select(['l.amount_minor', 'l.amount_currency', 'l.price_minor'])
    .where('r.reference', '=', purchase?.reference ?? '')
    .execute()
  // 10.33 for 10, so that 7.50 costs 7.75.
  expect(sold).toEqual([{ amount_minor: '750', amount_currency: 'USD', price_minor: '775' }])
  await deliverThere()
  await hands.ask({ provider } as never, 600)
  expect(await hands.statesOf(order)).toEqual(['delivered'])
  const after = await bothBooks()
  expect(after.map((minor, index) => Number(before[index]) - Number(minor))).toEqual([775, 775])
  item = topUp
})

test('an amount that is not sold there, or is meant in another currency, is refused and not bought', async () => {
  const provider = supplier()
  const recharge = (face: SupplyPurchase['face'], more: Partial<SupplyPurchase> = {}) =>
    purchaseOf({
      kind: 'recharge',
      product: ANY,
      quantity: 1,
      fields: { phone: '+12015550123' },
      face,
      ...more,
    })
  const [before] = await provider.balances()
  for (const face of [
    { minor: 499n, currency: 'USD' },
    { minor: 775n, currency: 'USD' },
    { minor: 750n, currency: 'JPY' },
    null,
  ])
    expect(await provider.purchase(recharge(face))).toMatchObject({
      kind: 'failed',
      class: 'stock',
    })
  // Goods that are what they are take no amount.
  const card = purchaseOf({ face: { minor: 2_000n, currency: 'USD' } })
  expect(await provider.purchase(card)).toMatchObject({ kind: 'failed', class: 'stock' })
  expect(await provider.quote(recharge({ minor: 1_250n, currency: 'USD' }))).toEqual({
    kind: 'quote',
    cost: { minor: 1_291n, currency: 'USD' },
  })
  expect(await provider.balances()).toEqual([before])
})

test('an order of another amount than was asked for is nobody’s to believe', async () => {
  const face = { minor: 750n, currency: 'USD' }
  const purchase = purchaseOf({
    kind: 'recharge',
    product: ANY,
    quantity: 1,
    fields: { phone: '+12015550123' },
    face,
  })
  expect(await supplier().purchase(purchase)).toMatchObject({ kind: 'accepted' })
  const other = { ...purchase, face: { ...face, minor: 800n } }
  expect(await supplier().lookup({ purchase: other, supplierId: null })).toMatchObject({
    kind: 'unknown',
    why: 'another amount',
  })
  expect(await supplier().lookup({ purchase, supplierId: null })).toMatchObject({
    kind: 'accepted',
  })
})

test('the seller dies with the answer on its way: it is bought once, and found by our reference', async () => {
  const [before] = await bothBooks()
  const order = await hands.paid(1, { user_id: '7654321' })
  const losing: SupplyClient = async (call) => {
    await whole(call)
    return { kind: 'broken', why: 'ECONNRESET' }
  }
  await hands.run({ provider: supplier(losing) } as never)
  expect(await hands.statesOf(order)).toEqual(['in_doubt'])
  await seller.stop()
  await hands.ask({ provider: supplier() } as never, 60)
  expect(await hands.statesOf(order)).toEqual(['in_doubt'])
  seller = await startShop(selling.url, VAULT)
  await deliverThere()
  await hands.ask({ provider: supplier() } as never, 1_200)
  expect(await hands.statesOf(order)).toEqual(['delivered'])
  const count = await sellerCtx.db
    .selectFrom('reseller_order')
    .select('id')
    .where('reference', '=', (await hands.purchasesOf(order))[0]?.reference ?? '')
    .execute()
  expect(count).toHaveLength(1)
  const [after] = await bothBooks()
  expect(Number(before) - Number(after)).toBe(699)
  expect([await violations(buying.ctx), await violations(sellerCtx)]).toEqual([[], []])
})

test('what never arrived there is known not to have been bought, once it cannot arrive any more', async () => {
  const purchase = purchaseOf()
  expect(await supplier().lookup({ purchase, supplierId: null })).toEqual({ kind: 'not_found' })
})
