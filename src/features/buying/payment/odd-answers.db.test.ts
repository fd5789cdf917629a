import { afterEach, beforeAll, expect, test } from 'vitest'
import { expireDue } from '#features/buying/order/commands.ts'
import { returnHeldMoney } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { isAppError } from '#kernel/error.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { applyByRules, applyGivenBack } from './commands.ts'
import { checkPayment, startPaying } from './flows.ts'
import { getAttempt } from './queries.ts'

/** What providers tell that no plain payment does. Whatever they say, no money is made up, lost, or taken for another's. */
const database = useDatabase()
const fake = createFakePayments()
const services = {
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
}
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const usd = (minor: bigint) => ({ minor, currency: 'USD' })

async function begun(items?: readonly TestItem[]) {
  const own = items ?? [await addItem(database.ctx)]
  for (const item of own) await stock(database.ctx, item, 'K', 1)
  const made = await buy(
    database.ctx,
    own.map((item) => ({ item })),
  )
  // A request that is lost leaves an attempt that its provider has not named.
  await startPaying(database.ctx, services, {
    order: made.publicId,
    accountId: made.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  }).catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'payment_unreachable') throw error
  })
  const { id: attempt } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', made.id)
    .executeTakeFirstOrThrow()
  return { ...made, attempt }
}

const attemptOf = (id: string) => getAttempt(database.ctx.db, id)
const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'captured_minor', 'refunded_minor', 'settled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const reasonsOf = async (orderId: string) =>
  (
    await database.ctx.db
      .selectFrom('refund')
      .select(['reason', 'amount_minor'])
      .where('order_id', '=', orderId)
      .orderBy('created_at')
      .execute()
  ).map(({ reason, amount_minor: minor }) => [reason, minor])
const told = (attempt: string, change: Partial<ProviderPayment>): ProviderPayment => ({
  ...fake.of(attempt),
  ...change,
})

test('what is told of a payment with another name of ours changes nothing', async () => {
  const other = await begun()
  fake.faults.push('lost_request')
  const mine = await begun()
  expect((await attemptOf(mine.attempt)).reference).toBe(null)
  const answer = told(other.attempt, { status: 'captured', captured: usd(1_000n) })
  expect(await applyByRules(database.ctx, mine.attempt, answer)).toBe('not_ours')
  expect((await orderOf(mine.id)).status).toBe('waiting_for_payment')
})

test('"captured" without an amount is no word to act on: the payment stays open and is asked about', async () => {
  const { id, attempt } = await begun()
  const answer = told(attempt, { status: 'captured', captured: null })
  expect(await applyByRules(database.ctx, attempt, answer)).toBe('nothing_new')
  expect((await attemptOf(attempt)).status).toBe('requires_action')
  expect((await orderOf(id)).status).toBe('waiting_for_payment')
})

test('money of a second currency is not added to that of the first', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(400n))
  await checkPayment(database.ctx, services, attempt)
  const answer = told(attempt, { captured: { minor: 1_400n, currency: 'JPY' } })
  expect(await applyByRules(database.ctx, attempt, answer)).toBe('nothing_new')
  expect(await attemptOf(attempt)).toMatchObject({ capturedMinor: 400n, capturedCurrency: 'USD' })
  expect(await orderOf(id)).toMatchObject({ hold: 'underpaid', captured_minor: '400' })
})

test('a bank takes back no more than there was, and nothing in another currency', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_000n))
  await checkPayment(database.ctx, services, attempt)
  const inYen = told(attempt, { reversed: { minor: 700n, currency: 'JPY' } })
  expect(await applyByRules(database.ctx, attempt, inYen)).toBe('nothing_new')
  expect((await attemptOf(attempt)).reversedMinor).toBe(0n)
  const tooMuch = told(attempt, { reversed: usd(1_500n) })
  expect(await applyByRules(database.ctx, attempt, tooMuch)).toBe('changed')
  expect((await attemptOf(attempt)).reversedMinor).toBe(1_000n)
  expect(await orderOf(id)).toMatchObject({ captured_minor: '1000', refunded_minor: '1000' })
})

test('too little that comes late goes back, and waits for no rest', async () => {
  const { id, attempt } = await begun()
  const late = minutesLater(database.ctx, 20)
  fake.set(attempt, { status: 'expired' })
  await checkPayment(database.ctx, services, attempt)
  await expireDue(late)
  fake.pay(attempt, usd(400n))
  await checkPayment(late, services, attempt)
  expect((await orderOf(id)).hold).toBe(null)
  expect(await reasonsOf(id)).toEqual([['paid_too_late', '400']])
  await submitRefunds(late, services.providers)
  expect((await orderOf(id)).status).toBe('refunded')
})

test('more money after all of it was given back pays for nothing, and goes back too', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(400n))
  await checkPayment(database.ctx, services, attempt)
  await returnHeldMoney(database.ctx, id, 'paid_too_little')
  await submitRefunds(database.ctx, services.providers)
  expect((await orderOf(id)).status).toBe('refunded')
  fake.pay(attempt, usd(1_000n))
  await checkPayment(database.ctx, services, attempt)
  expect(await orderOf(id)).toMatchObject({ settled_at: null })
  expect(await reasonsOf(id)).toEqual([
    ['paid_too_little', '400'],
    ['paid_after_refund', '1000'],
  ])
})

test('late money that buys only a part of the goods keeps none of them back from others', async () => {
  const items = [await addItem(database.ctx), await addItem(database.ctx)]
  const { id, attempt } = await begun(items)
  fake.set(attempt, { status: 'expired' })
  await checkPayment(database.ctx, services, attempt)
  const late = minutesLater(database.ctx, 20)
  await expireDue(late)
  const [first, second] = items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('item', '=', second?.id ?? '')
    .execute()
  fake.pay(attempt, usd(2_000n))
  await checkPayment(late, services, attempt)
  expect(await reasonsOf(id)).toEqual([['out_of_stock', '2000']])
  const keys = await database.ctx.db
    .selectFrom('card_key')
    .select(['status', 'unit_id'])
    .where('item', '=', first?.id ?? '')
    .execute()
  expect(keys).toEqual([{ status: 'free', unit_id: null }])
})

test('a provider that cannot say whether a payment is disputed ends no dispute, and gives nothing back', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_000n))
  fake.set(attempt, { isDisputed: true, reversed: usd(1_000n) })
  await checkPayment(database.ctx, services, attempt)
  expect(await orderOf(id)).toMatchObject({ hold: 'disputed', refunded_minor: '1000' })
  const answer = told(attempt, { isDisputed: false, reversed: null, isDisputeUnknown: true })
  expect(await applyByRules(database.ctx, attempt, answer)).toBe('nothing_new')
  await applyGivenBack(database.ctx, await attemptOf(attempt), answer)
  expect(await orderOf(id)).toMatchObject({ hold: 'disputed', refunded_minor: '1000' })
})

test('an answer that is older than what a bank took since gives nothing back', async () => {
  const { id, attempt } = await begun()
  fake.pay(attempt, usd(1_000n))
  fake.set(attempt, { reversed: usd(400n) })
  await checkPayment(database.ctx, services, attempt)
  const [known, answer] = [await attemptOf(attempt), told(attempt, { reversed: null })]
  fake.set(attempt, { reversed: usd(1_000n) })
  await checkPayment(database.ctx, services, attempt)
  await applyGivenBack(database.ctx, known, answer)
  expect(await orderOf(id)).toMatchObject({ refunded_minor: '1000' })
})
