import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSelling, stopSelling } from '#features/goods/sale-stop/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { listSuppliers, listSupplyOffers } from '#features/supply/routing/queries.ts'
import { PRICE_TRIES } from '#features/supply/routing/rules.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  allowCost,
  closeCase,
  followNotice,
  recordOutcome,
  settlePurchase,
  switchSupplier,
} from './commands.ts'
import { askSupplier } from './flows.ts'
import { tendSupply } from './jobs.ts'
import { countSupplyWork, listCases, listQueued } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const atOnce = () => Promise.resolve()
let item: TestItem
let one: FakeSupplier
let two: FakeSupplier
let serial = 0
const { later, unitsOf, statesOf, purchasesOf, offer, paid, run, ask } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`one${serial}`)
  two = createFakeSupplier(`two${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code, two.provider.code])
  await offer(one)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

type Bought = Awaited<ReturnType<typeof buy>>

/** A notice of a supplier about a purchase comes. */
const hear = (ctx: Ctx, { provider }: FakeSupplier, reference: string | undefined) =>
  followNotice(ctx, provider, { reference: reference ?? '', supplierId: null })

test('what is paid waits for a supplier that is stopped, rather than going back, and is bought once it is sold again', async () => {
  const what = { kind: 'supplier', code: one.provider.code } as const
  const order = await paid()
  await stopSelling(asOperator(database.ctx), what, 'Wrong codes.')
  await run(one)
  expect(await statesOf(order)).toEqual(['queued'])
  expect(await purchasesOf(order)).toEqual([])
  await startSelling(asOperator(database.ctx), what)
  await run(one, later(30))
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('what is paid goes to another supplier while its first one is stopped', async () => {
  await offer(two, 1)
  const order = await paid()
  await stopSelling(asOperator(database.ctx), { kind: 'supplier', code: one.provider.code }, 'x')
  await run(one)
  await run(two)
  expect((await purchasesOf(order)).map(({ supplier }) => supplier)).toEqual([two.provider.code])
})

/** Purchases of which nobody could find out: a person's matter. */
async function doubted(supplier: FakeSupplier, order: Bought): Promise<string> {
  supplier.next({ kind: 'lost_answer' })
  await run(supplier)
  supplier.tells(() => ({ kind: 'unknown', why: 'down' }))
  for (const seconds of [11, 31, 121, 601, 3_601, 21_601, 86_401]) await ask(supplier, seconds)
  supplier.tells(null)
  const [purchase] = await purchasesOf(order)
  expect(purchase?.status).toBe('doubt')
  return purchase?.reference ?? ''
}

test('a price that every supplier refuses ends with a person, and not in a round from one to the other', async () => {
  await offer(two, 1)
  const refusals = Array.from({ length: 20 }, () => ({ kind: 'failed', class: 'price' }) as const)
  one.next(...refusals)
  two.next(...refusals)
  const order = await paid()
  for (let turn = 0; turn < 12; turn += 1) {
    await run(one)
    await run(two)
  }
  expect([one.calls.length, two.calls.length]).toEqual([PRICE_TRIES, PRICE_TRIES])
  const [unit] = await unitsOf(order)
  const held = (await listQueued(database.ctx.db)).filter(({ unit: id }) => id === unit?.public_id)
  expect(held).toMatchObject([{ held: 'price' }])
  one.forget()
  await allowCost(asOperator(database.ctx, 'boss'), unit?.public_id ?? '')
  await run(two)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('a late success of what waits for its buyer to correct it is its delivery', async () => {
  one.next({ kind: 'failed', class: 'customer' })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['needs_input'])
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await hear(database.ctx, one, purchase?.reference)
  await askSupplier(database.ctx, one.provider, atOnce)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['done'])
})

test('what a supplier tells while a person says otherwise stands', async () => {
  const order = await paid()
  const reference = await doubted(one, order)
  const [purchase] = await purchasesOf(order)
  let told: Promise<unknown> | undefined
  let said: Promise<{ readonly code: string }> | undefined
  await transaction(database.ctx, async (tx) => {
    await lockOrderById(tx, order.id)
    // Both wait for the order: first its supplier's answer, then what a person has read as being in doubt.
    told = recordOutcome(
      database.ctx,
      { id: purchase?.id ?? '', orderId: order.id },
      { kind: 'done', supplierId: 'theirs', cost: null },
      one.provider.capabilities,
    )
    await sleep(200)
    said = refused(
      settlePurchase(asOperator(database.ctx, 'boss'), reference, {
        outcome: 'failed',
        proof: 'not in their report',
      }),
    )
    await sleep(200)
  })
  await told
  expect((await said)?.code).toBe('conflict')
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['done'])
})

test('where asking may buy again it is not asked past that moment, however late the asking comes, nor at a notice after', async () => {
  const careful = createFakeSupplier(`asks${serial}`, {
    idempotency: 'same_reference_asks_again',
    notFoundIsFinalAfterSeconds: null,
    lookupMayBuyAfterSeconds: 100,
  })
  await registerSuppliers(database.ctx, [careful.provider.code])
  await offer(careful, 1)
  one.next({ kind: 'failed', class: 'supplier' })
  careful.next({ kind: 'lost_call' })
  const order = await paid()
  await run(one)
  await run(careful)
  // Nobody has asked for all that time.
  await ask(careful, 101)
  const statuses = async () => (await purchasesOf(order)).map(({ status }) => status)
  expect(await statuses()).toEqual(['failed', 'doubt'])
  const [, purchase] = await purchasesOf(order)
  await hear(later(102), careful, purchase?.reference)
  await ask(careful, 103)
  expect(careful.asked).toEqual([])
  expect(await statuses()).toEqual(['failed', 'doubt'])
  await settlePurchase(asOperator(database.ctx, 'boss'), purchase?.reference ?? '', {
    outcome: 'delivered',
    proof: 'in their report',
  })
})

test('what is bought at a supplier whose settings are taken away is counted, and left to a person', async () => {
  const counted = () => countSupplyWork(database.ctx.db, later(1_000).now())
  const before = await counted()
  one.next({ kind: 'accepted' })
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  const status = async () => (await purchasesOf(order))[0]?.status
  expect(await counted()).toBe(before + 1)
  const configured = (supplier: FakeSupplier) =>
    new Map([[supplier.provider.code, supplier.provider]])
  await tendSupply(later(120), configured(two))
  await tendSupply(later(1_000), configured(one))
  expect(await status()).toBe('accepted')
  await tendSupply(later(1_000), configured(two))
  expect(await status()).toBe('doubt')
  expect(await counted()).toBe(before + 1)
  await settlePurchase(asOperator(database.ctx, 'boss'), purchase?.reference ?? '', {
    outcome: 'delivered',
    proof: 'in their report',
  })
  expect(await statesOf(order)).toEqual(['delivered'])
  expect(await counted()).toBe(before)
})

test('whoever may not give back its price asks another person before a purchase in doubt has brought nothing', async () => {
  one.next({ kind: 'accepted' })
  const order = await paid()
  await run(one)
  await tendSupply(later(1_000), new Map([[two.provider.code, two.provider]]))
  const [purchase] = await purchasesOf(order)
  expect(purchase?.status).toBe('doubt')
  const settle = (ctx: OperatorCtx) =>
    settlePurchase(ctx, purchase?.reference ?? '', {
      outcome: 'failed',
      proof: 'not in their report',
    })
  const permissions = ['order.deliver', 'order.refund'] as const
  const own = { name: 'Night shift', permissions, limits: { 'order.refund': 1n } }
  const id = database.ctx.newId()
  expect(
    await settle(actingAs(database.ctx, { id, name: 'night', role: 'night', own })),
  ).toHaveProperty('waits')
  expect((await purchasesOf(order))[0]?.status).toBe('doubt')
  expect(await settle(asOperator(database.ctx, 'boss'))).toMatchObject({ status: 'failed' })
})

test('wrong accounts and a product that is not there say nothing of a supplier, and what it has not is bought elsewhere', async () => {
  await offer(two, 1)
  const refusedHere = (named: 'customer' | 'stock') =>
    Array.from({ length: 5 }, () => ({ kind: 'failed', class: named, code: 'not_sent' }) as const)
  one.next(...refusedHere('customer'), ...refusedHere('stock'))
  await paid(5)
  await run(one)
  const order = await paid(5)
  await run(one)
  const state = (await listSuppliers(database.ctx.db)).find(
    ({ code }) => code === one.provider.code,
  )
  expect(state).toMatchObject({ failures: 0, restsUntil: null })
  expect(one.calls).toHaveLength(10)
  await run(two)
  expect(await statesOf(order)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
})

test('what a unit may cost is its price by the plain rate, without the spread', async () => {
  await database.ctx.db
    .insertInto('currency_rate')
    .values(
      [['USD', '1', 0] as const, ['EUR', '0.5', 1_000] as const].map(
        ([currency, per_usd, spread_basis_points]) => ({
          currency,
          per_usd,
          spread_basis_points,
          source: 'feed:ecb',
          observed_at: database.ctx.now(),
        }),
      ),
    )
    .execute()
  await offer(one, 0, { minor: 520n, currency: 'EUR' })
  const order = await paid()
  const [unit] = await unitsOf(order)
  const of = { id: unit?.id ?? '', item: item.id, priceMinor: 1_000n }
  const offers = await transaction(database.ctx, (tx) =>
    listSupplyOffers(tx, of, { currency: 'USD' }, database.ctx.now()),
  )
  expect(offers.map(({ maxMinor }) => maxMinor)).toEqual([500n])
  await run(one)
  expect(one.calls).toEqual([])
})

test('notices do not use up the plan by which a purchase is asked about', async () => {
  one.next({ kind: 'accepted' })
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  const heardAt = [11, 12, 13, 14, 15, 16, 17, 18, 19]
  for (const seconds of heardAt) {
    await hear(later(seconds), one, purchase?.reference)
    await ask(one, seconds)
  }
  expect(one.asked).toHaveLength(heardAt.length)
  expect((await purchasesOf(order)).map(({ status, asked }) => [status, asked])).toEqual([
    ['unknown', 1],
  ])
  one.tells(null)
  await ask(one, 31)
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('how long a unit waits counts from its first "later" in a row, not from its payment', async () => {
  const soon = { kind: 'failed', class: 'wait' } as const
  one.next({ kind: 'failed', class: 'price' }, soon, soon, soon)
  const order = await paid()
  await run(one)
  const day = 86_400
  await run(one, later(2 * day))
  expect(await statesOf(order)).toEqual(['queued'])
  await run(one, later(3 * day - 600))
  expect(await statesOf(order)).toEqual(['queued'])
  await run(one, later(3 * day + 600))
  expect(await statesOf(order)).toEqual(['failed'])
})

test('what was done and is said to have failed is a person’s matter where asking could buy it again', async () => {
  const again = createFakeSupplier(`again${serial}`, {
    idempotency: 'same_reference_asks_again',
    lookupMayBuyAfterSeconds: 86_400,
  })
  await registerSuppliers(database.ctx, [again.provider.code])
  await offer(again)
  await switchSupplier(asOperator(database.ctx, 'ann'), one.provider.code, 'off')
  const order = await paid()
  await run(again)
  const [purchase] = await purchasesOf(order)
  const notice = { reference: purchase?.reference ?? '', supplierId: null, says: 'failed' } as const
  await followNotice(database.ctx, again.provider, notice)
  await followNotice(database.ctx, again.provider, notice)
  const cases = (await listCases(database.ctx.db)).filter(
    ({ reference }) => reference === purchase?.reference,
  )
  expect(cases.map(({ kind, isOnlySaid }) => [kind, isOnlySaid])).toEqual([['reversed', true]])
  expect(await ask(again, 60)).toBe(0)
  expect(again.asked).toEqual([])
  expect(await statesOf(order)).toEqual(['delivered'])
})

test('news of what is over is asked for again until somebody answers, for a day', async () => {
  const order = await paid()
  await run(one)
  const [bought] = await purchasesOf(order)
  await hear(later(3_600), one, bought?.reference)
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  for (const seconds of [3_601, 3_612, 3_645]) expect(await ask(one, seconds)).toBe(1)
  expect(await ask(one, 3_646)).toBe(0)
  one.tells(() => ({ kind: 'failed', class: 'supplier', code: 'taken_back', text: '' }))
  await ask(one, 3_800)
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['reversed'])

  const silent = await paid()
  await run(one)
  const [other] = await purchasesOf(silent)
  await hear(later(10), one, other?.reference)
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  let asked = 0
  for (let seconds = 20; seconds < 3 * 86_400; seconds = seconds * 1.5)
    asked += await ask(one, seconds)
  expect(asked).toBe(8)
  const [left] = await purchasesOf(silent)
  expect([left?.status, left?.next_ask_at]).toEqual(['done', null])
})

test('a case that is named by no id is none', async () => {
  for (const id of ['4711', '', "' or true --"])
    expect(await refused(closeCase(asOperator(database.ctx), id, 'found'))).toMatchObject({
      code: 'not_found',
    })
})
