import { afterEach, beforeAll, expect, test } from 'vitest'
import { atProvider } from '#features/base/ledger/rules.ts'
import {
  checkPayment,
  endOpenPayment,
  startPaying,
  sweepPayments,
} from '#features/buying/payment/flows.ts'
import { submitRefund, submitRefunds } from '#features/buying/refund/flows.ts'
import { getBalance, listRefunds } from '../../../../test/support/books.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { refused } from '../../../../test/support/people.ts'
import { bankTransfers, recordReceipt, recordReturn } from './commands.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying } from '../../../../test/support/paying.ts'

const database = useDatabase()
const CODE = 'bank-transfer'
const fake = createFakePayments()
const services = () => ({
  providers: new Map([
    [CODE, bankTransfers(database.ctx)],
    ['fake', fake.provider],
  ]),
  publicUrl: 'https://shop.example',
})
const later = (hours: number) => minutesLater(database.ctx, hours * 60)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const hoursLeft = async (id: string) =>
  Math.round(((await orderOf(id)).expires_at.getTime() - Date.now()) / 360_000) / 10

async function begun() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  const { redirectUrl } = await startPaying(database.ctx, services(), {
    order: made.publicId,
    accountId: made.accountId,
    provider: CODE,
    method: CODE,
    feeMinor: 0n,
  })
  return { ...made, redirectUrl }
}
async function received(orderNumber: string, minor: bigint, reference: string, currency = 'USD') {
  const answer = await recordReceipt(asOperator(database.ctx), {
    orderNumber,
    money: { minor, currency },
    reference,
  })
  await checkPayment(database.ctx, services(), answer.attemptId)
  return answer.isNew
}

test("the order lives for 72 hours and stays on the shop's own pages; the money completes it, entered twice or not", async () => {
  const order = await begun()
  expect([order.redirectUrl, await hoursLeft(order.id)]).toEqual([
    `https://shop.example/order/pay?order=${order.publicId}`,
    72,
  ])
  await sweepPayments(later(71), services())
  expect(await orderOf(order.id)).toMatchObject({ status: 'waiting_for_payment' })
  expect(await received(order.number, 1_000n, 'line-1')).toBe(true)
  expect(await received(order.number, 1_000n, 'line-1')).toBe(false)
  expect(await orderOf(order.id)).toMatchObject({ status: 'completed' })
  expect(await getBalance(database.ctx.db, atProvider(CODE), 'USD')).toBe(-1_000n)
})

test('a transfer takes nothing off the shelf for days, gives back what another method had reserved, and is refused once all is sold', async () => {
  const bound = async (id: string) =>
    (
      await database.ctx.db
        .selectFrom('card_key as k')
        .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
        .select('k.id')
        .where('u.order_id', '=', id)
        .execute()
    ).length
  const order = await begun()
  expect(await bound(order.id)).toBe(0)
  await endOpenPayment(database.ctx, services(), order.id)
  const start = (provider: string) =>
    beginPaying(database.ctx, services(), order, { provider, method: provider })
  await start('fake')
  expect(await bound(order.id)).toBe(1)
  await endOpenPayment(database.ctx, services(), order.id)
  await start(CODE)
  expect(await bound(order.id)).toBe(0)
  await endOpenPayment(database.ctx, services(), order.id)
  const short = await addItem(database.ctx)
  await stock(database.ctx, short, 'Q', 1)
  const two = await buy(database.ctx, [{ item: short, quantity: 2 }])
  const begin = beginPaying(database.ctx, services(), two, { provider: CODE, method: CODE })
  expect(await refused(begin)).toMatchObject({ code: 'out_of_stock' })
})

test('nothing came in 72 hours: the order expires; another method chosen before takes the long time back', async () => {
  const order = await begun()
  await sweepPayments(later(73), services())
  expect(await orderOf(order.id)).toMatchObject({ status: 'expired' })
  const other = await begun()
  await endOpenPayment(database.ctx, services(), other.id)
  await beginPaying(database.ctx, services(), other)
  expect(await hoursLeft(other.id)).toBeLessThan(0.3)
})

test("too little is held until the rest comes; a line is no other order's, and no other currency", async () => {
  const order = await begun()
  await received(order.number, 400n, 'part-1')
  expect(await orderOf(order.id)).toMatchObject({ status: 'processing', hold: 'underpaid' })
  expect(await refused(received(order.number, 401n, 'part-1'))).toMatchObject({ code: 'conflict' })
  expect(await refused(received(order.number, 600n, 'part-2', 'EUR'))).toMatchObject({
    code: 'conflict',
  })
  expect(await refused(received('0000000000000', 600n, 'part-2'))).toMatchObject({
    code: 'not_found',
  })
  await received(order.number, 600n, 'part-2')
  expect(await orderOf(order.id)).toMatchObject({ status: 'completed', hold: null })
})

test('money that is noted pays though whoever noted it never asks about it', async () => {
  const order = await begun()
  await endOpenPayment(database.ctx, services(), order.id)
  await sweepPayments(later(74), services())
  const noted = { orderNumber: order.number, money: usd(1_000n), reference: 'line-cut-off' }
  await recordReceipt(asOperator(database.ctx), noted)
  expect(await orderOf(order.id)).toMatchObject({ status: 'pending_payment' })
  await sweepPayments(database.ctx, services())
  expect(await orderOf(order.id)).toMatchObject({ status: 'completed' })
})

test('the same line entered by eight at once counts once', async () => {
  const order = await begun()
  const done = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      recordReceipt(asOperator(database.ctx), {
        orderNumber: order.number,
        money: usd(1_000n),
        reference: 'eight',
      }),
    ),
  )
  expect(done.filter((one) => one.status === 'fulfilled' && one.value.isNew)).toHaveLength(1)
  expect(done.every(({ status }) => status === 'fulfilled')).toBe(true)
})

test('too much goes back when an operator has sent it, and not before', async () => {
  const order = await begun()
  await received(order.number, 1_250n, 'much')
  await submitRefunds(database.ctx, services().providers)
  await submitRefunds(later(1), services().providers)
  const [refund] = await listRefunds(database.ctx.db, order.id)
  expect(refund).toMatchObject({ status: 'submitted', amountMinor: 250n })
  const { public_id: publicId } = await database.ctx.db
    .selectFrom('refund')
    .select('public_id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  expect(await recordReturn(asOperator(database.ctx), publicId)).toEqual(
    await recordReturn(asOperator(database.ctx), publicId),
  )
  await submitRefund(database.ctx, services().providers, refund?.id ?? '')
  expect(await listRefunds(database.ctx.db, order.id)).toMatchObject([{ status: 'succeeded' }])
  expect(await refused(recordReturn(asOperator(database.ctx), 'x'.repeat(22)))).toMatchObject({
    code: 'not_found',
  })
})
