import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listHandUnits } from '#features/buying/fulfilment/queries.ts'
import { claimUnit, refundFailed } from '#features/buying/fulfilment/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { walk } from '../../../../test/support/walk.ts'
import { getBalance } from '../../../../test/support/books.ts'
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
import { paidAt } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  allowCost,
  bookDeposit,
  correctUnits,
  expireInputs,
  followNotice,
  preparePurchase,
  recordOutcome,
  resumeSupplier,
  settlePurchase,
  takeByHand,
  switchSupplier,
} from './commands.ts'
import { askSupplier, buyUnit } from './flows.ts'
import { listCases, listDoubts, listQueued, listSupplierBooks } from './queries.ts'
import { PURCHASE_STATUSES, PURCHASE_TRANSITIONS } from './rules.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
const atOnce = () => Promise.resolve()
/** A shop that sells none of the goods of these tests any more. */
const NOTHING_SOLD = {
  catalogue: { productByCode: new Map(), brandByCode: new Map(), redirects: new Map() },
} as unknown as ShopSnapshot
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

const labelOf = async (order: Bought) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
  ).status

/** A notice of a supplier about a purchase comes, and it is asked. */
async function heard({ provider }: FakeSupplier, reference: string | undefined): Promise<void> {
  await followNotice(database.ctx, provider, { reference: reference ?? '', supplierId: null })
  await askSupplier(database.ctx, provider, atOnce)
}

test('the database knows the same transitions of purchases as the rules', async () => {
  const rows = await database.ctx.db
    .selectFrom('transition_rule')
    .selectAll()
    .where('machine', '=', 'purchase')
    .execute()
  expect(rows.map((row) => `${row.from_status} ${row.to_status}`).toSorted()).toEqual(
    PURCHASE_STATUSES.flatMap((from) =>
      PURCHASE_TRANSITIONS[from].map((to) => `${from} ${to}`),
    ).toSorted(),
  )
})

test('what is paid is bought at its supplier, delivered and booked, and is nobody else’s to deliver', async () => {
  const order = await paid(2)
  expect(
    (await listHandUnits(database.ctx.db)).map(({ orderNumber }) => orderNumber),
  ).not.toContain(order.number)
  const [unit] = await unitsOf(order)
  expect(
    (await refused(claimUnit(asOperator(database.ctx, 'ann'), unit?.public_id ?? ''))).code,
  ).toBe('order_closed')
  expect(await run(one)).toBe(2)
  expect(await statesOf(order)).toEqual(['delivered', 'delivered'])
  expect(await labelOf(order)).toBe('completed')
  expect(one.calls[0]).toMatchObject({ product: 'sku-1', quantity: 1, fields: { userid: 'me' } })
  expect([...one.bought.values()]).toEqual([1, 1])
  const [books] = (await listSupplierBooks(database.ctx.db)).filter(
    ({ supplier }) => supplier === one.provider.code,
  )
  expect(books).toEqual({
    supplier: one.provider.code,
    currency: 'USD',
    prepaid: '-1400',
    reserved: '0',
    cost: '1400',
    losses: '0',
  })
  expect(await run(one)).toBe(0)
})

test('an outcome nobody knows is asked for, and a purchase that was made is delivered once', async () => {
  one.next({ kind: 'lost_answer' })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['in_doubt'])
  expect(await labelOf(order)).toBe('processing')
  expect(await ask(one, 5)).toBe(0)
  expect(await ask(one, 11)).toBe(1)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect(await labelOf(order)).toBe('completed')
  expect([...one.bought.values()]).toEqual([1])
})

test('that a supplier knows of nothing counts once its window is over, and not before', async () => {
  await offer(two, 1)
  one.next({ kind: 'lost_call' })
  const order = await paid()
  await run(one)
  await ask(one, 11)
  expect(await statesOf(order)).toEqual(['in_doubt'])
  expect(await run(two)).toBe(0)
  await ask(one, 31)
  expect(await statesOf(order)).toEqual(['in_doubt'])
  await ask(one, 62)
  expect(await statesOf(order)).toEqual(['queued'])
  expect(await run(two, later(63))).toBe(1)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status, supplier }) => [supplier, status])).toEqual([
    [one.provider.code, 'failed'],
    [two.provider.code, 'done'],
  ])
})

test('what nobody ever hears of belongs to a person after a day, who says it once', async () => {
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  one.next({ kind: 'lost_answer' }, { kind: 'lost_call' }, { kind: 'lost_answer' })
  const [kept, gone, alike] = [await paid(), await paid(), await paid()]
  await run(one)
  for (const seconds of [11, 31, 121, 601, 3_601, 21_601, 86_401]) await ask(one, seconds)
  expect(await statesOf(kept)).toEqual(['in_doubt'])
  const doubts = await listDoubts(database.ctx.db)
  expect(doubts.length).toBeGreaterThanOrEqual(3)
  expect(
    await walk(
      (part) => listDoubts(database.ctx.db, part),
      ({ id }) => id,
    ),
  ).toEqual(doubts)
  const referenceOf = (order: Bought) =>
    doubts.find(({ orderNumber }) => orderNumber === order.number)?.reference ?? ''
  expect(await ask(one, 90_000)).toBe(0)
  const boss = asOperator(database.ctx, 'boss')
  await settlePurchase(boss, referenceOf(kept), { outcome: 'delivered', proof: 'seen' })
  await settlePurchase(boss, referenceOf(kept), { outcome: 'delivered', proof: 'seen' })
  expect(
    (await refused(settlePurchase(boss, referenceOf(kept), { outcome: 'failed', proof: 'no' })))
      .code,
  ).toBe('conflict')
  const [more] = [referenceOf(alike)]
  await settlePurchase(boss, more, { outcome: 'delivered', proof: 'seen' })
  expect(await statesOf(alike)).toEqual(['delivered'])
  await settlePurchase(boss, referenceOf(gone), { outcome: 'failed', proof: 'never came' })
  expect(await statesOf(kept)).toEqual(['delivered'])
  expect(await statesOf(gone)).toEqual(['failed'])
  await refundFailed(database.ctx)
  expect(await statesOf(gone)).toEqual(['refund_due'])
})

test('what fails there for good goes to the next supplier, and back to its buyer after the last', async () => {
  await offer(two, 1)
  one.next({ kind: 'failed', class: 'supplier' }, { kind: 'failed', class: 'stock' })
  const [first, second] = [await paid(), await paid()]
  await run(one)
  expect(await statesOf(first)).toEqual(['queued'])
  two.next({ kind: 'done' }, { kind: 'failed', class: 'supplier' })
  await run(two)
  expect(await statesOf(first)).toEqual(['delivered'])
  expect(await statesOf(second)).toEqual(['failed'])
  await refundFailed(database.ctx)
  await submitRefunds(database.ctx, services.providers)
  expect(await statesOf(second)).toEqual(['refunded'])
  expect(await run(one)).toBe(0)
})

test('two workers who prepare the same unit make one attempt, and one call', async () => {
  const order = await paid()
  const [unit] = await unitsOf(order)
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      buyUnit(database.ctx, one.provider, { unitId: unit?.id ?? '', orderId: order.id }, atOnce),
    ),
  )
  expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1)
  expect(one.calls).toHaveLength(1)
})

test('a worker that dies between preparing and the call, or within it, leaves what is asked about and never sent again', async () => {
  const order = await paid(2)
  const [first, second] = await unitsOf(order)
  await preparePurchase(database.ctx, { unitId: first?.id ?? '', orderId: order.id }, one.provider)
  await preparePurchase(database.ctx, { unitId: second?.id ?? '', orderId: order.id }, one.provider)
  const [, lost] = await purchasesOf(order)
  // The second had been sent.
  one.arrive(lost?.reference ?? '')
  expect(await ask(one, 40)).toBe(0)
  expect(await ask(one, 62)).toBe(2)
  expect(one.calls).toHaveLength(0)
  expect(await statesOf(order)).toEqual(['failed', 'delivered'])
  expect([...one.bought.values()]).toEqual([1])
})

test('a late success of what was given back is a loss that is shown, and nothing is delivered twice', async () => {
  one.next({ kind: 'failed', class: 'supplier' })
  const order = await paid()
  await run(one)
  await refundFailed(database.ctx)
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await heard(one, purchase?.reference)
  await heard(one, purchase?.reference)
  expect(await statesOf(order)).toEqual(['refund_due'])
  const cases = await listCases(database.ctx.db)
  expect(
    await walk(
      (part) => listCases(database.ctx.db, part),
      ({ id }) => id,
    ),
  ).toEqual(cases)
  expect(cases.filter(({ orderNumber }) => orderNumber === order.number)).toMatchObject([
    { kind: 'late', cost: '700' },
  ])
})

test('a late success of what waits to be bought again is its delivery', async () => {
  await offer(two, 1)
  one.next({ kind: 'failed', class: 'supplier' })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['queued'])
  const [purchase] = await purchasesOf(order)
  one.arrive(purchase?.reference ?? '')
  await heard(one, purchase?.reference)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect(await run(two)).toBe(0)
})

test('what a supplier takes back after delivery is a case, and is not bought again', async () => {
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  one.tells(() => ({
    kind: 'failed',
    class: 'supplier',
    code: 'REV',
    text: 'taken back',
    wasDone: true,
  }))
  await heard(one, purchase?.reference)
  expect(await statesOf(order)).toEqual(['delivered'])
  expect((await purchasesOf(order)).map(({ status }) => status)).toEqual(['reversed'])
  expect(
    (await listCases(database.ctx.db)).filter(({ orderNumber }) => orderNumber === order.number),
  ).toMatchObject([{ kind: 'reversed' }])
})

test('an answer for another purchase tells nothing about this one', async () => {
  const first = await paid()
  await run(one)
  const [done] = await purchasesOf(first)
  one.next({ kind: 'lost_call' })
  const order = await paid()
  await run(one)
  one.tells(() => ({ kind: 'done', supplierId: done?.supplier_id ?? '', cost: null }))
  await ask(one, 11)
  expect(await statesOf(order)).toEqual(['in_doubt'])
  one.tells(null)
  await ask(one, 62)
  expect(await statesOf(order)).toEqual(['failed'])
})

test('a wrong account waits for its buyer, who corrects it for the same money, or gets that back in the end', async () => {
  one.next({ kind: 'failed', class: 'customer' }, { kind: 'failed', class: 'customer' })
  const [right, never] = [await paid(1, { user_id: 'wrong' }), await paid(1, { user_id: 'wrong' })]
  await run(one)
  expect(await statesOf(right)).toEqual(['needs_input'])
  expect(await labelOf(right)).toBe('processing')
  const [wrong] = await unitsOf(right)
  const correct = (fields: Record<string, string>) =>
    correctUnits(database.ctx, NOTHING_SOLD, {
      accountId: right.accountId,
      order: right.publicId,
      unit: wrong?.public_id ?? '',
      fields,
    })
  expect((await refused(correct({ user_id: ' ' }))).code).toBe('check_fields')
  await correct({ user_id: 'right' })
  expect((await refused(correct({ user_id: 'other' }))).code).toBe('order_closed')
  await run(one)
  expect(one.calls.at(-1)?.fields).toEqual({ userid: 'right' })
  expect(await statesOf(right)).toEqual(['delivered'])
  expect(await expireInputs(later(6 * 86_400))).toBe(0)
  expect(await expireInputs(later(7 * 86_400 + 60))).toBe(1)
  expect(await statesOf(never)).toEqual(['refund_due'])
})

test('a wrong account that nobody typed cannot be corrected, and its price goes back', async () => {
  one.next({ kind: 'failed', class: 'customer' })
  const order = await paid(1, {})
  await run(one)
  expect(await statesOf(order)).toEqual(['failed'])
  await refundFailed(database.ctx)
})

test('"later" and what is ours never send money back at once: the first waits, for the second the supplier rests until an operator mends it', async () => {
  one.next({ kind: 'failed', class: 'wait' }, { kind: 'failed', class: 'ours', code: 'BALANCE' })
  const [waiting, held] = [await paid(), await paid()]
  await run(one)
  expect(await statesOf(waiting)).toEqual(['queued'])
  expect(await statesOf(held)).toEqual(['queued'])
  expect(await run(one)).toBe(0)
  const third = await paid()
  await run(one)
  expect(await statesOf(third)).toEqual(['queued'])
  expect(one.calls).toHaveLength(2)
  await bookDeposit(asOperator(database.ctx, 'boss'), {
    supplier: one.provider.code,
    money: { minor: 10_000n, currency: 'USD' },
    feeMinor: 25n,
    reference: 'T-1',
  })
  await run(one)
  expect(await statesOf(held)).toEqual(['delivered'])
  expect(await statesOf(third)).toEqual(['delivered'])
  expect(await statesOf(waiting)).toEqual(['delivered'])
  expect(
    (
      await refused(
        bookDeposit(asOperator(database.ctx, 'boss'), {
          supplier: one.provider.code,
          money: { minor: 10_000n, currency: 'USD' },
          feeMinor: 0n,
          reference: 'T-1',
        }),
      )
    ).code,
  ).toBe('conflict')
})

test('what costs more than its price waits for a person, who lets it be bought or takes it by hand', async () => {
  one.costs(1_200n)
  one.next({ kind: 'failed', class: 'price' }, { kind: 'done' })
  const [allowed, byHand] = [await paid(), await paid()]
  await run(one)
  await run(one)
  expect(await statesOf(allowed)).toEqual(['queued'])
  const [unit] = await unitsOf(allowed)
  const [other] = await unitsOf(byHand)
  expect((await listQueued(database.ctx.db)).filter(({ held }) => held === 'price')).toHaveLength(2)
  expect(
    await walk(
      (part) => listQueued(database.ctx.db, part),
      ({ place }) => place,
    ),
  ).toEqual(await listQueued(database.ctx.db))
  await allowCost(asOperator(database.ctx, 'boss'), unit?.public_id ?? '')
  // To a worker of a release before, which knows no amount, it is not allowed whatever it costs.
  const waiting = await database.ctx.db
    .selectFrom('supply_queue')
    .select(['is_allowed', 'allowed_minor', 'allowed_currency'])
    .where('unit_id', '=', unit?.id ?? '')
    .executeTakeFirst()
  expect(waiting).toEqual({ is_allowed: false, allowed_minor: '1200', allowed_currency: 'USD' })
  await run(one)
  expect(await statesOf(allowed)).toEqual(['delivered'])
  await takeByHand(asOperator(database.ctx, 'boss'), other?.public_id ?? '')
  expect((await listHandUnits(database.ctx.db)).map((each) => each.unit)).toContain(
    other?.public_id,
  )
})

test('a supplier that fails again and again rests, and others are asked meanwhile', async () => {
  one.next(...Array.from({ length: 5 }, () => ({ kind: 'lost_call' }) as const))
  await paid(5)
  await run(one)
  await offer(two, 1)
  const order = await paid()
  expect(await run(one)).toBe(0)
  expect(await run(two)).toBe(1)
  expect(await statesOf(order)).toEqual(['delivered'])
  await resumeSupplier(asOperator(database.ctx, 'boss'), one.provider.code)
  await paid()
  expect(await run(one)).toBe(1)
  await ask(one, 62)
  await refundFailed(database.ctx)
})

test('where asking may buy, it is asked while its unit is owed and never after', async () => {
  const careful = createFakeSupplier(`asks${serial}`, {
    idempotency: 'same_reference_asks_again',
    notFoundIsFinalAfterSeconds: null,
    lookupMayBuyAfterSeconds: 100,
  })
  await registerSuppliers(database.ctx, [careful.provider.code])
  await offer(careful)
  await database.ctx.db
    .updateTable('supplier_offer')
    .set({ is_on: false })
    .where('supplier', '=', one.provider.code)
    .execute()
  careful.next({ kind: 'lost_call' }, { kind: 'failed', class: 'supplier' }, { kind: 'lost_call' })
  const [owed, refunded, old] = [await paid(), await paid(), await paid()]
  await run(careful)
  await refundFailed(database.ctx)
  const [over] = await purchasesOf(refunded)
  await heard(careful, over?.reference)
  expect(careful.asked).toEqual([])
  const [doubtful] = await purchasesOf(old)
  careful.tells(({ purchase }) =>
    purchase.reference === doubtful?.reference
      ? { kind: 'unknown', why: 'down' }
      : { kind: 'done', supplierId: `x-${purchase.reference}`, cost: null },
  )
  await ask(careful, 11)
  await ask(careful, 31)
  expect(await statesOf(owed)).toEqual(['delivered'])
  // The next time would be past the moment from which asking could buy again.
  expect((await purchasesOf(old)).map(({ status }) => status)).toEqual(['doubt'])
  await settlePurchase(asOperator(database.ctx, 'boss'), doubtful?.reference ?? '', {
    outcome: 'failed',
    proof: 'not in their report',
  })
  await refundFailed(database.ctx)
})

test('an operator cannot say what is still being asked about, nor an old release deliver what is being bought', async () => {
  one.next({ kind: 'lost_answer' })
  const order = await paid()
  await run(one)
  const [purchase] = await purchasesOf(order)
  expect(
    (
      await refused(
        settlePurchase(asOperator(database.ctx, 'boss'), purchase?.reference ?? '', {
          outcome: 'failed',
          proof: 'x',
        }),
      )
    ).code,
  ).toBe('order_closed')
  await expect(
    database.ctx.db
      .updateTable('order_unit')
      .set({ status: 'failed' })
      .where('order_id', '=', order.id)
      .execute(),
  ).rejects.toMatchObject({ constraint: 'unit_is_being_bought' })
  await ask(one, 11)
})

test('answers that come twice, late and contradicting deliver once', async () => {
  one.next({ kind: 'accepted' })
  const order = await paid()
  await run(one)
  expect(await statesOf(order)).toEqual(['delivering'])
  const [purchase] = await purchasesOf(order)
  const done = {
    kind: 'done',
    supplierId: purchase?.supplier_id ?? '',
    cost: { minor: 650n, currency: 'USD' },
  } as const
  const asking = one.provider.capabilities
  const answers = [
    { kind: 'unknown', why: 'x' } as const,
    done,
    done,
    { kind: 'accepted', supplierId: done.supplierId } as const,
    { kind: 'not_found' } as const,
  ]
  await Promise.all(
    answers.map((answer) =>
      recordOutcome(later(61), { id: purchase?.id ?? '', orderId: order.id }, answer, asking),
    ),
  ).catch(() => {})
  const [after] = await purchasesOf(order)
  expect(['done', 'failed']).toContain(after?.status)
})

test('of money reserved and spent the books tell to the last cent', async () => {
  one.next({ kind: 'lost_answer' }, { kind: 'done', minor: 999n })
  await paid(2)
  await run(one)
  const balance = (account: string) => getBalance(database.ctx.db, account as never, 'USD')
  expect(await balance(`supplier_reserved:${one.provider.code}`)).toBe(-700n)
  expect(await balance(`goods_cost:${one.provider.code}`)).toBe(-999n)
  await ask(one, 11)
  expect(await balance(`supplier_reserved:${one.provider.code}`)).toBe(0n)
  expect(await balance(`goods_cost:${one.provider.code}`)).toBe(-1_699n)
})

test('what waits for a supplier that is switched off goes to the next, or to people', async () => {
  const boss = asOperator(database.ctx, 'boss')
  const order = await paid()
  await offer(two, 1)
  await switchSupplier(boss, one.provider.code, 'off')
  expect(await run(two)).toBe(1)
  expect(await statesOf(order)).toEqual(['delivered'])
  const byHand = await paid()
  await switchSupplier(boss, two.provider.code, 'off')
  const [unit] = await unitsOf(byHand)
  expect((await listHandUnits(database.ctx.db)).map((each) => each.unit)).toContain(unit?.public_id)
})
