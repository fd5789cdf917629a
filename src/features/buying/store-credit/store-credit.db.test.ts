import { afterEach, beforeAll, expect, test } from 'vitest'
import { atProvider, PROMOTIONS, storeCreditOf } from '#features/base/ledger/rules.ts'
import { startPaying } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { transaction } from '#platform/ctx.ts'
import { getBalance, getGuardedBalance, listBalances } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { grantCredit, storeCreditPayments } from './commands.ts'

const database = useDatabase()
const services = () => ({
  providers: new Map([['store-credit', storeCreditPayments(database.ctx)]]),
  publicUrl: 'https://shop.example',
})
const CODE = 'store-credit'

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  // What was spent is booked: nothing stays in between. The books balance in every currency.
  expect(await getBalance(database.ctx.db, atProvider(CODE), 'USD')).toBe(0n)
  expect((await listBalances(database.ctx.db)).reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n)
})

const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status
const creditOf = (accountId: string, currency = 'USD') =>
  getGuardedBalance(database.ctx.db, storeCreditOf(accountId), currency)
const grant = (accountId: string, minor: bigint, currency = 'USD') =>
  transaction(database.ctx, (tx) =>
    grantCredit(tx, database.ctx, { accountId, money: { minor, currency }, email: 'a@b.example' }),
  )
const pay = ({ publicId, accountId }: { readonly publicId: string; readonly accountId: string }) =>
  startPaying(database.ctx, services(), {
    order: publicId,
    accountId,
    provider: CODE,
    method: CODE,
    feeMinor: 0n,
  })

async function rich(minor: bigint, currency?: string) {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  await grant(accountId, minor, currency)
  return accountId
}
async function ordered(accountId: string, known?: TestItem) {
  const item = known ?? (await addItem(database.ctx))
  if (!known) await stock(database.ctx, item, 'K', 1)
  return buy(database.ctx, [{ item }], { accountId })
}
const attemptOf = (id: string) =>
  database.ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'status'])
    .where('order_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('an order is paid in the moment the shopper says so, and its keys are delivered', async () => {
  const accountId = await rich(2_500n)
  const order = await ordered(accountId)
  expect(await pay(order)).toMatchObject({
    redirectUrl: `https://shop.example/order/pay?order=${order.publicId}`,
  })
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['completed', 1_500n])
  expect(await getBalance(database.ctx.db, PROMOTIONS, 'USD')).toBeLessThan(0n)
  const [entry] = await database.ctx.db
    .selectFrom('audit_log')
    .select(['action', 'subject'])
    .where('subject', '=', 'store_credit')
    .execute()
  expect(entry).toEqual({ action: 'grant', subject: 'store_credit' })
})

test('too little credit is said, takes nothing, and the order may be paid otherwise', async () => {
  const accountId = await rich(999n)
  const order = await ordered(accountId)
  expect(await refused(pay(order))).toMatchObject({ code: 'insufficient_credit' })
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['pending_payment', 999n])
  await grant(accountId, 1n)
  await pay(order)
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['completed', 0n])
})

test('credit of another currency cannot be spent', async () => {
  const accountId = await rich(100_000n, 'EUR')
  const order = await ordered(accountId)
  expect(await refused(pay(order))).toMatchObject({ code: 'insufficient_credit' })
  expect(await creditOf(accountId, 'EUR')).toBe(100_000n)
})

test('of 32 payments at once from credit for one, exactly one is taken', async () => {
  const accountId = await rich(1_500n)
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 32)
  // More open orders than one shopper may have: the limit is not what is looked at here.
  const orders = []
  for (let index = 0; index < 32; index += 1) {
    const order = await ordered(
      (await somebody(database.ctx, { withPassword: false })).accountId,
      item,
    )
    await database.ctx.db
      .updateTable('shop_order')
      .set({ account_id: accountId })
      .where('id', '=', order.id)
      .execute()
    orders.push({ ...order, accountId })
  }
  const done = await Promise.allSettled(orders.map(pay))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await creditOf(accountId)).toBe(500n)
  const statuses = await Promise.all(orders.map(({ id }) => statusOf(id)))
  expect(statuses.filter((status) => status === 'completed')).toHaveLength(1)
  expect(statuses.filter((status) => status === 'pending_payment')).toHaveLength(31)
})

test('the same payment is taken once, however often and at once it is asked for', async () => {
  const accountId = await rich(5_000n)
  const order = await ordered(accountId)
  const done = await Promise.allSettled(Array.from({ length: 32 }, () => pay(order)))
  expect(done.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['completed', 4_000n])
})

test('what was paid with credit goes back to it, once', async () => {
  const accountId = await rich(1_000n)
  const order = await ordered(accountId)
  await pay(order)
  const { refundId } = await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: null,
    destination: 'original',
    reason: 'wrong_item',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await submitRefunds(database.ctx, services().providers)
  const provider = storeCreditPayments(database.ctx)
  const request = {
    ourReference: refundId,
    paymentReference: (await attemptOf(order.id)).id,
    amount: { minor: 1_000n, currency: 'USD' },
  }
  await Promise.all([provider.refund(request), provider.refund(request)])
  expect(await provider.findRefund(request)).toMatchObject({ status: 'succeeded' })
  await expect(
    provider.refund({ ...request, amount: { minor: 2_000n, currency: 'USD' } }),
  ).rejects.toThrow('not_found')
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['refunded', 1_000n])
})
