import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { refundFailed, retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { exportKeys, revealKey } from '#features/buying/vault/commands.ts'
import { sealLines } from '#features/buying/vault/flows.ts'
import { countStock, listOwnKeys } from '#features/buying/vault/queries.ts'
import { followSuppliers, setCardSource } from '#features/goods/stock/commands.ts'
import { listLevels } from '#features/goods/stock/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  testVault,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt, payFor } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import {
  giveToShelf,
  preparePurchase,
  settlePurchase,
  switchSupplier,
  closeCase,
  takeByHand,
} from './commands.ts'
import { listCases, listQueued } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const COST = { minor: 700n, currency: 'USD' }
let item: TestItem
let one: FakeSupplier
let two: FakeSupplier
let serial = 0
const hands = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
const { statesOf, unitsOf, purchasesOf, run, ask } = hands
const paid = (quantity = 1) => hands.paid(quantity, {}, 'card_key')

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx)
  one = createFakeSupplier(`one${serial}`, { maxQuantity: 5 })
  two = createFakeSupplier(`two${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code, two.provider.code])
  await hands.offer(one, 0, COST, 'key')
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

type Bought = Awaited<ReturnType<typeof buy>>

const codesOf = async ({ accountId, publicId }: Bought) =>
  (await exportKeys(database.ctx, testVault, { accountId, network: '', order: publicId })).map(
    ({ parts }) => parts['code'],
  )

const stateOf = async (order: Bought) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'cards_delivered'])
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()

test('a card made to order reserves nothing, is bought once it is paid, and is its buyer’s as any other key is', async () => {
  const order = await paid(2)
  expect(await statesOf(order)).toEqual(['queued', 'queued'])
  expect((await stateOf(order)).status).toBe('waiting_for_shipment')
  expect((await unitsOf(order)).map(({ to_order: toOrder }) => toOrder)).toEqual([true, true])
  await run(one)
  expect(one.calls.map(({ quantity, kind }) => [quantity, kind])).toEqual([[2, 'key']])
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
  expect(await stateOf(order)).toMatchObject({ status: 'completed', cards_delivered: 2 })
  const { keys } = await listOwnKeys(database.ctx.db, order.accountId, { page: 1, limit: 10 })
  expect(keys).toHaveLength(2)
  const shown = await revealKey(database.ctx, testVault, {
    unit: keys[0]?.unit ?? '',
    accountId: order.accountId,
    network: '',
  })
  expect(shown['code']).toMatch(/^[0-9A-F]{12}$/)
  expect(new Set(await codesOf(order)).size).toBe(2)
  const stored = await database.ctx.db
    .selectFrom('card_key')
    .select(['ciphertext', 'status', 'batch_id'])
    .where('item', '=', item.id)
    .execute()
  const [purchase] = await purchasesOf(order)
  expect(stored.map(({ batch_id: batch }) => batch)).toEqual([purchase?.id, purchase?.id])
  expect(stored.some(({ ciphertext }) => ciphertext.includes(shown['code'] ?? ''))).toBe(false)
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ free: 0, delivered: 2 })
})

test('own keys go first, what is missing is bought, and an owner may say otherwise', async () => {
  await stock(database.ctx, item, 'M', 2)
  const order = await paid(3)
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'delivered', 'queued'])
  expect((await stateOf(order)).status).toBe('shipping')
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(one.calls.map(({ quantity }) => quantity)).toEqual([1])

  await stock(database.ctx, item, 'N', 1)
  await setCardSource(database.ctx, [item.id], 'order')
  const ordered = await paid()
  expect(await statesOf(ordered)).toEqual(['queued'])
  await run(one)
  expect(await statesOf(ordered)).toEqual(['delivered'])
  expect((await countStock(database.ctx.db, item.id)).free).toBe(1)

  await setCardSource(database.ctx, [item.id], 'stock')
  expect(await statesOf(await paid())).toEqual(['delivered'])
  const refusedOrder = await buy(database.ctx, [{ item }])
  const payment = beginPaying(database.ctx, paidAt(fake), refusedOrder)
  expect((await refused(payment)).code).toBe('out_of_stock')
})

test('cards that do not come with the answer are asked for until they do, and are given once', async () => {
  one.cardsAreReady(false)
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['delivering'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['accepted'])
  expect(await ask(one, 11)).toBe(1)
  expect(await statesOf(order)).toEqual(['delivering'])
  one.cardsAreReady(true)
  await ask(one, 40)
  expect(await statesOf(order)).toEqual(['delivered'])
  await ask(one, 400)
  expect(await codesOf(order)).toHaveLength(1)
  expect([...one.bought.values()]).toEqual([1])
})

test('a worker that dies between send and store leaves a card that is found by asking, and delivered once', async () => {
  const order = await paid()
  const [unit] = await unitsOf(order)
  const purchase = await preparePurchase(
    database.ctx,
    { unitId: unit?.id ?? '', orderId: order.id },
    one.provider,
  )
  // The supplier has sold it, and nobody has stored it.
  if (purchase) await one.provider.purchase(purchase.told)
  expect(await statesOf(order)).toEqual(['delivering'])
  await ask(one, 60)
  await ask(one, 60)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect(await codesOf(order)).toHaveLength(1)
  expect([...one.bought.values()]).toEqual([1])
})

test('a key that the shop already holds goes to nobody a second time, and is a person’s matter', async () => {
  one.gives(() => ['SAMECODE0001'])
  const first = await paid()
  await run(one)
  const second = await paid()
  await run(one)
  expect(await statesOf(first)).toEqual(['delivered'])
  expect(await statesOf(second)).toEqual(['queued'])
  expect((await purchasesOf(second)).map(({ status }) => status)).toEqual(['late'])
  expect(
    (await listCases(database.ctx.db)).filter(({ orderNumber }) => orderNumber === second.number),
  ).toMatchObject([{ kind: 'known' }])
  const [waiting] = (await listQueued(database.ctx.db)).filter(
    ({ orderNumber }) => orderNumber === second.number,
  )
  expect(waiting?.held).toBe('known')
  expect(await run(one)).toBe(0)
  // Spelled otherwise it is the same key.
  one.gives(() => ['same-code-0001', 'OTHERCODE002'])
  const third = await paid(2)
  await run(one)
  expect((await statesOf(third)).toSorted()).toEqual(['delivered', 'queued'])
  expect(await codesOf(third)).toEqual(['OTHERCODE002'])
  expect((await purchasesOf(third)).map(({ status }) => status)).toEqual(['done'])
})

test('a card that came twice and is left to the shelf is bought again only once its case is closed', async () => {
  const { ctx } = database
  one.gives(() => ['SAMECODE0009'])
  await paid()
  await run(one)
  const order = await paid()
  await run(one)
  const asked = one.calls.length
  const [unit] = await unitsOf(order)
  await takeByHand(asOperator(ctx, 'ann'), unit?.public_id ?? '')
  one.gives(() => ['FRESHCODE009'])
  await retryShortOrders(hands.later(60))
  await run(one, hands.later(120))
  expect(one.calls).toHaveLength(asked)
  expect(await stateOf(order)).toMatchObject({ hold: 'out_of_stock' })
  for (const each of await listCases(ctx.db))
    if (each.orderNumber === order.number) await closeCase(asOperator(ctx), each.id, 'paid back')
  await retryShortOrders(hands.later(180))
  await run(one, hands.later(240))
  expect(await codesOf(order)).toEqual(['FRESHCODE009'])
})

test('what fails together is tried alone, and what no supplier delivers goes back', async () => {
  one.next({ kind: 'failed', class: 'stock' }, { kind: 'done' }, { kind: 'failed', class: 'stock' })
  const order = await paid(2)
  await run(one)
  await run(one)
  await run(one)
  expect(one.calls.map(({ quantity }) => quantity)).toEqual([2, 1, 1])
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'failed'])
  await refundFailed(database.ctx)
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'refund_due'])
})

test('cards that are missing of a purchase follow the rules of a failure', async () => {
  one.gives(({ quantity }) =>
    quantity === 3 ? ['AAAAAAAAAAA1', 'AAAAAAAAAAA2'] : ['AAAAAAAAAAA3'],
  )
  one.misses(1)
  const order = await paid(3)
  await run(one)
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(one.calls.map(({ quantity }) => quantity)).toEqual([3, 1])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['done', 'done'])
})

test('a card bought after its price went back is kept back and booked as a loss', async () => {
  one.next({ kind: 'lost_call' })
  const order = await paid()
  await run(one)
  await ask(one, 61)
  expect((await statesOf(order))[0]).toBe('failed')
  await refundFailed(database.ctx)
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await database.ctx.db
    .updateTable('purchase')
    .set({ next_ask_at: database.ctx.now() })
    .where('id', '=', purchase?.id ?? '')
    .execute()
  await ask(one, 120)
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['late'])
  expect(await countStock(database.ctx.db, item.id)).toMatchObject({ quarantined: 1, delivered: 0 })
})

test('what a supplier that is switched off was to deliver waits for stock, and comes from the shelf', async () => {
  const order = await paid()
  await switchSupplier(asOperator(database.ctx, 'ann'), one.provider.code, 'off')
  await giveToShelf(database.ctx)
  expect(await stateOf(order)).toMatchObject({ status: 'processing', hold: 'out_of_stock' })
  await stock(database.ctx, item, 'W', 1)
  await retryShortOrders(database.ctx)
  expect(await statesOf(order)).toEqual(['delivered'])

  await switchSupplier(asOperator(database.ctx, 'ann'), one.provider.code, 'on')
  const taken = await paid()
  const [unit] = await unitsOf(taken)
  await takeByHand(asOperator(database.ctx, 'ann'), unit?.public_id ?? '')
  expect(await stateOf(taken)).toMatchObject({ hold: 'out_of_stock' })
  // A supplier is there: it is bought after all.
  await retryShortOrders(hands.later(60))
  await run(one, hands.later(120))
  expect(await statesOf(taken)).toEqual(['delivered'])
})

test('an item is in stock as long as a supplier of it is well', async () => {
  const level = async () =>
    (await listLevels(database.ctx.db, null)).find(({ item: id }) => id === item.id)
  expect(await followSuppliers(database.ctx)).toBeGreaterThan(0)
  expect(await level()).toMatchObject({ isToOrder: true, free: 0 })
  expect(await followSuppliers(database.ctx)).toBe(0)
  await switchSupplier(asOperator(database.ctx, 'ann'), one.provider.code, 'off')
  await followSuppliers(database.ctx)
  expect(await level()).toMatchObject({ isToOrder: false })
})

test('a purchase in doubt is settled with the card that came, by a person', async () => {
  one.cardsAreReady(false)
  const order = await paid()
  await run(one)
  for (const seconds of [11, 31, 130, 700, 4_000, 22_000, 87_000, 90_000, 95_000])
    await ask(one, seconds)
  const [purchase] = await purchasesOf(order)
  expect(purchase?.status).toBe('doubt')
  const said = { outcome: 'delivered', proof: 'seen in the report' } as const
  const problem = await refused(
    settlePurchase(asOperator(database.ctx, 'ann'), purchase?.reference ?? '', said),
  )
  expect(problem.code).toBe('check_fields')
  expect(await statesOf(order)).toEqual(['in_doubt'])
  const given = async (lines: string) => {
    const keys = await sealLines(database.ctx, testVault, {
      batchId: purchase?.id ?? '',
      item: item.id,
      chunks: (async function* () {
        yield lines
      })(),
    })
    const by = asOperator(database.ctx, 'ann')
    return settlePurchase(by, purchase?.reference ?? '', { ...said, keys })
  }
  expect((await refused(given('not a key\n'))).code).toBe('check_fields')
  expect((await refused(given('FROMREPORT01\nFROMREPORT02\n'))).code).toBe('check_fields')
  expect(await given('FROMREPORT01\n')).toMatchObject({ status: 'done' })
  expect(await codesOf(order)).toEqual(['FROMREPORT01'])
})

test('whatever suppliers of cards do, no card is given twice and no promise is broken', async () => {
  const word = fc.constantFrom(
    'done',
    'lost_answer',
    'lost_call',
    'accepted',
    'stock',
    'later',
    'known',
    'fewer',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(word, { maxLength: 4 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.integer({ min: 0, max: 3 }),
      async (orders, shelf) => {
        serial += 1
        item = await addItem(database.ctx)
        one = createFakeSupplier(`one${serial}`, { maxQuantity: 3 })
        await registerSuppliers(database.ctx, [one.provider.code])
        await hands.offer(one, 0, COST, 'key')
        if (shelf > 0) await stock(database.ctx, item, 'S', shelf)
        for (const [quantity, words] of orders) {
          const order = await paid(quantity)
          for (const said of [...words, 'done']) {
            one.cardsAreReady(null)
            one.gives(said === 'known' ? (told) => codesLike(told.quantity, 'KNOWNCODE') : null)
            if (said === 'later') one.cardsAreReady(false)
            if (said === 'fewer') one.gives((told) => codesLike(told.quantity - 1, told.reference))
            if (said === 'fewer') one.misses(1)
            if (said === 'stock') one.next({ kind: 'failed', class: 'stock' })
            else if (said === 'lost_answer' || said === 'lost_call' || said === 'accepted')
              one.next({ kind: said })
            await run(one)
            one.forget()
            one.misses(0)
          }
          one.gives(null)
          one.cardsAreReady(true)
          for (const seconds of [61, 200, 4_000]) await ask(one, seconds)
          expect([...one.bought.values()].every((count) => count === 1)).toBe(true)
          const own = await codesOf(order)
          const delivered = (await statesOf(order)).filter((state) => state === 'delivered')
          expect(own).toHaveLength(delivered.length)
        }
        const keys = await database.ctx.db
          .selectFrom('card_key')
          .select(['unit_id', 'fingerprint'])
          .where('item', '=', item.id)
          .where('unit_id', 'is not', null)
          .execute()
        expect(new Set(keys.map(({ unit_id: unit }) => unit)).size).toBe(keys.length)
        expect(await violations(database.ctx)).toEqual([])
      },
    ),
    { numRuns: 25 },
  )
})

const codesLike = (count: number, start: string): string[] =>
  Array.from({ length: Math.max(0, count) }, (_, at) => `${start.toUpperCase()}${at}`)

test('a plain payment beside a card to order leaves the same rows, whichever way it is settled', async () => {
  const plain = await addItem(database.ctx)
  await stock(database.ctx, plain, 'P', 1)
  const order = await buy(database.ctx, [{ item }, { item: plain }])
  await payFor(database.ctx, fake, order, 2_000n)
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'queued'])
  await run(one)
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
})
