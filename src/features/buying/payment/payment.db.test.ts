import { afterEach, beforeAll, expect, test } from 'vitest'
import { acceptCase, openCase, withdrawCase } from '#features/buying/after-sales/commands.ts'
import {
  atProvider,
  FEES,
  HELD,
  LOSSES,
  ORDERS,
  SALES,
  storeCreditOf,
} from '#features/base/ledger/rules.ts'
import { expireDue } from '#features/buying/order/commands.ts'
import { endHolds, requestRefund, returnHeldMoney } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { REFUND_TRANSITIONS } from '#features/buying/refund/rules.ts'
import { revealKey } from '#features/buying/vault/commands.ts'
import { listOwnKeys } from '#features/buying/vault/queries.ts'
import {
  getBalance,
  getGuardedBalance,
  listReasons,
  listRefunds,
} from '../../../../test/support/books.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import {
  addCurrencies,
  addItem,
  buy,
  buyCredit,
  stock,
  testVault,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { refused } from '../../../../test/support/people.ts'
import { applyFacts, recordNotice } from './commands.ts'
import {
  cancelUnpaid,
  checkPayment,
  endOpenPayment,
  settleNotices,
  startPaying,
  sweepPayments,
} from './flows.ts'
import { PAYMENT_TRANSITIONS } from './rules.ts'
import { asOperator } from '../../../../test/support/operators.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = {
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
}

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  expect(await getBalance(database.ctx.db, atProvider('fake'), 'USD')).toBe(-fake.kept('USD'))
})

const later = (minutes: number) => minutesLater(database.ctx, minutes)
const order = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const statusOf = async (id: string) => (await order(id)).status
const reasons = (id: string) => listReasons(database.ctx.db, id)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })

/** An order of new keys (10.00 each, a fee of 0.30) with its payment begun. */
async function begun(wanted: { readonly quantity?: number; readonly keys?: number } = {}) {
  const quantity = wanted.quantity ?? 1
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', wanted.keys ?? quantity)
  const made = await buy(database.ctx, [{ item, quantity }])
  return { ...made, item, ...(await begin(made)) }
}
async function begin(
  made: { readonly id: string; readonly publicId: string; readonly accountId: string },
  feeMinor = 30n,
) {
  await startPaying(database.ctx, services, {
    order: made.publicId,
    accountId: made.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor,
  })
  const { id: attempt } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', made.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { attempt }
}
const told = (attempt: string, ctx = database.ctx) => checkPayment(ctx, services, attempt)
const keysOf = (item: TestItem) =>
  database.ctx.db
    .selectFrom('card_key')
    .select(['status'])
    .where('item', '=', item.id)
    .orderBy('pick')
    .execute()
    .then((rows) => rows.map(({ status }) => status))

test('the database knows the same transitions of payments and refunds as the rules', async () => {
  const rows = await database.ctx.db.selectFrom('transition_rule').selectAll().execute()
  for (const [machine, table] of [
    ['payment', PAYMENT_TRANSITIONS],
    ['refund', REFUND_TRANSITIONS],
  ] as const)
    expect(
      rows
        .filter((row) => row.machine === machine)
        .map((row) => `${row.from_status} ${row.to_status}`)
        .toSorted(),
    ).toEqual(
      Object.entries(table)
        .flatMap(([from, targets]) => targets.map((to: string) => `${from} ${to}`))
        .toSorted(),
    )
})

test('the exact amount in time: the keys are delivered in the same moment and the order is complete', async () => {
  const before = {
    sales: await getBalance(database.ctx.db, SALES, 'USD'),
    fees: await getBalance(database.ctx.db, FEES, 'USD'),
  }
  const { id, attempt, item } = await begun({ quantity: 2 })
  expect(await statusOf(id)).toBe('waiting_for_payment')
  fake.pay(attempt, usd(2_030n))
  await told(attempt)
  expect(await order(id)).toMatchObject({
    status: 'completed',
    captured_minor: '2030',
    total_minor: '2030',
    fee_minor: '30',
  })
  expect(await keysOf(item)).toEqual(['delivered', 'delivered'])
  expect(await reasons(id)).toEqual(['created', 'payment_started', 'paid'])
  expect(await getBalance(database.ctx.db, SALES, 'USD')).toBe(before.sales + 2_000n)
  expect(await getBalance(database.ctx.db, FEES, 'USD')).toBe(before.fees + 30n)
  expect(await getBalance(database.ctx.db, ORDERS, 'USD')).toBe(0n)
})

test('with the first payment begun the buyer has agreed to delivery at once, and that moment stays', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  expect((await order(made.id)).waived_at).toBeNull()
  const { attempt } = await begin(made)
  const { waived_at: agreed } = await order(made.id)
  expect(agreed).toBeInstanceOf(Date)
  fake.set(attempt, { status: 'failed' })
  await told(attempt)
  await begin(made)
  expect((await order(made.id)).waived_at).toEqual(agreed)
  await expect(
    database.ctx.db
      .updateTable('shop_order')
      .set({ waived_at: null })
      .where('id', '=', made.id)
      .execute(),
  ).rejects.toMatchObject({ code: '23514' })
})

test('the buyer is to be told of what money did, once, and of nothing before', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  const toTell = () =>
    database.ctx.db
      .selectFrom('order_event')
      .select(['seq', 'reason'])
      .where('order_id', '=', id)
      .where('is_to_tell', '=', true)
      .execute()
  const [event, ...others] = await toTell()
  expect([event?.reason, others]).toEqual(['paid', []])
  await database.ctx.db
    .updateTable('order_event')
    .set({ is_to_tell: false })
    .where('order_id', '=', id)
    .execute()
  expect(await toTell()).toEqual([])
  await expect(
    database.ctx.db
      .updateTable('order_event')
      .set({ reason: 'other' })
      .where('order_id', '=', id)
      .execute(),
  ).rejects.toMatchObject({ code: '23514' })
})

test('store credit that is bought may be spent with the payment itself, beside keys, and is not given back', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buyCredit(database.ctx, [item])
  const { attempt } = await begin(made)
  fake.pay(attempt, usd(2_030n))
  await told(attempt)
  expect(await statusOf(made.id)).toBe('completed')
  expect(await getGuardedBalance(database.ctx.db, storeCreditOf(made.accountId), 'USD')).toBe(
    1_000n,
  )
  const credit = await database.ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', made.id)
    .where('delivery', '=', 'store_credit')
    .executeTakeFirstOrThrow()
  const ask = (unitIds: readonly string[] | null) =>
    requestRefund(database.ctx, {
      orderId: made.id,
      unitIds,
      destination: 'original',
      reason: 'regret',
      requestedBy: 'operator:1',
      approvedBy: 'operator:2',
    })
  expect((await refused(ask([credit.id]))).code).toBe('order_closed')
  expect((await refused(ask(null))).code).toBe('order_closed')
})

test('a notice that comes 32 times at once, and again later, delivers once', async () => {
  const { id, attempt, item } = await begun({ keys: 5 })
  fake.pay(attempt, usd(1_030n))
  const notice = {
    eventId: `evt-${attempt}`,
    kind: 'captured',
    paymentReference: fake.of(attempt).reference,
  }
  const stored = await Promise.all(
    Array.from({ length: 32 }, () => recordNotice(database.ctx, 'fake', notice, Buffer.from('{}'))),
  )
  expect(stored.filter(Boolean)).toHaveLength(1)
  await Promise.all(Array.from({ length: 8 }, () => settleNotices(database.ctx, services)))
  await Promise.all(Array.from({ length: 8 }, () => told(attempt)))
  expect(await statusOf(id)).toBe('completed')
  expect(await keysOf(item)).toEqual(['delivered', 'free', 'free', 'free', 'free'])
})

test('without any notice the sweep finds the money', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await sweepPayments(later(2), services)
  expect(await statusOf(id)).toBe('completed')
})

test('the sweep goes on where the answer to the creation of a payment was lost, with the same payment', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  fake.faults.push('lost_answer')
  await expect(begin(made)).rejects.toThrow('payment_unreachable')
  expect(await statusOf(made.id)).toBe('waiting_for_payment')
  const { attempt } = await begin(made)
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  expect(await statusOf(made.id)).toBe('completed')
})

test('a payment the provider refuses to make fails, and another one may be begun', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  fake.faults.push('refuse')
  await begin(made)
  expect(await statusOf(made.id)).toBe('pending_payment')
  const { attempt } = await begin(made, 0n)
  fake.pay(attempt, usd(1_000n))
  await told(attempt)
  expect(await order(made.id)).toMatchObject({
    status: 'completed',
    fee_minor: '0',
    total_minor: '1000',
  })
})

test('too little: the order waits for a decision, nothing is delivered, and the rest completes it', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(1_000n))
  await told(attempt)
  expect(await order(id)).toMatchObject({
    status: 'processing',
    hold: 'underpaid',
    captured_minor: '1000',
  })
  expect(await keysOf(item)).toEqual(['claimed'])
  fake.pay(attempt, usd(30n))
  await sweepPayments(later(5), services)
  expect(await order(id)).toMatchObject({ status: 'completed', hold: null })
})

test('too little, given back: the order is refunded and its stock is free again', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(400n))
  await told(attempt)
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'refunded', hold: null, refunded_minor: '400' })
  expect(await keysOf(item)).toEqual(['free'])
})

test('too little, on its way back while the rest comes: what is left does not pay for the order', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(400n))
  await told(attempt)
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  fake.pay(attempt, usd(630n))
  await told(attempt)
  expect(await order(id)).toMatchObject({
    status: 'processing',
    captured_minor: '1030',
    settled_at: null,
  })
  expect(await keysOf(item)).toEqual(['claimed'])
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({
    status: 'processing',
    hold: 'underpaid',
    refunded_minor: '400',
  })
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '1030' })
})

test('too little for a day frees the keys for others; the rest still pays for the order where there are some', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(1_000n))
  await told(attempt)
  await endHolds(later(23 * 60))
  expect(await keysOf(item)).toEqual(['claimed'])
  await endHolds(later(25 * 60))
  expect(await keysOf(item)).toEqual(['free'])
  expect(await order(id)).toMatchObject({ status: 'processing', hold: 'underpaid' })
  fake.pay(attempt, usd(30n))
  await sweepPayments(later(26 * 60), services)
  expect(await order(id)).toMatchObject({ status: 'completed', hold: null })
  expect(await endHolds(later(9 * 24 * 60))).toBe(0)
})

test('too little for a week goes back by itself, once, and the buyer is told', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(400n))
  await told(attempt)
  await endHolds(later(6 * 24 * 60))
  expect(await listRefunds(database.ctx.db, id)).toHaveLength(0)
  expect(await endHolds(later(8 * 24 * 60))).toBe(1)
  expect(await endHolds(later(8 * 24 * 60))).toBe(0)
  await submitRefunds(later(8 * 24 * 60 + 1), services.providers)
  expect(await order(id)).toMatchObject({ status: 'refunded', hold: null, refunded_minor: '400' })
  expect(await keysOf(item)).toEqual(['free'])
  expect(await reasons(id)).toContain('money_returned')
})

test('another currency goes back by itself after a day, and the order ends', async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, { minor: 1_030n, currency: 'JPY' })
  await told(attempt)
  await endHolds(later(23 * 60))
  expect(fake.kept('JPY')).toBe(1_030n)
  await endHolds(later(25 * 60))
  await submitRefunds(later(25 * 60 + 1), services.providers)
  expect(fake.kept('JPY')).toBe(0n)
  expect(await keysOf(item)).toEqual(['free'])
  await expireDue(later(25 * 60))
  expect(await statusOf(id)).toBe('expired')
})

test('too much: the keys are delivered and the surplus goes back', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_500n))
  await told(attempt)
  expect(await statusOf(id)).toBe('completed')
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({
    status: 'completed',
    captured_minor: '1500',
    refunded_minor: '470',
  })
  expect(await getBalance(database.ctx.db, HELD, 'USD')).toBe(0n)
})

test('twice: the second payment goes back whole and the order stays complete', async () => {
  const { id, attempt: first, ...made } = await begun()
  fake.set(first, { status: 'failed' })
  await told(first)
  const { attempt: second } = await begin({ id, ...made })
  fake.pay(second, usd(1_030n))
  await told(second)
  fake.pay(first, usd(1_030n))
  await told(first)
  expect(await order(id)).toMatchObject({ status: 'completed', captured_minor: '2060' })
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '1030' })
})

test('another currency: nothing is delivered, and it goes back in its own currency', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, { minor: 1_030n, currency: 'JPY' })
  await told(attempt)
  expect(await order(id)).toMatchObject({
    status: 'processing',
    hold: 'wrong_currency',
    captured_minor: '0',
  })
  await returnHeldMoney(database.ctx, id, 'wrong_currency')
  await submitRefunds(database.ctx, services.providers)
  expect(fake.kept('JPY')).toBe(0n)
  expect(await order(id)).toMatchObject({ status: 'pending_payment', hold: null })
})

test('soon after it expired, with the goods still there: the order is taken up again and delivered', async () => {
  const { id, attempt, item } = await begun()
  await sweepPayments(later(16), services)
  await expireDue(later(16))
  expect(await statusOf(id)).toBe('expired')
  expect(await keysOf(item)).toEqual(['free'])
  fake.pay(attempt, usd(1_030n))
  await told(attempt, later(20))
  expect(await statusOf(id)).toBe('completed')
  expect((await reasons(id)).slice(-2)).toEqual(['paid_late', 'paid'])
})

test('soon after it expired, with the goods gone: the money goes back', async () => {
  const { id, attempt, item } = await begun()
  await sweepPayments(later(16), services)
  await begin(await buy(database.ctx, [{ item }]))
  fake.pay(attempt, usd(1_030n))
  await told(attempt, later(20))
  expect(await statusOf(id)).toBe('processing')
  await submitRefunds(later(20), services.providers)
  expect(await statusOf(id)).toBe('refunded')
})

test('long after it expired: the money goes back, even with the goods there', async () => {
  const { id, attempt } = await begun()
  await sweepPayments(later(16), services)
  fake.pay(attempt, usd(1_030n))
  await told(attempt, later(120))
  await submitRefunds(later(120), services.providers)
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '1030' })
})

test('after the shopper cancelled: the money goes back', async () => {
  const { id, attempt, publicId, accountId } = await begun()
  await cancelUnpaid(database.ctx, services, accountId, publicId)
  expect(await statusOf(id)).toBe('cancelled')
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  await submitRefunds(database.ctx, services.providers)
  expect(await statusOf(id)).toBe('refunded')
})

test('cancelling an order that was paid a moment ago delivers it instead', async () => {
  const { id, attempt, publicId, accountId } = await begun()
  fake.pay(attempt, usd(1_030n))
  expect((await refused(cancelUnpaid(database.ctx, services, accountId, publicId))).code).toBe(
    'order_closed',
  )
  expect(await statusOf(id)).toBe('completed')
})

test('an order whose money is on its way neither expires nor can be cancelled', async () => {
  const { id, attempt, publicId, accountId } = await begun()
  fake.set(attempt, { status: 'seen' })
  await sweepPayments(later(16), services)
  await expireDue(later(16))
  expect(await statusOf(id)).toBe('waiting_for_payment')
  expect((await refused(cancelUnpaid(database.ctx, services, accountId, publicId))).code).toBe(
    'order_closed',
  )
  fake.pay(attempt, usd(1_030n))
  await told(attempt, later(200))
  expect(await statusOf(id)).toBe('completed')
})

test('disputed: the order is held until the dispute is over', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  fake.set(attempt, { isDisputed: true })
  await told(attempt)
  expect(await order(id)).toMatchObject({ status: 'processing', hold: 'disputed' })
  fake.set(attempt, { isDisputed: false })
  await told(attempt)
  expect(await statusOf(id)).toBe('completed')
})

test('disputed while its buyer asks for money back: both stand until both are over, and it is not given back twice', async () => {
  const { id, attempt, accountId, publicId } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  const asked = await openCase(database.ctx, accountId, {
    kind: 'refund_request',
    order: publicId,
    units: null,
    reason: 'code_invalid',
    text: '',
    picture: null,
    destination: 'original',
  })
  fake.set(attempt, { isDisputed: true })
  await told(attempt)
  await told(attempt)
  expect(await order(id)).toMatchObject({ status: 'processing', hold: 'disputed' })
  expect((await refused(acceptCase(asOperator(database.ctx), asked, ''))).code).toBe('order_closed')
  fake.set(attempt, { isDisputed: false })
  await told(attempt)
  expect(await order(id)).toMatchObject({ status: 'processing', hold: 'refund_requested' })
  await withdrawCase(database.ctx, accountId, publicId)
  expect(await reasons(id)).toEqual([
    'created',
    'payment_started',
    'paid',
    'refund_requested',
    'disputed',
    'dispute_over',
    'request_withdrawn',
  ])
  expect(await statusOf(id)).toBe('completed')
})

test('a payment that came twice is disputed: that it is sound again ends the dispute, another sound payment does not', async () => {
  const { id, attempt: first, ...made } = await begun()
  await endOpenPayment(database.ctx, services, id)
  const { attempt: second } = await begin({ id, ...made })
  fake.pay(second, usd(1_030n))
  await told(second)
  fake.pay(first, usd(1_030n))
  fake.set(first, { isDisputed: true })
  await told(first)
  expect(await order(id)).toMatchObject({ status: 'processing', hold: 'disputed' })
  await told(second)
  expect(await order(id)).toMatchObject({ hold: 'disputed' })
  fake.set(first, { isDisputed: false })
  await told(first)
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'completed', hold: null, refunded_minor: '1030' })
})

test('a key that nobody has seen is shown neither during a dispute nor once the money is gone', async () => {
  const { id, attempt, accountId, publicId } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  const { public_id: unit } = await database.ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  const reveal = () =>
    revealKey(database.ctx, testVault, { unit, accountId, network: '203.0.113.0/24' })
  fake.set(attempt, { isDisputed: true })
  await told(attempt)
  expect((await refused(reveal())).code).toBe('not_found')
  fake.set(attempt, { isDisputed: false })
  await told(attempt)
  expect(await reveal()).toHaveProperty('code')
  fake.set(attempt, { reversed: usd(1_030n) })
  await told(attempt)
  expect((await refused(reveal())).code).toBe('not_found')
  expect(
    (await listOwnKeys(database.ctx.db, accountId, { page: 1, limit: 10 })).keys,
  ).toMatchObject([{ isVoid: true }])
  expect(
    (
      await refused(
        openCase(database.ctx, accountId, {
          kind: 'faulty_key',
          order: publicId,
          units: [unit],
          reason: 'code_invalid',
          text: '',
          picture: null,
          destination: 'original',
        }),
      )
    ).code,
  ).toBe('order_closed')
})

test('reversed after delivery: the money is a loss, and nothing can be given back any more', async () => {
  const { id, attempt, item } = await begun({ quantity: 2 })
  fake.pay(attempt, usd(2_030n))
  await told(attempt)
  const before = await getBalance(database.ctx.db, LOSSES, 'USD')
  fake.set(attempt, { isDisputed: true })
  await told(attempt)
  fake.set(attempt, { isDisputed: false, reversed: usd(2_030n) })
  await told(attempt)
  await told(attempt)
  expect(await order(id)).toMatchObject({ status: 'refunded', hold: null, refunded_minor: '2030' })
  expect(await keysOf(item)).toEqual(['delivered', 'delivered'])
  expect(await getBalance(database.ctx.db, LOSSES, 'USD')).toBe(before - 2_030n)
  expect(
    (
      await refused(
        requestRefund(database.ctx, {
          orderId: id,
          unitIds: null,
          destination: 'original',
          reason: 'regret',
          requestedBy: 'operator:1',
          approvedBy: 'operator:2',
        }),
      )
    ).code,
  ).toBe('order_closed')
})

test('reversed before all is delivered: what is not is kept back, and only what is gone is a loss', async () => {
  const [card, byHand] = [
    await addItem(database.ctx),
    await addItem(database.ctx, { delivery: 'direct_charge' }),
  ]
  await stock(database.ctx, card, 'K', 1)
  const made = await buy(database.ctx, [
    { item: card },
    { item: byHand, delivery: 'direct_charge' },
  ])
  const { attempt } = await begin(made)
  fake.pay(attempt, usd(2_030n))
  await told(attempt)
  const before = await getBalance(database.ctx.db, LOSSES, 'USD')
  fake.set(attempt, { reversed: usd(500n) })
  await told(attempt)
  expect(await order(made.id)).toMatchObject({ status: 'shipping', refunded_minor: '500' })
  fake.set(attempt, { reversed: usd(2_030n) })
  await told(attempt)
  expect(await order(made.id)).toMatchObject({ status: 'refunded', refunded_minor: '2030' })
  expect(
    (
      await database.ctx.db
        .selectFrom('order_unit')
        .select('status')
        .where('order_id', '=', made.id)
        .orderBy('delivery')
        .execute()
    ).map(({ status }) => status),
  ).toEqual(['delivered', 'refunded'])
  expect(await getBalance(database.ctx.db, LOSSES, 'USD')).toBe(before - 1_030n)
})

test('reversed after it was given back: the shop has paid twice, and the books say so', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  await requestRefund(database.ctx, {
    orderId: id,
    unitIds: null,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(database.ctx, services.providers)
  const before = await getBalance(database.ctx.db, LOSSES, 'USD')
  fake.set(attempt, { reversed: usd(1_030n) })
  await told(attempt)
  expect(await getBalance(database.ctx.db, LOSSES, 'USD')).toBe(before - 1_030n)
})

test("reversed while it is held: it is nobody's loss, and the stock is free again", async () => {
  const { id, attempt, item } = await begun()
  fake.pay(attempt, usd(400n))
  await told(attempt)
  fake.set(attempt, { reversed: usd(400n) })
  await told(attempt)
  expect(await order(id)).toMatchObject({ status: 'refunded', hold: null, refunded_minor: '400' })
  expect(await keysOf(item)).toEqual(['free'])
})

test('what a provider tells of another payment is not applied', async () => {
  const [one, other] = [await begun(), await begun()]
  fake.pay(other.attempt, usd(1_030n))
  expect(
    await applyFacts(database.ctx, { id: one.attempt, provider: 'fake' }, fake.of(other.attempt)),
  ).toBe('not_ours')
  expect(
    await applyFacts(
      database.ctx,
      { id: one.attempt, provider: 'fake' },
      { ...fake.of(other.attempt), ourReference: one.attempt },
    ),
  ).toBe('not_ours')
  expect(await statusOf(one.id)).toBe('waiting_for_payment')
  await told(other.attempt)
})

test('one unit given back: its key is void, the rest stays, and the fee is kept until nothing remains', async () => {
  const { id, attempt, item } = await begun({ quantity: 2 })
  fake.pay(attempt, usd(2_030n))
  await told(attempt)
  const [first, second] = await database.ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', id)
    .orderBy('unit_no')
    .execute()
  const ask = (unit?: { readonly id: string }) =>
    requestRefund(database.ctx, {
      orderId: id,
      unitIds: unit ? [unit.id] : null,
      destination: 'original',
      reason: 'faulty_key',
      requestedBy: 'operator:1',
      approvedBy: 'operator:2',
    })
  expect(await ask(first)).toMatchObject({ amountMinor: 1_000n })
  expect(await statusOf(id)).toBe('processing')
  expect((await refused(ask(first))).code).toBe('order_closed')
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '1000' })
  expect((await keysOf(item)).toSorted()).toEqual(['delivered', 'void'])
  expect(await ask(second)).toMatchObject({ amountMinor: 1_030n })
  await submitRefunds(database.ctx, services.providers)
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '2030' })
})

test('a refund to store credit may be spent', async () => {
  const { id, attempt, accountId } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  await requestRefund(database.ctx, {
    orderId: id,
    unitIds: null,
    destination: 'store_credit',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(database.ctx, services.providers)
  expect(await getBalance(database.ctx.db, storeCreditOf(accountId), 'USD')).toBe(1_030n)
  expect(await statusOf(id)).toBe('refunded')
})

test('a refund whose answer is lost stays in doubt until the provider says, and is paid out once', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  await requestRefund(database.ctx, {
    orderId: id,
    unitIds: null,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  const before = fake.refunds().length
  fake.faults.push('lost_answer')
  await submitRefunds(database.ctx, services.providers)
  expect(await statusOf(id)).toBe('processing')
  expect((await listRefunds(database.ctx.db, id)).map(({ status }) => status)).toEqual(['unknown'])
  await submitRefunds(later(1), services.providers)
  expect(await statusOf(id)).toBe('refunded')
  expect(fake.refunds()).toHaveLength(before + 1)
})

test('two people who ask for the same money back at once get it back once', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      requestRefund(database.ctx, {
        orderId: id,
        unitIds: null,
        destination: 'original',
        reason: 'faulty_key',
        requestedBy: 'operator:1',
        approvedBy: 'operator:2',
      }),
    ),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await Promise.all(
    Array.from({ length: 4 }, () => submitRefunds(database.ctx, services.providers)),
  )
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '1030' })
})

test('nobody approves what they asked for themselves', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_030n))
  await told(attempt)
  await expect(
    requestRefund(database.ctx, {
      orderId: id,
      unitIds: null,
      destination: 'original',
      reason: 'faulty_key',
      requestedBy: 'operator:1',
      approvedBy: 'operator:1',
    }),
  ).rejects.toMatchObject({ code: '23514' })
})
