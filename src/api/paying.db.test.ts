import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { paymentMethods } from '#features/goods/pay-method/schema.ts'
import { createAsking } from '#features/buying/payment/flows.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  buyCredit,
  stock,
  violations,
} from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { PASSWORD, PHONE, signedIn, somebody } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer } from './personal/run.ts'

const database = useDatabase()
const fake = createFakePayments()
const other = createFakePayments('other')
const providers = new Map([
  ['fake', fake.provider],
  ['other', other.provider],
  ['store-credit', createFakePayments('store-credit').provider],
])
const paying = { providers, publicUrl: 'https://shop.example' }
let shop: ShopSnapshot

beforeAll(async () => {
  await addCurrencies(database.ctx)
  const payMethods = paymentMethods.parse([
    { code: 'card', provider: 'fake', fee: { basis_points: 290, minor: 30 } },
    { code: 'qr', provider: 'other', fee: {}, min_usd_minor: null },
    { code: 'wallet', provider: 'other', min_usd_minor: 5_000 },
    { code: 'bank', provider: 'not-set-up' },
    { code: 'pix', provider: 'other', name: 'Pix', currencies: ['BRL'] },
  ])
  shop = { ...(await loadSnapshot(database.ctx.db, 1)), payMethods }
})
beforeEach(() => {
  fake.faults.length = 0
  other.faults.length = 0
})

interface Buyer {
  readonly order: string
  readonly id: string
  readonly accountId: string
  readonly cookie: string
  readonly handle: string
}

/** An order of one key at 10.00, with its buyer signed in. */
async function ordered({
  keys = 1,
  by = {} as { readonly accountId?: string },
} = {}): Promise<Buyer> {
  const item = await addItem(database.ctx)
  if (keys > 0) await stock(database.ctx, item, 'K', keys)
  const made = await buy(database.ctx, [{ item }], by)
  const { token, handle } = await signedIn(database.ctx, made.accountId)
  return { order: made.publicId, id: made.id, accountId: made.accountId, cookie: token, handle }
}

async function call(
  path: string,
  input: Record<string, unknown>,
  buyer: { readonly cookie?: string; readonly handle?: string } | null,
  { method = 'POST' as 'GET' | 'POST', ctx = database.ctx as Ctx } = {},
): Promise<PersonalAnswer> {
  const services = { ...testServices, payments: { ...paying, ask: createAsking(ctx, paying) } }
  const params = new URLSearchParams({
    lang: 'en',
    ...(buyer?.cookie === undefined && buyer?.handle ? { token: buyer.handle } : {}),
    ...(method === 'GET' ? (input as Record<string, string>) : {}),
  })
  const calls = createPersonalCalls({ ctx, snapshot: () => shop, services })
  return calls.run({
    method,
    path,
    params,
    body: method === 'POST' ? input : undefined,
    cookieHeader: buyer?.cookie ? `${sessionCookieName(true)}=${buyer.cookie}` : undefined,
    visitor: PHONE,
  })
}

const start = (buyer: Buyer, method: string, more: Record<string, unknown> = {}) =>
  call('pay/start', { order: buyer.order, method, ...more }, buyer)
const dataOf = <T = Record<string, unknown>>(answer: PersonalAnswer) => answer.envelope.data as T
const attempts = (buyer: Buyer) =>
  database.ctx.db
    .selectFrom('payment_attempt')
    .selectAll()
    .where('order_id', '=', buyer.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
const order = (buyer: Buyer) =>
  database.ctx.db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', buyer.id)
    .executeTakeFirstOrThrow()
const faults = (answer: PersonalAnswer) =>
  (dataOf<{ fields?: { field: string }[] } | null>(answer)?.fields ?? []).map(({ field }) => field)

test('ways to pay come with their fee and total, and with the reason where one cannot be chosen', async () => {
  const buyer = await ordered()
  const answer = await call('pay/methods', { order: buyer.order }, buyer, { method: 'GET' })
  expect(dataOf(answer)).toMatchObject({
    order: buyer.order,
    goods: { minor: '1000', text: '$10.00' },
    chosen: null,
    seconds_left: expect.any(Number),
    list: [
      {
        code: 'card',
        fee: { minor: '59' },
        total: { minor: '1059', text: '$10.59' },
        is_available: true,
        reason: null,
      },
      { code: 'qr', fee: { minor: '0' }, total: { minor: '1000' }, is_available: true },
      { code: 'wallet', is_available: false, reason: 'Minimum $50.00' },
      { code: 'store-credit', is_available: false, reason: 'Balance: $0.00' },
    ],
  })
})

test('a payment is begun with the fee worked out here, and the order owes the total', async () => {
  const buyer = await ordered()
  const answer = await start(buyer, 'card', { agree: true })
  const [attempt] = await attempts(buyer)
  expect(dataOf(answer)).toEqual({ redirect_url: `https://pay.example/${attempt?.id}` })
  expect(attempt).toMatchObject({
    provider: 'fake',
    method: 'card',
    amount_minor: '1059',
    fee_minor: '59',
    status: 'requires_action',
  })
  expect(await order(buyer)).toMatchObject({
    status: 'waiting_for_payment',
    fee_minor: '59',
    total_minor: '1059',
  })
  expect((await order(buyer)).waived_at).not.toBeNull()
})

test('the same method again leads to the same payment; another one ends it first', async () => {
  const buyer = await ordered()
  const first = dataOf(await start(buyer, 'card'))
  expect(dataOf(await start(buyer, 'card'))).toEqual(first)
  expect(dataOf(await start(buyer, 'qr'))).not.toEqual(first)
  expect((await attempts(buyer)).map(({ method, status }) => [method, status])).toEqual([
    ['card', 'voided'],
    ['qr', 'requires_action'],
  ])
  expect(await order(buyer)).toMatchObject({ fee_minor: '0', total_minor: '1000' })
})

test('a method is not changed once money is on its way', async () => {
  const buyer = await ordered()
  await start(buyer, 'card')
  const [attempt] = await attempts(buyer)
  fake.set(attempt?.id ?? '', { status: 'seen' })
  expect((await start(buyer, 'qr')).envelope.code).toBe(2423)
  expect(await attempts(buyer)).toHaveLength(1)
})

test('several windows at once open one payment', async () => {
  const buyer = await ordered()
  const answers = await Promise.all(Array.from({ length: 8 }, () => start(buyer, 'card')))
  expect(
    new Set(answers.map((answer) => dataOf<{ redirect_url: string }>(answer).redirect_url)).size,
  ).toBe(1)
  expect(await attempts(buyer)).toHaveLength(1)
})

test.each([
  ['an unknown method', { method: 'nothing' }, 2422, ['method']],
  ['a method whose provider is not set up', { method: 'bank' }, 2422, ['method']],
  ['a method that does not take the amount', { method: 'wallet' }, 2422, ['method']],
  ['a method of another currency', { method: 'pix' }, 2422, ['method']],
  ['credit that does not cover it', { method: 'store-credit' }, 2420, []],
  ['terms not agreed to', { method: 'card', agree: false }, 2422, ['agree']],
  ['an amount of the caller', { method: 'card', amount: '1' }, 422, ['amount']],
  [
    'a fee and a currency of the caller',
    { method: 'card', fee: 0, currency: 'JPY' },
    422,
    ['fee', 'currency'],
  ],
  ['no method', {}, 422, ['method']],
  ['a method of the wrong kind', { method: { $ne: '' } }, 422, ['method']],
  ['an endless method', { method: 'x'.repeat(5_000) }, 422, ['method']],
] as const)('%s is refused, and no payment is opened', async (_, body, code, fields) => {
  const buyer = await ordered()
  const answer = await call('pay/start', { order: buyer.order, ...body }, buyer)
  expect([answer.envelope.code, faults(answer)]).toEqual([code, fields])
  expect(await attempts(buyer)).toHaveLength(0)
})

test('orders of others, of nobody and without a session are not told apart, and not paid', async () => {
  const [buyer, stranger] = [await ordered(), await ordered()]
  for (const name of [buyer.order, 'pZ1xqk0bRk2v8k4y6c9w1A', '', "' or 1=1 --"]) {
    expect((await call('pay/start', { order: name, method: 'card' }, stranger)).status).toBe(404)
    expect((await call('pay/methods', { order: name }, stranger, { method: 'GET' })).status).toBe(
      404,
    )
    expect((await call('pay/status', { order: name }, stranger, { method: 'GET' })).status).toBe(
      404,
    )
  }
  expect((await call('pay/start', { order: buyer.order, method: 'card' }, null)).status).toBe(401)
  expect(await attempts(buyer)).toHaveLength(0)
})

test('an order whose time is over, that was cancelled or is paid cannot be paid', async () => {
  const late = await ordered()
  const now = new Date(Date.now() + 16 * 60_000)
  expect(
    (
      await call('pay/start', { order: late.order, method: 'card' }, late, {
        ctx: { ...database.ctx, now: () => now },
      })
    ).envelope.code,
  ).toBe(2423)
  const paid = await ordered()
  await start(paid, 'card')
  fake.pay((await attempts(paid))[0]?.id ?? '', { minor: 1_059n, currency: 'USD' })
  await call('pay/status', { order: paid.order }, paid, { method: 'GET' })
  expect((await start(paid, 'card')).envelope.code).toBe(2423)
  expect((await start(paid, 'qr')).envelope.code).toBe(2423)
  expect(await violations(database.ctx)).toEqual([])
})

test('goods that are gone are told before money is taken', async () => {
  const buyer = await ordered({ keys: 0 })
  const { item_code: item } = await database.ctx.db
    .selectFrom('order_line')
    .select('item_code')
    .where('order_id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  expect((await start(buyer, 'card')).envelope).toMatchObject({
    code: 2421,
    data: { lines: [{ line: 0, item }] },
  })
  expect(await attempts(buyer)).toHaveLength(0)
  expect((await order(buyer)).status).toBe('pending_payment')
})

test('a provider that refuses or cannot be reached leaves the order to be paid otherwise', async () => {
  const refused = await ordered()
  fake.faults.push('refuse')
  expect((await start(refused, 'card')).envelope.code).toBe(2425)
  expect((await attempts(refused))[0]?.status).toBe('failed')
  expect((await start(refused, 'qr')).envelope.code).toBe(1)

  const lost = await ordered()
  fake.faults.push('lost_request')
  expect((await start(lost, 'card')).envelope.code).toBe(2436)
  expect((await start(lost, 'card')).envelope.code).toBe(1)
  expect(await attempts(lost)).toHaveLength(1)
  fake.faults.push('lost_request')
  expect((await call('order/cancel', { order: lost.order }, lost)).envelope.code).toBe(2436)
  expect((await order(lost)).status).toBe('waiting_for_payment')
  expect(dataOf(await call('order/cancel', { order: lost.order }, lost))).toMatchObject({
    status: 'cancelled',
  })
  expect(await violations(database.ctx)).toEqual([])
})

test("a fault of the shop's own database is not put on the provider", async () => {
  const buyer = await ordered()
  await sql`create function cannot_be_written() returns trigger language plpgsql as $$ begin raise exception 'read-only'; end $$`.execute(
    database.ctx.db,
  )
  await sql`create trigger cannot_be_written before insert on payment_attempt for each row execute function cannot_be_written()`.execute(
    database.ctx.db,
  )
  expect((await start(buyer, 'card')).status).toBe(500)
  await sql`drop function cannot_be_written cascade`.execute(database.ctx.db)
  expect((await start(buyer, 'card')).envelope.code).toBe(1)
})

test('store credit is never bought by store credit', async () => {
  const made = await buyCredit(database.ctx)
  const { token } = await signedIn(database.ctx, made.accountId)
  const answer = await call(
    'pay/methods',
    { order: made.publicId },
    { cookie: token },
    { method: 'GET' },
  )
  expect(dataOf<{ list: { code: string }[] }>(answer).list.map(({ code }) => code)).not.toContain(
    'store-credit',
  )
  expect(
    faults(
      await call('pay/start', { order: made.publicId, method: 'store-credit' }, { cookie: token }),
    ),
  ).toEqual(['method'])
})

test('looking at the payment finds the money without any notice', async () => {
  const buyer = await ordered()
  const status = () => call('pay/status', { order: buyer.order }, buyer, { method: 'GET' })
  expect(dataOf(await status())).toMatchObject({
    payment: 'unpaid',
    method: null,
    is_payable: true,
    is_settled: false,
    redirect_url: null,
  })
  await start(buyer, 'card')
  const [attempt] = await attempts(buyer)
  expect(dataOf(await status())).toMatchObject({
    payment: 'waiting',
    method: 'card',
    is_payable: true,
    is_settled: false,
    total: { minor: '1059' },
    redirect_url: attempt?.redirect_url,
  })
  fake.set(attempt?.id ?? '', { status: 'seen' })
  expect(dataOf(await status())).toMatchObject({
    payment: 'confirming',
    is_payable: false,
    is_settled: false,
    redirect_url: null,
  })
  fake.pay(attempt?.id ?? '', { minor: 1_059n, currency: 'USD' })
  expect(dataOf(await status())).toMatchObject({
    payment: 'paid',
    status: 'completed',
    is_payable: false,
    is_settled: true,
  })
  expect(await violations(database.ctx)).toEqual([])
})

test('however often somebody looks, the provider is asked once in three seconds, and its next question is not put off', async () => {
  const buyer = await ordered()
  await start(buyer, 'card')
  const [attempt] = await attempts(buyer)
  let asked = 0
  const counting = {
    ...fake.provider,
    fetch: async (reference: string) => {
      asked += 1
      return fake.provider.fetch(reference)
    },
  }
  let now = Date.now()
  const ctx = { ...database.ctx, now: () => new Date(now) }
  const ask = createAsking(ctx, { providers: new Map([['fake', counting]]), publicUrl: '' })
  for (let look = 0; look < 30; look += 1) {
    await ask(attempt?.id ?? '')
    now += 500
  }
  expect(asked).toBe(5)
  expect((await attempts(buyer))[0]).toMatchObject({
    checks: attempt?.checks,
    check_at: attempt?.check_at,
  })
})

test('a provider that does not answer keeps nobody waiting', async () => {
  const buyer = await ordered()
  await start(buyer, 'card')
  const silent = { ...fake.provider, fetch: () => new Promise<never>(() => {}) }
  const ask = createAsking(database.ctx, { providers: new Map([['fake', silent]]), publicUrl: '' })
  // It ends at all: the service never does.
  await ask((await attempts(buyer))[0]?.id ?? '')
})

test('the token of an address spends no store credit without a proof in the call, and pays by card without', async () => {
  const { accountId } = await somebody(database.ctx)
  const credit = { accountId, money: { minor: 5_000n, currency: 'USD' }, email: 'a@b.example' }
  await transaction(database.ctx, (tx) => grantCredit(tx, database.ctx, credit))
  const buyer = await ordered({ by: { accountId } })
  const { order: publicId, handle } = buyer
  const pay = (method: string, more = {}) =>
    call('pay/start', { order: publicId, method, ...more }, { handle })
  expect((await pay('card')).envelope.code).toBe(1)
  expect((await pay('store-credit')).envelope.code).toBe(2403)
  expect((await pay('store-credit', { password: `${PASSWORD}x` })).envelope.code).toBe(2422)
  expect(await attempts(buyer)).toMatchObject([{ provider: 'fake', status: 'requires_action' }])
  expect((await pay('store-credit', { password: PASSWORD })).envelope.code).toBe(1)
  // The proof was for that call alone; a browser of the shop's own pages needs none.
  expect((await pay('store-credit')).envelope.code).toBe(2403)
  expect((await start(buyer, 'store-credit')).envelope.code).toBe(1)
})
