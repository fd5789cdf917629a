import { afterEach, beforeAll, expect, test } from 'vitest'
import { acceptCase, declineCase, openCase } from '#features/buying/after-sales/commands.ts'
import { retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import {
  atProvider,
  HELD,
  LOSSES,
  ORDERS,
  RETURNS,
  storeCreditOf,
} from '#features/base/ledger/rules.ts'
import { listUndecided } from '#features/buying/order/queries.ts'
import { applyFacts, recordNotice } from '#features/buying/payment/commands.ts'
import { checkPayment, settleNotices } from '#features/buying/payment/flows.ts'
import { notifyBuyers } from '#features/buying/order-notification/commands.ts'
import { listTransactions } from '#features/buying/transaction/queries.ts'
import { revealKey } from '#features/buying/vault/commands.ts'
import {
  getBalance,
  getGuardedBalance,
  listReasons,
  listRefunds,
} from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  testVault,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { refused } from '../../../../test/support/people.ts'
import { repeatRefund, requestRefund, returnHeldMoney } from './commands.ts'
import { submitRefunds } from './flows.ts'
import { countRefused, listForOperators } from './queries.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt, payFor } from '../../../../test/support/paying.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
const DAY = 24 * 60

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  expect(await getBalance(database.ctx.db, atProvider('fake'), 'USD')).toBe(-fake.kept('USD'))
})

const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const order = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const balance = (account: Parameters<typeof getBalance>[1]) =>
  getBalance(database.ctx.db, account, 'USD')
const unitsOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('order_unit')
      .select('status')
      .where('order_id', '=', id)
      .orderBy('unit_no')
      .execute()
  ).map(({ status }) => status)
const keysOf = async (item: TestItem) =>
  (
    await database.ctx.db
      .selectFrom('card_key')
      .select('status')
      .where('item', '=', item.id)
      .orderBy('pick')
      .execute()
  ).map(({ status }) => status)
const submit = (minutes = 0) =>
  submitRefunds(minutesLater(database.ctx, minutes), services.providers)
const eventsOf = (id: string) => listReasons(database.ctx.db, id)

async function bought(
  minor: bigint,
  {
    quantity = 1,
    delivery = 'card_key',
  }: { readonly quantity?: number; readonly delivery?: 'card_key' | 'direct_charge' } = {},
) {
  const item = await addItem(database.ctx, { delivery })
  if (delivery === 'card_key') await stock(database.ctx, item, 'K', quantity)
  const made = await buy(database.ctx, [{ item, quantity, delivery }])
  const attempt = await payFor(database.ctx, fake, made, minor, { feeMinor: 30n })
  return { ...made, item, attempt }
}

const askAllBack = (orderId: string) =>
  requestRefund(database.ctx, {
    orderId,
    unitIds: null,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })

/** Refunds of an order that somebody is to see to. */
async function refusedOf(number: string): Promise<number> {
  const open = await listForOperators(database.ctx.db, await countRefused(database.ctx.db))
  return open.filter(({ orderNumber, status }) => orderNumber === number && status === 'failed')
    .length
}

/** As a provider tells it: a notice about the payment, worked off, and the sweep of refunds. */
async function noticed(attempt: string, name: string): Promise<void> {
  await recordNotice(
    database.ctx,
    'fake',
    { eventId: `${name}-${attempt}`, kind: name, paymentReference: fake.of(attempt).reference },
    Buffer.from('{}'),
  )
  await settleNotices(database.ctx, services)
  await submit()
}

test('a refund that came back to its provider is owed again: booked back, shown as failed, and asked for anew as store credit', async () => {
  const { id, number, attempt, item, accountId } = await bought(2_030n, { quantity: 2 })
  await askAllBack(id)
  await submit()
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '2030' })
  const before = await balance(RETURNS)
  fake.failRefunds(attempt)
  await noticed(attempt, 'refund.failed')
  expect(await order(id)).toMatchObject({ status: 'processing', refunded_minor: '0' })
  expect(await unitsOf(id)).toEqual(['refund_due', 'refund_due'])
  expect(await balance(RETURNS)).toBe(before + 2_000n)
  expect(await listRefunds(database.ctx.db, id)).toMatchObject([{ status: 'failed' }])
  expect(await refusedOf(number)).toBe(1)
  const [open] = await listForOperators(database.ctx.db, 1)
  expect(open).toMatchObject({ status: 'failed', failure: 'account_closed', amountMinor: 2_030n })
  expect((await listUndecided(database.ctx.db, 10)).map(({ reason }) => reason)).toEqual([
    'refund_failed',
  ])
  const { list } = await listTransactions(database.ctx.db, accountId, { page: 1, limit: 9 })
  expect(list.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['refund', -2_030n],
    ['refund', 2_030n],
    ['payment', 2_030n],
  ])
  await repeatRefund(asOperator(database.ctx), open?.refund ?? '', 'store_credit')
  await submit()
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '2030' })
  expect(await getGuardedBalance(database.ctx.db, storeCreditOf(accountId), 'USD')).toBe(2_030n)
  expect(await keysOf(item)).toEqual(['void', 'void'])
  expect(await refusedOf(number)).toBe(0)
  expect(
    (await refused(repeatRefund(asOperator(database.ctx), open?.refund ?? '', 'original'))).code,
  ).toBe('order_closed')
})

test('its buyer is told, as they were told that it was sent', async () => {
  const { id, attempt, accountId } = await bought(1_030n)
  await notifyBuyers(database.ctx)
  await askAllBack(id)
  await submit()
  await notifyBuyers(database.ctx)
  fake.failRefunds(attempt)
  await noticed(attempt, 'refund.failed')
  await notifyBuyers(database.ctx)
  const notices = await database.ctx.db
    .selectFrom('notice')
    .select(['kind', 'params'])
    .where('account_id', '=', accountId)
    .where('kind', 'like', 'order%')
    .orderBy('id')
    .execute()
  expect(notices.map(({ kind }) => kind)).toEqual([
    'order_delivered',
    'order_refunded',
    'order_payment_problem',
  ])
  expect(notices.at(-1)?.params).toMatchObject({
    variant: 'refund_failed',
    amount: { minor: '1030', currency: 'USD' },
  })
})

test('without any notice it is found: a refund that was sent out is asked about for a month, and never sent out again', async () => {
  const { id, attempt } = await bought(1_030n)
  await askAllBack(id)
  await submit()
  const sent = fake.refunds().length
  for (const day of [2, 4, 8]) await submit(day * DAY)
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  fake.faults.push('refuse')
  await submit(15 * DAY)
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  fake.failRefunds(attempt)
  await submit(36 * DAY)
  expect(await order(id)).toMatchObject({ status: 'processing', refunded_minor: '0' })
  expect(fake.refunds()).toHaveLength(sent)
})

test('a failure that is told many times at once is booked back once', async () => {
  const { id, attempt } = await bought(1_030n)
  await askAllBack(id)
  await submit()
  fake.failRefunds(attempt)
  await submit(2 * DAY)
  await Promise.all(
    Array.from({ length: 8 }, (_, count) => noticed(attempt, `refund.failed.${count}`)),
  )
  expect(await order(id)).toMatchObject({ status: 'processing', refunded_minor: '0' })
  expect((await eventsOf(id)).filter((reason) => reason === 'refund_failed')).toHaveLength(1)
})

test('money that paid for nothing and came back to the provider is held again; more of it buys nothing', async () => {
  const { id, number, attempt, item } = await bought(400n)
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  await submit()
  expect(await order(id)).toMatchObject({ status: 'refunded', hold: null })
  const held = await balance(HELD)
  fake.failRefunds(attempt)
  await noticed(attempt, 'refund.failed')
  expect(await order(id)).toMatchObject({
    status: 'processing',
    refunded_minor: '0',
    settled_at: null,
  })
  expect(await balance(HELD)).toBe(held + 400n)
  fake.pay(attempt, usd(630n))
  await checkPayment(database.ctx, services, attempt)
  expect(await order(id)).toMatchObject({ status: 'processing', settled_at: null })
  expect(await keysOf(item)).toEqual(['free'])
  await submit()
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  await submit()
  expect(await order(id)).toMatchObject({
    status: 'refunded',
    captured_minor: '1030',
    refunded_minor: '1030',
  })
  expect(await refusedOf(number)).toBe(0)
})

test('a surplus that came back leaves the order complete', async () => {
  const { id, number, attempt } = await bought(1_500n)
  await submit()
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '470' })
  fake.failRefunds(attempt)
  await noticed(attempt, 'refund.failed')
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '0' })
  expect(await refusedOf(number)).toBe(1)
  const [open] = await listForOperators(database.ctx.db, 1)
  await repeatRefund(asOperator(database.ctx), open?.refund ?? '', 'original')
  await submit()
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '470' })
})

test('what a bank took after delivery and gives back is no loss any more, and the order stands as before', async () => {
  const { id, number, attempt, accountId } = await bought(1_030n)
  const before = await balance(LOSSES)
  const { public_id: unit } = await database.ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  fake.set(attempt, { isDisputed: true })
  await noticed(attempt, 'disputed')
  fake.set(attempt, { isDisputed: false, reversed: usd(1_030n) })
  await noticed(attempt, 'lost')
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  expect(await balance(LOSSES)).toBe(before - 1_030n)
  // While the bank looks at it once more nothing has come back.
  fake.set(attempt, { isDisputed: true, reversed: null })
  await noticed(attempt, 'opened anew')
  expect(await balance(LOSSES)).toBe(before - 1_030n)
  fake.set(attempt, { isDisputed: false })
  await noticed(attempt, 'won')
  await noticed(attempt, 'won again')
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '0', hold: null })
  expect(await balance(LOSSES)).toBe(before)
  expect(
    await database.ctx.db
      .selectFrom('service_case')
      .select('status')
      .where('order_id', '=', id)
      .execute(),
  ).not.toContainEqual({ status: 'open' })
  expect(await refusedOf(number)).toBe(0)
  expect(await revealKey(database.ctx, testVault, { unit, accountId, network: '' })).toHaveProperty(
    'code',
  )
  fake.set(attempt, { reversed: usd(1_030n) })
  await noticed(attempt, 'lost at last')
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  expect(await balance(LOSSES)).toBe(before - 1_030n)
})

test('what a bank gives back in part is booked back in part', async () => {
  const { id, attempt } = await bought(1_030n)
  const before = await balance(LOSSES)
  fake.set(attempt, { reversed: usd(1_030n) })
  await noticed(attempt, 'lost')
  fake.set(attempt, { reversed: usd(300n) })
  await noticed(attempt, 'won in part')
  expect(await order(id)).toMatchObject({ status: 'completed', refunded_minor: '300' })
  expect(await balance(LOSSES)).toBe(before - 300n)
})

test('goods that were kept back when the bank took the money are owed again: by hand, or as soon as a key is there', async () => {
  const byHand = await bought(1_030n, { delivery: 'direct_charge' })
  const before = await balance(ORDERS)
  for (const reversed of [usd(1_030n), null]) {
    fake.set(byHand.attempt, { reversed })
    await noticed(byHand.attempt, reversed ? 'lost' : 'won')
  }
  expect(await order(byHand.id)).toMatchObject({
    status: 'waiting_for_shipment',
    refunded_minor: '0',
  })
  expect(await unitsOf(byHand.id)).toEqual(['queued'])
  expect(await balance(ORDERS)).toBe(before)

  const short = await shortOrder()
  for (const reversed of [usd(1_030n), null]) {
    fake.set(short.attempt, { reversed })
    await noticed(short.attempt, reversed ? 'lost' : 'won')
  }
  expect(await order(short.id)).toMatchObject({
    status: 'processing',
    hold: 'out_of_stock',
    refunded_minor: '0',
  })
  await stock(database.ctx, short.item, 'L', 1)
  await retryShortOrders(database.ctx)
  expect(await order(short.id)).toMatchObject({ status: 'completed', hold: null })
  expect((await eventsOf(short.id)).slice(-2)).toEqual(['reversal_undone', 'restocked'])
})

/** A paid card whose key went missing before it was delivered. */
async function shortOrder() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  const { id: attempt } = await beginPaying(database.ctx, services, made, { feeMinor: 30n })
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'free', unit_id: null, claimed_at: null })
    .where('item', '=', item.id)
    .execute()
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('item', '=', item.id)
    .execute()
  fake.pay(attempt, usd(1_030n))
  await checkPayment(database.ctx, services, attempt)
  return { ...made, item, attempt }
}

test('held money that a bank took and gives back goes on to its payer', async () => {
  const { id, attempt } = await bought(400n)
  fake.set(attempt, { reversed: usd(400n) })
  await noticed(attempt, 'lost')
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  fake.set(attempt, { reversed: null })
  await noticed(attempt, 'won')
  await submit()
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '400' })
  expect((await eventsOf(id)).slice(-3)).toEqual([
    'reversal_undone',
    'paid_after_refund',
    'refunded',
  ])
  expect(fake.kept('USD') >= 0n).toBe(true)
})

test('a bank that took twice beyond what was left, and gives both back, leaves no loss', async () => {
  const { id, number, attempt } = await bought(1_030n)
  await askAllBack(id)
  await submit()
  const before = await balance(LOSSES)
  for (const minor of [500n, 1_030n]) {
    fake.set(attempt, { reversed: usd(minor) })
    await noticed(attempt, `lost ${minor}`)
  }
  expect(await balance(LOSSES)).toBe(before - 1_030n)
  fake.failRefunds(attempt)
  await noticed(attempt, 'refund.failed')
  // The money that came back is what the bank has: nothing is left to be given back again.
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '1030' })
  expect(await refusedOf(number)).toBe(0)
  fake.set(attempt, { reversed: null })
  await noticed(attempt, 'won')
  expect(await order(id)).toMatchObject({ status: 'processing', refunded_minor: '0' })
  expect(await balance(LOSSES)).toBe(before)
  expect(await refusedOf(number)).toBe(1)
})

test('what was told before a bank took the money gives nothing back', async () => {
  const { id, attempt } = await bought(1_030n)
  fake.set(attempt, { reversed: usd(1_030n) })
  await noticed(attempt, 'lost')
  const stale = { ...fake.of(attempt), reversed: null }
  await applyFacts(database.ctx, { id: attempt, provider: 'fake' }, stale)
  expect(await order(id)).toMatchObject({ status: 'refunded', refunded_minor: '1030' })
})

test('a provider that tells nothing of disputes any more changes none', async () => {
  const { id, attempt } = await bought(1_030n)
  fake.set(attempt, { reversed: usd(1_030n) })
  await noticed(attempt, 'lost')
  fake.set(attempt, { isDisputeUnknown: true, reversed: null })
  await noticed(attempt, 'silent')
  expect(await order(id)).toMatchObject({ status: 'refunded' })
  fake.set(attempt, { isDisputeUnknown: false, reversed: usd(1_030n) })
})

test.each(['accept', 'decline'] as const)(
  'a request that is open when the bank takes the money can be decided: %s',
  async (decision) => {
    const { id, attempt, publicId, accountId } = await bought(1_030n)
    const asked = await openCase(database.ctx, accountId, {
      kind: 'refund_request',
      order: publicId,
      units: null,
      reason: 'mistake',
      text: '',
      picture: null,
      destination: 'original',
    })
    fake.set(attempt, { isDisputed: true })
    await noticed(attempt, 'disputed')
    fake.set(attempt, { isDisputed: false, reversed: usd(1_030n) })
    await noticed(attempt, 'lost')
    expect(await order(id)).toMatchObject({ status: 'refunded' })
    const by = asOperator(database.ctx)
    if (decision === 'accept')
      expect(await acceptCase(by, asked, '')).toMatchObject({ amountMinor: 0n })
    else await declineCase(by, asked, '')
    expect(await order(id)).toMatchObject({ status: 'refunded', hold: null })
    const sent = fake.refunds().length
    await submit()
    expect(fake.refunds()).toHaveLength(sent)
    expect((await refused(acceptCase(by, asked, ''))).code).toBe('order_closed')
  },
)
