import { expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { listSupplyOffers } from '#features/supply/routing/queries.ts'
import { noteCost, registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { createDetection } from '#features/supply/detection/flows.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { AccountCheck, SupplyOrder, SupplyProvider } from '#providers/supply/provider.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { violations } from '../../test/support/buying.ts'
import { smallCatalogue, writeFolder } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { payFor } from '../../test/support/paying.ts'
import { testServices } from '../../test/support/services.ts'
import { rechargeCountriesCall, rechargeOperators, rechargePlans } from './calls/recharge.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls } from './personal/run.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { present } from '#kernel/assert.ts'

const database = useDatabase()
const visitor = { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' }
const ANY = 'air:us-bell:any'
const NUMBER = '+12015550123'
let shop: ShopSnapshot

test('a catalogue brings an item that is sold at any amount', async () => {
  const goods = smallCatalogue()
  const [bell] = goods['operators/us.json'].operators
  bell?.products[0]?.items.push({
    code: ANY,
    kind: 'airtime',
    face: '10',
    free_amount: { min: '5', max: '50', step: '0.50' },
    price: '10.33',
  } as never)
  const { faults } = await importCatalogue(database.ctx, writeFolder(goods))
  expect(faults).toEqual([])
  shop = await loadSnapshot(database.ctx.db, 1)
  expect(shop.catalogue.productByCode.get('us-bell')?.items.at(-1)).toMatchObject({
    faceMinor: 1_000n,
    free: { minMinor: 500n, maxMinor: 5_000n, stepMinor: 50n },
  })
})

type Answer = { code: number; msg: string; data: never }

async function shopper() {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return { accountId, cookie: `${sessionCookieName(true)}=${token}` }
}

async function call(
  path: string,
  body: unknown,
  {
    cookie,
    lang = 'en',
    key,
    askOperator = testServices.askOperator,
    checkAccount = testServices.checkAccount,
    currency = 'USD',
  }: {
    cookie?: string
    lang?: LanguageCode
    key?: string
    askOperator?: typeof testServices.askOperator
    checkAccount?: typeof testServices.checkAccount
    currency?: string
  } = {},
) {
  const calls = createPersonalCalls({
    ctx: database.ctx,
    snapshot: () => shop,
    services: { ...testServices, askOperator, checkAccount },
  })
  const { envelope } = await calls.run({
    method: 'POST',
    path,
    params: new URLSearchParams({ lang, currency_code: currency }),
    body,
    cookieHeader: cookie,
    visitor,
    idempotencyKey: key,
  })
  return envelope as Answer
}

const fault = (answer: Answer) =>
  (answer.data as { fields?: { field: string; msg: string }[] } | null)?.fields?.[0]

const view = (currency = 'USD') => ({
  shop,
  language: 'en' as const,
  currency: present(shop.currencyByCode.get(currency), currency),
  t: translatorOf('en'),
  timeZone: 'UTC',
  publicUrl: 'https://shop.example',
  release: '0',
  payProviders: new Map() as never,
})

test('countries, operators and plans are told, with what the phone receives', async () => {
  expect(await rechargeCountriesCall.answer(view(), {})).toMatchObject({
    list: [{ code: 'US', dial_code: '+1', example: '2015550123', operators: 1 }],
  })
  expect(await rechargeOperators.answer(view(), { country: 'US' })).toMatchObject({
    list: [{ code: 'us-bell', is_portable: true, has_airtime: true, has_data: true }],
  })
  expect(await rechargeOperators.answer(view(), { country: '' })).toEqual({ list: [] })
  const { list } = await rechargePlans.answer(view(), { operator: 'us-bell', amount: '2550' })
  expect(
    list.map(({ item, value, megabytes, days }) => [item, value?.text, megabytes, days]),
  ).toEqual([
    ['air:us-bell:10', '$10', null, null],
    ['data:us-bell:500mb-1d', undefined, 500, 1],
    [ANY, '$25.50', null, null],
  ])
  // 10.33 for 10, so 26.3415 for 25.50: rounded once.
  expect(list[2]).toMatchObject({ price: { minor: '2634' }, amount: { step: { minor: '50' } } })
})

test.each([
  [undefined, 'required'],
  [499, 'Enter an amount from $5 to $50.'],
  [5_001, 'Enter an amount from $5 to $50.'],
  [525, 'Enter an amount in steps of $0.50, starting at $5.'],
] as const)('an amount of %s is refused at its field', async (amount, reason) => {
  const { cookie } = await shopper()
  const line = { item: ANY, quantity: 1, fields: { phone: NUMBER }, amount }
  for (const [path, body, field] of [
    ['cart/add', line, 'amount'],
    ['cart/check', line, 'amount'],
    ['order/create', { lines: [line] }, 'lines.0.amount'],
  ] as const) {
    const answer = await call(path, body, { cookie })
    expect(fault(answer)?.field).toBe(field)
    if (reason !== 'required') expect(fault(answer)?.msg).toBe(reason)
  }
  const german = await call('cart/add', line, { cookie, lang: 'de' })
  expect(fault(german)?.msg).not.toBe(reason)
})

test('goods that are what they are take no amount', async () => {
  const { cookie } = await shopper()
  const line = { item: 'air:us-bell:10', quantity: 1, fields: { phone: NUMBER }, amount: 1_000 }
  expect(fault(await call('cart/add', line, { cookie }))?.field).toBe('amount')
})

test('amounts make lines of their own, change, meet and are ordered at their share of the price', async () => {
  const { cookie, accountId } = await shopper()
  const line = (amount: number) => ({ item: ANY, quantity: 1, fields: { phone: NUMBER }, amount })
  await call('cart/add', line(2_550), { cookie })
  await call('cart/add', line(2_550), { cookie })
  const cart = await call('cart/add', line(500), { cookie })
  const { list } = cart.data as {
    list: { id: string; quantity: number; label: string; price: { minor: string } }[]
  }
  expect(list.map(({ quantity, label, price }) => [quantity, label, price.minor])).toEqual([
    [1, '$5', '517'],
    [2, '$25.50', '2634'],
  ])
  const small = present(list[0], 'a line').id
  const bad = await call('cart/update', { id: small, quantity: 1, amount: 501 }, { cookie })
  expect(fault(bad)?.field).toBe('amount')
  const larger = await call('cart/update', { id: small, quantity: 1, amount: 1_000 }, { cookie })
  expect((larger.data as { list: unknown[] }).list).toMatchObject([
    { label: '$10', price: { minor: '1033' } },
    { label: '$25.50' },
  ])
  // The same as another line is one with it.
  const met = await call('cart/update', { id: small, quantity: 1, amount: 2_550 }, { cookie })
  expect((met.data as { list: unknown[] }).list).toMatchObject([{ quantity: 3, label: '$25.50' }])

  const made = await call('order/create', { cart: true }, { cookie })
  expect(made.code).toBe(1)
  const stored = await database.ctx.db
    .selectFrom('order_line as l')
    .innerJoin('shop_order as o', 'o.id', 'l.order_id')
    .innerJoin('order_unit as u', 'u.line_id', 'l.id')
    .select(['l.amount_minor', 'l.amount_currency', 'l.price_minor', 'l.item', 'u.id'])
    .where('o.account_id', '=', accountId)
    .execute()
  expect(stored).toHaveLength(3)
  expect(stored[0]).toMatchObject({
    amount_minor: '2550',
    amount_currency: 'USD',
    price_minor: '2634',
  })
  // What is not paid comes back with its amount.
  const { order } = made.data as { order: string }
  await call('order/cancel', { order }, { cookie })
  const back = await call('cart/update', { id: 'none', quantity: 1 }, { cookie })
  expect(back.code).not.toBe(1)
  const again = await call('cart/add', line(2_550), { cookie })
  expect((again.data as { list: unknown[] }).list).toMatchObject([
    { quantity: 4, amount: { minor: '2550' } },
  ])
  expect(await violations(database.ctx)).toEqual([])
})

test('the same key with another amount is another request', async () => {
  const { cookie } = await shopper()
  const lines = (amount: number) => ({
    lines: [{ item: ANY, quantity: 1, fields: { phone: NUMBER }, amount }],
  })
  const first = await call('order/create', lines(500), { cookie, key: 'a' })
  expect(await call('order/create', lines(500), { cookie, key: 'a' })).toEqual(first)
  expect((await call('order/create', lines(550), { cookie, key: 'a' })).code).not.toBe(1)
})

test('a price in another currency is converted with its share, and rounded once', async () => {
  const { list } = await rechargePlans.answer(view('JPY'), { operator: 'us-bell', amount: '500' })
  const [whole] = (await rechargePlans.answer(view('JPY'), { operator: 'us-bell', amount: '1000' }))
    .list
  const five = BigInt(list[2]?.price?.minor ?? 0)
  expect(whole).toBeDefined()
  const { cookie } = await shopper()
  const line = { item: ANY, quantity: 1, fields: { phone: NUMBER }, amount: 500 }
  const cart = await call('cart/add', line, { cookie, currency: 'JPY' })
  expect((cart.data as { list: unknown[] }).list).toMatchObject([
    { price: { minor: five.toString(), currency: 'JPY' } },
  ])
})

test('a supplier is asked for the amount, at its share of what the face costs', async () => {
  const { ctx } = database
  const { cookie, accountId } = await shopper()
  await registerSuppliers(ctx, ['airtime'])
  const { id } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', ANY)
    .executeTakeFirstOrThrow()
  await setOffers(ctx, [
    {
      item: id,
      supplier: 'airtime',
      priority: 1,
      kind: 'recharge',
      product: '173',
      face: null,
      cost: { minor: 941n, currency: 'USD' },
      fields: { phone: 'msisdn' },
    },
  ])
  const lines = [{ item: ANY, quantity: 1, fields: { phone: NUMBER }, amount: 2_550 }]
  await call('order/create', { lines }, { cookie })
  const unit = await ctx.db
    .selectFrom('order_unit as u')
    .innerJoin('shop_order as o', 'o.id', 'u.order_id')
    .select(['u.id', 'u.price_minor'])
    .where('o.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const paid = { id: unit.id, item: id, priceMinor: BigInt(unit.price_minor) }
  const offers = () =>
    transaction(ctx, (tx) => listSupplyOffers(tx, paid, { currency: 'USD' }, ctx.now()))
  expect(await offers()).toMatchObject([
    { face: { minor: 2_550n, currency: 'USD' }, costMinor: 2_400n, costCurrency: 'USD' },
  ])
  // A dearer amount makes the face dearer, not as dear as the amount.
  await noteCost(ctx, id, 'airtime', {
    cost: { minor: 2_550n, currency: 'USD' },
    face: { minor: 2_550n, currency: 'USD' },
  })
  expect(await offers()).toMatchObject([{ costMinor: 2_550n }])
})

test('a phone that is not there is refused before it is paid for, whatever the amount', async () => {
  const { cookie, accountId } = await shopper()
  const checkAccount: typeof testServices.checkAccount = async () => ({
    state: 'invalid',
    fault: 'account',
    until: new Date(),
  })
  const line = { quantity: 1, fields: { phone: NUMBER } }
  const add = { ...line, item: ANY, amount: 2_550 }
  for (const each of [{ ...line, item: 'air:us-bell:10' }, add]) {
    const made = await call('order/create', { lines: [each] }, { cookie, checkAccount })
    expect(fault(made)).toMatchObject({ field: 'lines.0.fields.phone' })
  }
  await call('cart/add', add, { cookie })
  const fromCart = await call('order/create', { cart: true }, { cookie, checkAccount })
  expect(fault(fromCart)?.field).toMatch(/^lines\..+\.fields\.phone$/)
  const orders = database.ctx.db
    .selectFrom('shop_order')
    .select('id')
    .where('account_id', '=', accountId)
  expect(await orders.execute()).toEqual([])
})

function supplier(
  answer: (order: SupplyOrder) => Promise<AccountCheck>,
  ctx: Pick<Ctx, 'now'> = database.ctx,
) {
  let asked = 0
  const provider = {
    code: 'airtime',
    capabilities: { checksAccounts: true },
    validateAccount: (order: SupplyOrder) => {
      asked += 1
      return answer(order)
    },
  } as Partial<SupplyProvider> as SupplyProvider
  const askOperator = createDetection({ ...database.ctx, ...ctx }, new Map([['airtime', provider]]))
  return { askOperator, asked: () => asked }
}
const valid = (product: string | null): AccountCheck => ({
  kind: 'valid',
  displayName: null,
  token: null,
  expiresAt: null,
  product,
})

test('the operator is told by prefix at once, and by a supplier with where it is known from', async () => {
  const seen: SupplyOrder[] = []
  const { askOperator, asked } = supplier(async (order) => {
    seen.push(order)
    return valid('173')
  })
  const byPrefix = await call('recharge/detect', { number: NUMBER, ask: 'prefix' }, { askOperator })
  expect(byPrefix.data).toMatchObject({
    number: NUMBER,
    digits: 10,
    country: { code: 'US' },
    operator: { code: 'us-bell' },
    source: 'prefix',
    is_portable: true,
    recharged_minutes_ago: null,
  })
  expect(asked()).toBe(0)
  // No prefix of ours, in Arabic digits, without calling code.
  const moved = { number: '٣٠٥٥٥٥٠١٢٣', country: 'us' }
  const bySupplier = await call('recharge/detect', moved, { askOperator })
  expect(bySupplier.data).toMatchObject({
    number: '+13055550123',
    operator: { code: 'us-bell' },
    source: 'supplier',
  })
  expect(seen[0]).toMatchObject({ product: '', fields: { msisdn: '+13055550123' } })
  await call('recharge/detect', moved, { askOperator })
  expect(asked()).toBe(1)
})

test('whose a number is, is asked again after ten minutes, however often it was looked up meanwhile; sooner where nobody knew', async () => {
  let minutes = 0
  let product: string | null = '173'
  const { askOperator, asked } = supplier(async () => valid(product), {
    now: () => new Date(Date.UTC(2026, 10, 20) + minutes * 60_000),
  })
  const lookUp = async (at: number) => {
    minutes = at
    await call('recharge/detect', { number: '3055550123', country: 'us' }, { askOperator })
    return asked()
  }
  expect([await lookUp(0), await lookUp(6), await lookUp(9.9), await lookUp(10.1)]).toEqual([
    1, 1, 1, 2,
  ])
  product = null
  expect([await lookUp(21), await lookUp(21.4), await lookUp(21.6)]).toEqual([3, 3, 4])
})

test('a supplier that fails, hangs or does not know leaves it to the prefix', async () => {
  for (const answer of [
    async () => valid(null),
    async () => valid('unknown'),
    async () => ({ kind: 'unchecked', why: 'resting' }) as const,
    async () => Promise.reject(new Error('gone')),
    () => Promise.withResolvers<AccountCheck>().promise,
  ]) {
    const { askOperator } = supplier(answer)
    const { data } = await call('recharge/detect', { number: NUMBER }, { askOperator })
    expect(data).toMatchObject({ operator: { code: 'us-bell' }, source: 'prefix' })
  }
})

test.each([
  [{ number: '' }, 'number'],
  [{ number: '12' }, 'number'],
  [{ number: 'x', country: 'US' }, 'number'],
  [{ number: NUMBER, country: 'XX' }, 'country'],
])('%j is refused at its field', async (body, field) => {
  expect(fault(await call('recharge/detect', body))?.field).toBe(field)
})

const fake = createFakePayments()
const pay = (accountId: string, publicId: string) =>
  payFor(database.ctx, fake, { publicId, accountId })

test('a number recharged minutes ago is told of, to who did it alone, and may be recharged again', async () => {
  const { ctx } = database
  const { cookie, accountId } = await shopper()
  const lines = [{ item: ANY, quantity: 1, fields: { phone: NUMBER }, amount: 2_550 }]
  const made = await call('order/create', { lines }, { cookie })
  const detect = (who: string) => call('recharge/detect', { number: NUMBER }, { cookie: who })
  expect((await detect(cookie)).data).toMatchObject({ recharged_minutes_ago: null })
  await pay(accountId, (made.data as { order: string }).order)
  expect((await detect(cookie)).data).toMatchObject({ recharged_minutes_ago: 0 })
  const [line] = lines
  const cart = await call('cart/add', line, { cookie })
  expect((cart.data as { list: unknown[] }).list).toMatchObject([
    { state: 'ok', state_text: 'You recharged this number 1 minute ago.' },
  ])
  expect((await detect((await shopper()).cookie)).data).toMatchObject({
    recharged_minutes_ago: null,
  })
  const calls = createPersonalCalls({ ctx, snapshot: () => shop, services: testServices })
  const { envelope } = await calls.run({
    method: 'GET',
    path: 'recharge/history',
    params: new URLSearchParams({ lang: 'en', currency_code: 'USD' }),
    cookieHeader: cookie,
    visitor,
  })
  expect(envelope.data).toMatchObject({
    list: [
      {
        number: NUMBER,
        operator: { code: 'us-bell' },
        plan: { item: ANY, label: '$25.50', price: { minor: '2634' } },
      },
    ],
  })
})
