import { beforeAll, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { storeCreditOf } from '#features/base/ledger/rules.ts'
import { checkPayment, payOrder } from '#features/buying/payment/flows.ts'
import { startSession } from '#features/people/session/commands.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { getGuardedBalance } from '../../test/support/books.ts'
import { violations } from '../../test/support/buying.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { refused } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0',
  acceptLanguage: 'en',
}
const fake = createFakePayments('sandbox')
let shop: ShopSnapshot
let calls: PersonalCalls

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
  calls = createPersonalCalls({ ctx: database.ctx, snapshot: () => shop, services: testServices })
})

async function shopper() {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return { accountId, cookie: `${sessionCookieName(true)}=${token}` }
}

async function topUp(cookie: string, body: unknown, key?: string) {
  const params = new URLSearchParams({ lang: 'en', currency_code: 'USD' })
  const { status, envelope } = await calls.run({
    method: 'POST',
    path: 'order/create',
    params,
    body,
    cookieHeader: cookie,
    visitor,
    idempotencyKey: key,
  })
  return {
    status,
    ...(envelope as { code: number; data: { order: string; order_no: string; fields?: unknown } }),
  }
}

test('bought credit is there once it is paid, with no tax in it, and buys no credit itself', async () => {
  const { accountId, cookie } = await shopper()
  const made = await topUp(cookie, { credit: { amount: '50.00' } })
  expect(made).toMatchObject({ status: 200, code: 1 })
  const services = {
    providers: new Map([
      ['sandbox', fake.provider],
      ['store-credit', storeCreditPayments(database.ctx)],
    ]),
    publicUrl: 'https://shop.example',
  }
  const pay = (method: string) =>
    payOrder(database.ctx, services, shop, { order: made.data.order, accountId, method })
  expect(await refused(pay('store-credit'))).toMatchObject({ code: 'check_fields' })
  await pay('card')
  const order = await database.ctx.db
    .selectFrom('shop_order as o')
    .innerJoin('payment_attempt as p', 'p.order_id', 'o.id')
    .select(['o.id', 'o.goods_minor', 'o.tax_minor', 'p.id as attempt', 'p.amount_minor'])
    .where('o.public_id', '=', made.data.order)
    .executeTakeFirstOrThrow()
  expect(order).toMatchObject({ goods_minor: '5000', tax_minor: '0' })
  fake.pay(order.attempt, { minor: BigInt(order.amount_minor), currency: 'USD' })
  await checkPayment(database.ctx, services, order.attempt)
  await checkPayment(database.ctx, services, order.attempt)
  expect(await getGuardedBalance(database.ctx.db, storeCreditOf(accountId), 'USD')).toBe(5_000n)
  expect(await violations(database.ctx)).toEqual([])
})

test('the same key gives the same order, and another amount under it is refused', async () => {
  const { cookie } = await shopper()
  const first = await topUp(cookie, { credit: { amount: '5.00' } }, 'key-one')
  expect((await topUp(cookie, { credit: { amount: '5.00' } }, 'key-one')).data).toEqual(first.data)
  expect(await topUp(cookie, { credit: { amount: '6.00' } }, 'key-one')).toMatchObject({
    status: 409,
  })
})

test.each(['0.99', '1000.01', '-5', '0', '1.005', '1e3', '١٠', 'ten', '9'.repeat(30)])(
  'credit of %s is refused with what may be bought',
  async (amount) => {
    const { cookie } = await shopper()
    const { code, data } = await topUp(cookie, { credit: { amount } })
    expect(code).not.toBe(1)
    expect(JSON.stringify(data)).toContain('credit.amount')
    expect(JSON.stringify(data)).toContain('$1.00 to $1,000.00')
  },
)

test('credit comes alone, not with goods', async () => {
  const { cookie } = await shopper()
  for (const more of [{ cart: true }, { lines: [{ item: 'x', quantity: 1 }] }])
    expect(await topUp(cookie, { credit: { amount: '5.00' }, ...more })).toMatchObject({
      status: 422,
    })
})
