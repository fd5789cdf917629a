import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { acceptCase, openCase } from '#features/buying/after-sales/commands.ts'
import { tendDeliveries } from '#features/buying/fulfilment/jobs.ts'
import { releaseHold } from '#features/buying/fulfilment/commands.ts'
import { noteReleased, refuseByOperator, tendRefused } from '#features/buying/gate/commands.ts'
import { gateSetting } from '#features/buying/gate/schema.ts'
import { refundByOperator } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { createEndpoint } from '#features/buying/webhook/commands.ts'
import { tendLate } from '#features/supply/delivery-pace/jobs.ts'
import { lateDeliverySetting } from '#features/supply/delivery-pace/schema.ts'
import {
  expireInputs,
  followNotice,
  refundTakenBack,
  settlePurchase,
  takeQueued,
} from '#features/supply/purchase/commands.ts'
import { askSupplier, buyUnit } from '#features/supply/purchase/flows.ts'
import { listCases } from '#features/supply/purchase/queries.ts'
import { takenBackSetting } from '#features/supply/purchase/schema.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { testVault, violations } from '../../test/support/buying.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakeSupplier, type FakeSupplier } from '../../test/support/fake-supplier.ts'
import { asOperator } from '../../test/support/operators.ts'
import { resellerClient } from '../../test/support/reseller-client.ts'
import { makeReseller, openResellerShop } from '../../test/support/reseller-shop.ts'
import type { RunningShop } from '../../test/support/running-shop.ts'
import { VAPOUR_CARD } from '../../test/support/vapour-cards.ts'

const PACK = 'game:dragon-quarry:global:1200'
const DAY_MINUTES = 24 * 60
const database = useDatabase()
const atOnce = () => Promise.resolve()
let shop: RunningShop
let ctx: Ctx
let supplier: FakeSupplier

beforeAll(async () => {
  ;({ ctx, shop } = await openResellerShop(database, { mark: 'F', count: 10 }))
  supplier = createFakeSupplier('airtime')
  await registerSuppliers(ctx, [supplier.provider.code])
  const { id } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', PACK)
    .executeTakeFirstOrThrow()
  await setOffers(ctx, [
    {
      item: id,
      supplier: supplier.provider.code,
      priority: 0,
      kind: 'topup',
      product: 'sku-1',
      face: null,
      cost: { minor: 700n, currency: 'USD' },
      fields: { user_id: 'userid' },
    },
  ])
}, 120_000)
afterAll(() => shop.stop())
beforeEach(() => supplier.forget())
afterEach(async () => expect(await violations(ctx)).toEqual([]))

async function reseller() {
  const { accountId, email, made } = await makeReseller(ctx)
  await transaction(ctx, (tx, now) =>
    createEndpoint(tx, asOperator(ctx), now, { email, url: 'https://198.51.100.7/hook' }),
  )
  return { accountId, client: resellerClient(shop.origin, made) }
}
type Reseller = Awaited<ReturnType<typeof reseller>>

async function ordered({ client }: Reseller, quantity = 1, item = PACK) {
  const fields = item === PACK ? { user_id: '81234567' } : {}
  const made = await client.post('order', {
    reference: 'ours',
    lines: [{ item, quantity, fields }],
  })
  expect(made.code).toBe(1)
  return {
    order: String(made.data['order']),
    number: String(made.data['order_no']),
    units: unitsIn(made.data).map(({ id }) => id),
  }
}

const unitsIn = (data: Readonly<Record<string, unknown>>) =>
  (data['lines'] as { units: { id: string; status: string }[] }[]).flatMap(({ units }) => units)

async function buyQueued(at: Ctx = ctx): Promise<void> {
  for (const unit of await takeQueued(at, supplier.provider.code, 100))
    await buyUnit(at, supplier.provider, unit, atOnce, testVault)
}

/** What the worker does again and again, more than once. */
async function tend(at: Ctx = ctx): Promise<void> {
  const providers = new Map([['store-credit', storeCreditPayments(at)]])
  for (let turn = 0; turn < 3; turn += 1) {
    await tendDeliveries(at)
    await submitRefunds(at, providers)
  }
}

/** How the order stands, what is left of the balance, and what the reseller is to be told of it, in order. */
async function standing({ client }: Reseller, { order }: { readonly order: string }) {
  const { data } = await client.get('order_status', { reference: 'ours' })
  const told = await ctx.db
    .selectFrom('webhook_delivery as d')
    .innerJoin('shop_order as o', 'o.id', 'd.order_id')
    .select('d.order_status')
    .where('o.public_id', '=', order)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute()
  const [balance] = (await client.get('balance')).data as unknown as { amount: string }[]
  return {
    result: data['result'],
    status: data['status'],
    refunded: (data['refunded'] as { amount: string }).amount,
    units: unitsIn(data).map(({ status }) => status),
    balance: balance?.amount,
    told: told.map(({ order_status: status }) => status),
  }
}

const set = (key: string, value: unknown) =>
  ctx.db
    .insertInto('setting')
    .values({ key, value: JSON.stringify(value) })
    .execute()
const unset = (key: string) => ctx.db.deleteFrom('setting').where('key', '=', key).execute()

const ALL_BACK = {
  result: 'failed',
  status: 'refunded',
  refunded: '19.90',
  units: ['refunded'],
  balance: '1000.00',
}

test('what a supplier has not is given back, and told once', async () => {
  const who = await reseller()
  const order = await ordered(who)
  supplier.next({ kind: 'failed', class: 'stock' })
  await buyQueued()
  expect(await standing(who, order)).toMatchObject({ result: 'accepted', refunded: '0.00' })
  await tend()
  expect(await standing(who, order)).toEqual({
    ...ALL_BACK,
    told: ['waiting_for_shipment', 'shipping', 'processing', 'refunded'],
  })
})

test('of two units the one that fails is given back alone', async () => {
  const who = await reseller()
  const order = await ordered(who, 2)
  supplier.next({ kind: 'done' }, { kind: 'failed', class: 'stock' })
  await buyQueued()
  await tend()
  const now = await standing(who, order)
  expect(now).toMatchObject({
    result: 'partial',
    status: 'completed',
    refunded: '19.90',
    balance: '980.10',
  })
  expect(now.units.toSorted()).toEqual(['delivered', 'refunded'])
  expect(now.told.filter((status) => status === 'completed')).toHaveLength(1)
  expect(now.told.at(-1)).toBe('completed')
})

test('a wrong account that nobody corrects is given back after its time', async () => {
  const who = await reseller()
  const order = await ordered(who)
  supplier.next({ kind: 'failed', class: 'customer' })
  await buyQueued()
  expect(await standing(who, order)).toMatchObject({
    result: 'accepted',
    status: 'processing',
    units: ['needs_input'],
  })
  const late = minutesLater(ctx, 30 * DAY_MINUTES)
  await expireInputs(late)
  await expireInputs(late)
  await tend(late)
  expect(await standing(who, order)).toEqual({
    ...ALL_BACK,
    told: ['waiting_for_shipment', 'shipping', 'processing', 'refunded'],
  })
})

test('what comes too late goes back by rule', async () => {
  const before = supplier.calls.length
  const who = await reseller()
  const order = await ordered(who)
  await set(lateDeliverySetting.key, { factor: 3, refund_after_hours: 2 })
  const late = minutesLater(ctx, 3 * 60)
  await tendLate(late)
  await tendLate(late)
  await tend(late)
  await unset(lateDeliverySetting.key)
  expect(await standing(who, order)).toEqual({
    ...ALL_BACK,
    told: ['waiting_for_shipment', 'processing', 'refunded'],
  })
  // Nothing is bought for money that has gone back.
  await buyQueued(late)
  expect(supplier.calls.length).toBe(before)
})

test('a purchase in doubt that a person settles as failed is given back; a success that comes after that changes nothing for the reseller', async () => {
  const who = await reseller()
  const order = await ordered(who)
  supplier.next({ kind: 'lost_call' })
  await buyQueued()
  supplier.tells(() => ({ kind: 'unknown', why: 'down' }))
  for (const seconds of [11, 31, 121, 601, 3_601, 21_601, 86_401])
    await askSupplier(minutesLater(ctx, seconds / 60), supplier.provider, atOnce)
  const { reference } = present(supplier.calls.at(-1), 'the purchase')
  await settlePurchase(asOperator(ctx), reference, { outcome: 'failed', proof: 'not in report' })
  await tend()
  expect(await standing(who, order)).toMatchObject(ALL_BACK)
  supplier.tells(null)
  supplier.arrive(reference)
  await followNotice(ctx, supplier.provider, { reference, supplierId: null })
  await askSupplier(minutesLater(ctx, DAY_MINUTES * 2), supplier.provider, atOnce)
  await tend()
  const after = await standing(who, order)
  expect(after).toMatchObject(ALL_BACK)
  expect(after.told.filter((status) => status === 'refunded')).toHaveLength(1)
})

test('a case about a card that is agreed to gives it back to the balance', async () => {
  const who = await reseller()
  const order = await ordered(who, 2, VAPOUR_CARD)
  const opened = await openCase(ctx, who.accountId, {
    kind: 'faulty_key',
    order: order.order,
    units: order.units.slice(0, 1),
    reason: 'code_used',
    text: 'Somebody has used it',
    picture: null,
    destination: 'original',
  })
  expect(await standing(who, order)).toMatchObject({ result: 'accepted', status: 'processing' })
  await acceptCase(asOperator(ctx), opened, 'It is')
  await tend()
  expect(await standing(who, order)).toMatchObject({
    result: 'partial',
    status: 'completed',
    refunded: '19.00',
    balance: '981.00',
    told: ['completed', 'processing', 'completed'],
  })
})

test.each(['original', 'store_credit'] as const)(
  'what an operator gives back (%s) is back in the balance, once',
  async (destination) => {
    const who = await reseller()
    const order = await ordered(who)
    await buyQueued()
    expect(await standing(who, order)).toMatchObject({ result: 'done', balance: '980.10' })
    const asked = {
      orderNumber: order.number,
      units: order.units,
      destination,
      reason: 'goodwill',
    }
    await refundByOperator(asOperator(ctx), asked)
    await expect(refundByOperator(asOperator(ctx), asked)).rejects.toThrow()
    await tend()
    const now = await standing(who, order)
    expect(now).toMatchObject(ALL_BACK)
    expect(now.told.slice(-3)).toEqual(['completed', 'processing', 'refunded'])
  },
)

/** One unit to one player within a day, or else what the verdict says. */
const playerLimit = (verdict: 'hold' | 'refuse') =>
  set(gateSetting.key, { limits: [{ per: 'player', hours: 24, units: 1, verdict }] })

test('what a rule refuses before delivery is on its way until then, bought nowhere, and given back with one last word', async () => {
  const who = await reseller()
  await playerLimit('refuse')
  const order = await ordered(who, 2)
  const before = supplier.calls.length
  await buyQueued()
  expect(supplier.calls.length).toBe(before)
  expect(await standing(who, order)).toEqual({
    result: 'accepted',
    status: 'processing',
    refunded: '0.00',
    units: ['queued', 'queued'],
    balance: '960.20',
    told: ['waiting_for_shipment', 'processing'],
  })
  await tendRefused(ctx)
  await tendRefused(ctx)
  await tend()
  await buyQueued(minutesLater(ctx, 5))
  await unset(gateSetting.key)
  expect(supplier.calls.length).toBe(before)
  const now = await standing(who, order)
  expect(now).toMatchObject({ ...ALL_BACK, refunded: '39.80', units: ['refunded', 'refunded'] })
  expect(now.told.at(-1)).toBe('refunded')
  expect(now.told.filter((status) => status === 'refunded')).toHaveLength(1)
})

test('what is held for a look waits, whatever time goes by, and goes on or back as a person says', async () => {
  const [first, second] = [await reseller(), await reseller()]
  await playerLimit('hold')
  const [kept, refused] = [await ordered(first, 2), await ordered(second, 2)]
  await buyQueued()
  for (const at of [ctx, minutesLater(ctx, 30 * DAY_MINUTES)]) {
    await tendRefused(at)
    await tend(at)
  }
  for (const [who, order] of [
    [first, kept],
    [second, refused],
  ] as const)
    expect(await standing(who, order)).toMatchObject({
      result: 'accepted',
      status: 'processing',
      units: ['queued', 'queued'],
      refunded: '0.00',
    })
  await releaseHold(asOperator(ctx), kept.number)
  await noteReleased(asOperator(ctx), kept.number, 'known to us')
  await buyQueued(minutesLater(ctx, 2))
  await refuseByOperator(asOperator(ctx), refused.number, 'no answer')
  await tendRefused(ctx)
  await tend()
  await unset(gateSetting.key)
  expect(await standing(first, kept)).toMatchObject({ result: 'done', balance: '960.20' })
  expect(await standing(second, refused)).toMatchObject({
    ...ALL_BACK,
    refunded: '39.80',
    units: ['refunded', 'refunded'],
  })
})

/** The supplier takes back what it delivered last, and says so. */
async function takeBack(): Promise<void> {
  const { reference } = present(supplier.calls.at(-1), 'the purchase')
  supplier.tells(() => ({
    kind: 'failed',
    class: 'supplier',
    code: 'REV',
    text: '',
    wasDone: true,
  }))
  await followNotice(ctx, supplier.provider, { reference, supplierId: null })
  await askSupplier(minutesLater(ctx, 2), supplier.provider, atOnce)
  supplier.tells(null)
}

const openCases = async ({ number }: { readonly number: string }) =>
  (await listCases(ctx.db)).filter(({ orderNumber }) => orderNumber === number)

test('what a supplier takes back after delivery stays done until a person or the owner’s rule gives it back, and is never bought again', async () => {
  const who = await reseller()
  const order = await ordered(who)
  await buyQueued()
  const before = supplier.calls.length
  await takeBack()
  await refundTakenBack(ctx)
  await tend()
  expect(await standing(who, order)).toMatchObject({
    result: 'done',
    status: 'completed',
    balance: '980.10',
  })
  expect(await openCases(order)).toMatchObject([{ kind: 'reversed' }])
  await set(takenBackSetting.key, { refund: true })
  await refundTakenBack(ctx)
  expect(await openCases(order)).toHaveLength(1)
  await refundTakenBack(ctx)
  await tend()
  await refundTakenBack(ctx)
  await unset(takenBackSetting.key)
  const now = await standing(who, order)
  expect(now).toMatchObject(ALL_BACK)
  expect(now.told.slice(-3)).toEqual(['completed', 'processing', 'refunded'])
  expect(await openCases(order)).toEqual([])
  await buyQueued(minutesLater(ctx, 5))
  expect(supplier.calls.length).toBe(before)
})

test('of two units the one that is taken back is given back alone; what the order is disputed about stays a person’s', async () => {
  const who = await reseller()
  const order = await ordered(who, 2)
  await buyQueued()
  await takeBack()
  await set(takenBackSetting.key, { refund: true })
  const dispute = (isDisputed: boolean) =>
    ctx.db
      .updateTable('payment_attempt')
      .set({ is_disputed: isDisputed })
      .where(
        'order_id',
        '=',
        ctx.db.selectFrom('shop_order').select('id').where('public_id', '=', order.order),
      )
      .execute()
  await dispute(true)
  await refundTakenBack(ctx)
  await tend()
  expect(await standing(who, order)).toMatchObject({ result: 'done', balance: '960.20' })
  expect(await openCases(order)).toHaveLength(1)
  await dispute(false)
  await refundTakenBack(ctx)
  await tend()
  await unset(takenBackSetting.key)
  const now = await standing(who, order)
  expect(now).toMatchObject({ result: 'partial', refunded: '19.90', balance: '980.10' })
  expect(now.units.toSorted()).toEqual(['delivered', 'refunded'])
})
