import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { acceptCase, openCase } from '#features/buying/after-sales/commands.ts'
import { atProvider, LOSSES, storeCreditOf } from '#features/base/ledger/rules.ts'
import { retryShortOrders } from '#features/buying/fulfilment/commands.ts'
import { refundByOperator, requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { withdrawBatch } from '#features/buying/vault/write/by-operator.ts'
import { listBatches, listOwnKeys } from '#features/buying/vault/queries.ts'
import { getBalance, getGuardedBalance, listRefunds } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  buyCredit,
  stock,
  violations,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { applyFacts, recordNotice } from './commands.ts'
import { checkPayment, settleNotices, startPaying } from './flows.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  providers: new Map([
    ['fake', fake.provider],
    ['store-credit', storeCreditPayments(database.ctx)],
  ]),
  publicUrl: 'https://shop.example',
})

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  expect(await getBalance(database.ctx.db, atProvider('fake'), 'USD')).toBe(-fake.kept('USD'))
})

const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'captured_minor', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const refundsOf = async (id: string) =>
  (await listRefunds(database.ctx.db, id)).map(({ purpose, status }) => `${purpose} ${status}`)
const unitsOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('order_unit')
      .select('status')
      .where('order_id', '=', id)
      .orderBy('unit_no')
      .execute()
  ).map(({ status }) => status)
const submit = (minutes = 0) =>
  submitRefunds(minutesLater(database.ctx, minutes), services().providers)

/** An order and its newest payment, which nobody has paid by now. */
async function begun(made: {
  readonly id: string
  readonly publicId: string
  readonly accountId: string
}): Promise<string> {
  await startPaying(database.ctx, services(), {
    order: made.publicId,
    accountId: made.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  return (
    await database.ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', made.id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
  ).id
}

async function bought({
  quantity = 1,
  minor = 1_000n * BigInt(quantity),
  delivery = 'card_key',
}: {
  readonly quantity?: number
  readonly minor?: bigint
  readonly delivery?: 'card_key' | 'direct_charge'
} = {}) {
  const item = await addItem(database.ctx, { delivery })
  if (delivery === 'card_key') await stock(database.ctx, item, 'K', quantity)
  const made = await buy(database.ctx, [{ item, quantity, delivery }])
  const attempt = await begun(made)
  fake.pay(attempt, usd(minor))
  await checkPayment(database.ctx, services(), attempt)
  return { ...made, item, attempt }
}

/** As a provider tells it, by a notice of its own; nobody has handed refunds over since. */
async function told(attempt: string, change: Parameters<typeof fake.set>[1]): Promise<void> {
  fake.set(attempt, change)
  await recordNotice(
    database.ctx,
    'fake',
    { eventId: randomUUID(), kind: 'changed', paymentReference: fake.of(attempt).reference },
    Buffer.from('{}'),
  )
  await settleNotices(database.ctx, services())
}

const askBack = (
  orderId: string,
  destination: 'original' | 'store_credit' = 'original',
  unitIds: readonly string[] | null = null,
) =>
  requestRefund(database.ctx, {
    orderId,
    unitIds,
    destination,
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })

test.each(['original', 'store_credit'] as const)(
  'a refund to %s waits while its payment is disputed, and goes on by itself when that is won',
  async (destination) => {
    const { id, attempt } = await bought()
    await told(attempt, { isDisputed: true })
    await askBack(id, destination)
    await submit()
    await submit(24 * 60)
    expect(await refundsOf(id)).toEqual(['goods requested'])
    await told(attempt, { isDisputed: false })
    await submit()
    expect(await refundsOf(id)).toEqual(['goods succeeded'])
    expect(await orderOf(id)).toMatchObject({ status: 'refunded', hold: null })
  },
)

test.each(['original', 'store_credit'] as const)(
  'a refund to %s that was asked for before the dispute ends with it where that is lost: nothing goes back twice',
  async (destination) => {
    const { id, attempt, accountId } = await bought()
    const losses = await getBalance(database.ctx.db, LOSSES, 'USD')
    await askBack(id, destination)
    await told(attempt, { isDisputed: true })
    await submit()
    await told(attempt, { isDisputed: false, reversed: usd(1_000n) })
    await submit(24 * 60)
    expect(await refundsOf(id)).toEqual(['goods rejected', 'reversal succeeded'])
    expect(await unitsOf(id)).toEqual(['delivered'])
    expect(await orderOf(id)).toMatchObject({ status: 'refunded', refunded_minor: '1000' })
    expect(await getGuardedBalance(database.ctx.db, storeCreditOf(accountId), 'USD')).toBe(0n)
    expect(await getBalance(database.ctx.db, LOSSES, 'USD')).toBe(losses - 1_000n)

    // The bank changes its mind: the goods are paid for again.
    await told(attempt, { reversed: null })
    expect(await orderOf(id)).toMatchObject({ status: 'completed', refunded_minor: '0' })
  },
)

test('what is taken in part ends the newest of the refunds that no longer fit, and no other', async () => {
  const { id, attempt } = await bought({ quantity: 3, delivery: 'direct_charge' })
  const units = (
    await database.ctx.db.selectFrom('order_unit').select('id').where('order_id', '=', id).execute()
  ).map((unit) => unit.id)
  await told(attempt, { isDisputed: true })
  for (const unit of units) await askBack(id, 'original', [unit])
  await told(attempt, { isDisputed: false, reversed: usd(600n) })
  for (const minutes of [0, 60, 120]) await submit(minutes)
  expect(await refundsOf(id)).toEqual([
    'goods succeeded',
    'goods succeeded',
    'goods rejected',
    'reversal succeeded',
  ])
  expect((await unitsOf(id)).toSorted()).toEqual(['queued', 'refunded', 'refunded'])
  expect(fake.refunds().slice(-2)).toEqual([usd(1_000n), usd(1_000n)])
})

test('money that is too much, and disputed as it comes, waits: the goods are held, and nothing is sent back', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  const attempt = await begun(made)
  fake.pay(attempt, usd(1_500n))
  await told(attempt, { isDisputed: true })
  await submit(60)
  expect(await refundsOf(made.id)).toEqual(['surplus requested'])
  expect(await orderOf(made.id)).toMatchObject({ status: 'processing', hold: 'disputed' })
  const { keys } = await listOwnKeys(database.ctx.db, made.accountId, { page: 1, limit: 9 })
  expect(keys.map(({ isWithheld }) => isWithheld)).toEqual([true])
  await told(attempt, { isDisputed: false })
  await submit()
  expect(await refundsOf(made.id)).toEqual(['surplus succeeded'])
  expect(await orderOf(made.id)).toMatchObject({ status: 'completed', hold: null })
})

test('of two payments one is disputed: the other one is given back, and tells nothing of the dispute', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  const first = await begun(made)
  fake.set(first, { status: 'failed' })
  await checkPayment(database.ctx, services(), first)
  const second = await begun(made)
  fake.pay(second, usd(1_000n))
  await checkPayment(database.ctx, services(), second)
  // The first one had been paid all the same, and is disputed.
  fake.pay(first, usd(1_000n))
  await told(first, { isDisputed: true })
  await told(second, {})
  expect(await orderOf(made.id)).toMatchObject({ status: 'processing', hold: 'disputed' })
  await askBack(made.id)
  await submit()
  expect(await refundsOf(made.id)).toEqual(['surplus requested', 'goods succeeded'])

  // Both, now: the end of one is not that of the other.
  await told(second, { isDisputed: true })
  await told(first, { isDisputed: false })
  expect(await orderOf(made.id)).toMatchObject({ hold: 'disputed' })
  await submit()
  expect(await refundsOf(made.id)).toEqual(['surplus succeeded', 'goods succeeded'])
  await told(second, { isDisputed: false })
  expect(await orderOf(made.id)).toMatchObject({ status: 'refunded', hold: null })
})

test('an order that waits for a key gets none while its payment is disputed, whatever it is held for', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'B', 1)
  const made = await buy(database.ctx, [{ item }])
  const attempt = await begun(made)
  const [batch] = await listBatches(database.ctx.db, item.code, 9)
  await withdrawBatch(asOperator(database.ctx), batch?.id ?? '')
  fake.pay(attempt, usd(1_000n))
  await checkPayment(database.ctx, services(), attempt)
  expect(await orderOf(made.id)).toMatchObject({ hold: 'out_of_stock' })
  await told(attempt, { isDisputed: true })
  await stock(database.ctx, item, 'G', 1)
  await retryShortOrders(database.ctx)
  await retryShortOrders(minutesLater(database.ctx, 7 * 24 * 60))
  expect(await unitsOf(made.id)).toEqual(['queued'])
  expect(await refundsOf(made.id)).toEqual([])
  await told(attempt, { isDisputed: false })
  await retryShortOrders(database.ctx)
  expect(await orderOf(made.id)).toMatchObject({ status: 'completed', hold: null })
})

test('a request is not agreed to while the payment is disputed, whatever the order is held for', async () => {
  const { id, publicId, accountId, attempt } = await bought({ delivery: 'direct_charge' })
  const asked = await openCase(database.ctx, accountId, {
    kind: 'refund_request',
    order: publicId,
    units: null,
    reason: 'mistake',
    text: '',
    picture: null,
    destination: 'original',
  })
  await told(attempt, { isDisputed: true })
  expect(await refused(acceptCase(asOperator(database.ctx), asked, ''))).toMatchObject({
    code: 'order_closed',
  })
  await told(attempt, { isDisputed: false })
  expect(await orderOf(id)).toMatchObject({ hold: 'refund_requested' })
  await acceptCase(asOperator(database.ctx), asked, '')
  await submit()
  expect(await refundsOf(id)).toEqual(['goods succeeded'])
})

test('what somebody was told before a dispute began does not end it', async () => {
  const { id, attempt } = await bought()
  const before = fake.of(attempt)
  await told(attempt, { isDisputed: true })
  await applyFacts(database.ctx, { id: attempt, provider: 'fake' }, before)
  expect(await orderOf(id)).toMatchObject({ hold: 'disputed' })
})

test('a refund whose answer was lost is not sent anew while its payment is disputed, nor when that is lost', async () => {
  const { id, attempt } = await bought()
  await askBack(id)
  fake.faults.push('lost_request')
  await submit()
  expect(await refundsOf(id)).toEqual(['goods unknown'])
  await told(attempt, { isDisputed: true })
  await submit(60)
  expect(await refundsOf(id)).toEqual(['goods unknown'])
  await told(attempt, { isDisputed: false, reversed: usd(1_000n) })
  await submit(24 * 60)
  expect(await refundsOf(id)).toEqual(['goods failed'])
})

test('credit is frozen for the payment that gave it, and for no other of its order', async () => {
  const made = await buyCredit(database.ctx)
  const first = await begun(made)
  fake.set(first, { status: 'failed' })
  await checkPayment(database.ctx, services(), first)
  const second = await begun(made)
  fake.pay(second, usd(1_000n))
  await checkPayment(database.ctx, services(), second)
  fake.pay(first, usd(1_000n))
  const frozen = async () =>
    (
      await database.ctx.db
        .selectFrom('order_unit')
        .select(({ fn, val }) =>
          fn<string>('spendable_credit', [val(made.accountId), val('USD')]).as('spendable'),
        )
        .limit(1)
        .executeTakeFirstOrThrow()
    ).spendable
  await told(first, { isDisputed: true })
  expect(await frozen()).toBe('1000')
  await told(second, { isDisputed: true })
  expect(await frozen()).toBe('0')
  await told(first, { isDisputed: false })
  expect(await frozen()).toBe('0')
  await told(second, { isDisputed: false })
  expect(await frozen()).toBe('1000')
})

test('the database sends nothing out for money that is disputed, or gone', async () => {
  const { id, number, attempt } = await bought()
  await told(attempt, { isDisputed: true })
  const { refundId } = await refundByOperator(asOperator(database.ctx), {
    orderNumber: number,
    units: null,
    destination: 'original',
    reason: 'goodwill',
  })
  const send = async (to: 'approved' | 'submitted') => {
    await database.ctx.db
      .updateTable('refund')
      .set({ status: to })
      .where('id', '=', refundId)
      .execute()
  }
  await send('approved')
  await expect(send('submitted')).rejects.toMatchObject({ constraint: 'refund_not_disputed' })
  await told(attempt, { isDisputed: false })
  await database.ctx.db
    .updateTable('payment_attempt')
    .set({ reversed_minor: '1' })
    .where('id', '=', attempt)
    .execute()
  await expect(send('submitted')).rejects.toMatchObject({ constraint: 'refund_is_covered' })
  await database.ctx.db
    .updateTable('payment_attempt')
    .set({ reversed_minor: '0' })
    .where('id', '=', attempt)
    .execute()
  await submit(60)
  expect(await refundsOf(id)).toEqual(['goods succeeded'])
})

test('a dispute that the release before has noted is one of its payment, and so is its end', async () => {
  const { id, attempt } = await bought()
  const { public_id: payment } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('public_id')
    .where('id', '=', attempt)
    .executeTakeFirstOrThrow()
  const note = (reason: string, details: object) =>
    database.ctx.db
      .insertInto('order_event')
      .values({
        id: randomUUID(),
        order_id: id,
        at: database.ctx.now(),
        actor: 'system',
        request_id: 'r',
        from_status: 'completed',
        to_status: 'completed',
        reason,
        details: JSON.stringify(details),
      })
      .execute()
  const isDisputed = async () =>
    (
      await database.ctx.db
        .selectFrom('payment_attempt')
        .select('is_disputed')
        .where('id', '=', attempt)
        .executeTakeFirstOrThrow()
    ).is_disputed
  await note('disputed', { payment })
  expect(await isDisputed()).toBe(true)
  await note('dispute_over', {})
  expect(await isDisputed()).toBe(false)
})
