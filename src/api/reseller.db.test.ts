import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSelling, stopSelling } from '#features/goods/sale-stop/commands.ts'
import { placeOrder } from '#features/buying/checkout/commands.ts'
import {
  claimReference,
  revokeKey,
  rotateKey,
  tieOrder,
} from '#features/buying/reseller/commands.ts'
import { findKey } from '#features/buying/reseller/queries.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { resellerClient, sendSigned } from '../../test/support/reseller-client.ts'
import { makeReseller, openResellerShop } from '../../test/support/reseller-shop.ts'
import type { RunningShop } from '../../test/support/running-shop.ts'
import { VAPOUR_CARD } from '../../test/support/vapour-cards.ts'

const PACK = 'game:dragon-quarry:global:1200'
const database = useDatabase()
let shop: RunningShop
let ctx: Ctx

beforeAll(async () => {
  ;({ ctx, shop } = await openResellerShop(database, { mark: 'R', count: 30 }))
})
afterAll(() => shop.stop())

async function reseller(asked: Parameters<typeof makeReseller>[1] = {}) {
  const made = await makeReseller(ctx, asked)
  return { ...made, client: resellerClient(shop.origin, made.made) }
}

const wish = (reference: string, quantity = 1, more = {}) => ({
  reference,
  lines: [{ item: VAPOUR_CARD, quantity }],
  ...more,
})
const ordersOf = async (accountId: string) =>
  (
    await ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('account_id', '=', accountId)
      .execute()
  ).map(({ status }) => status)

test('a card is listed, quoted, bought from the balance once a reference, and its codes are handed over', async () => {
  const { accountId, client } = await reseller()
  const list = await client.get('catalogue')
  expect(list.code).toBe(1)
  expect(list.data['items']).toContainEqual(
    expect.objectContaining({
      item: VAPOUR_CARD,
      kind: 'giftcard',
      price: { amount: '19.00', currency: 'USD' },
    }),
  )
  expect(list.data['items']).toContainEqual(
    expect.objectContaining({
      item: PACK,
      kind: 'topup',
      fields: [expect.objectContaining({ key: 'user_id' })],
    }),
  )
  expect((await client.post('quote', { lines: wish('', 2).lines })).data).toMatchObject({
    total: { amount: '38.00', currency: 'USD' },
  })
  const made = await client.post('order', wish('ours-1', 2, { max_total: '38.00' }))
  expect(made).toMatchObject({
    code: 1,
    data: { result: 'done', is_paid: true, reference: 'ours-1' },
  })
  const again = await client.post('order', wish('ours-1', 2))
  expect(again.data).toEqual(made.data)
  expect((await client.get('order_status', { reference: 'ours-1' })).data).toEqual(made.data)
  expect(await ordersOf(accountId)).toEqual(['completed'])
  const keys = await client.post('keys', { reference: 'ours-1' })
  expect(keys.data['units']).toHaveLength(2)
  expect(JSON.stringify(keys.data)).toMatch(/"code":"R\d{11}"/)
  const looks = await ctx.db.selectFrom('key_access').select('purpose').execute()
  expect(looks).toEqual([{ purpose: 'reveal' }, { purpose: 'reveal' }])
  expect((await client.get('balance')).data).toEqual([{ amount: '962.00', currency: 'USD' }])
  expect(await violations(ctx)).toEqual([])
})

test('orders of a while are listed in pages, each once, as its status is told, and nobody else’s', async () => {
  const { client } = await reseller()
  const other = await reseller()
  const references = ['list-1', 'list-2', 'list-3']
  const from = new Date(Date.now() - 1_000).toISOString()
  for (const reference of references) await client.post('order', wish(reference))
  await client.post('order', wish('list-dear', 1, { max_total: '1.00' }))
  await other.client.post('order', wish('theirs-1'))
  const to = new Date(Date.now() + 1_000).toISOString()
  const first = await client.get('orders', { from, to, limit: '2' })
  expect(first.code).toBe(1)
  const second = await client.get('orders', {
    from,
    to,
    limit: '2',
    cursor: String(first.data['next']),
  })
  const told = [first, second].flatMap(({ data }) => data['orders'] as Record<string, unknown>[])
  expect(told.map(({ reference }) => reference)).toEqual(references)
  expect(second.data['next']).toBeNull()
  const { created, ...one } = told[0] ?? {}
  expect(Date.parse(String(created))).toBeGreaterThan(Date.parse(from))
  expect((await client.get('order_status', { reference: 'list-1' })).data).toEqual(one)
  expect((await client.get('orders', { from: to, to })).data['orders']).toEqual([])
  for (const bad of [{ from }, { from: 'yesterday', to }, { from, to, limit: '0' }])
    expect((await client.get('orders', bad)).code).toBe(422)
})

test('the same reference at once, many times, buys once; with other goods it is refused', async () => {
  const { accountId, client } = await reseller()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.post('order', wish('race'))),
  )
  // Who came while it was being ordered is told so, and hears how it went when asking again.
  expect(answers.filter(({ code }) => code !== 1 && code !== 409)).toEqual([])
  expect((await client.post('order', wish('race'))).data).toMatchObject({ result: 'done' })
  expect(await ordersOf(accountId)).toEqual(['completed'])
  expect((await client.post('order', wish('race', 2))).code).toBe(409)
})

test('what cannot be bought buys nothing, leaves no unpaid order, and says the same again', async () => {
  const { accountId, client } = await reseller({ credit: 1_000n })
  expect((await client.post('order', wish('poor'))).code).toBe(2420)
  expect((await client.post('order', wish('poor'))).code).toBe(2420)
  expect((await client.get('order_status', { reference: 'poor' })).data).toMatchObject({
    result: 'failed',
    failure: { code: 2420, reason: 'insufficient_credit' },
  })
  expect(await ordersOf(accountId)).toEqual(['cancelled'])
  expect((await client.post('order', wish('dear', 1, { max_total: '18.99' }))).code).toBe(2435)
  expect((await client.get('order_status', { reference: 'dear' })).code).toBe(404)
  expect(
    (
      await client.post('order', {
        reference: 'x',
        lines: [{ item: 'card:no:such:1', quantity: 1 }],
      })
    ).code,
  ).toBe(2422)
  expect(
    (
      await client.post('order', {
        reference: 'x',
        lines: [{ item: PACK, quantity: 1, fields: { user_id: 'abc' } }],
      })
    ).data,
  ).toMatchObject({
    fields: [{ field: 'lines.0.fields.user_id' }],
  })
  expect((await client.post('order', { lines: [] })).status).toBe(422)
})

test('what is stopped a reseller cannot buy and keeps the money; once it is sold again it can be bought', async () => {
  const { accountId, client } = await reseller()
  const what = { kind: 'shelf', code: VAPOUR_CARD } as const
  await stopSelling(asOperator(ctx), what, 'Codes are reported faulty.')
  // By what is in memory, or before that is read by the database.
  expect([2422, 2446]).toContain((await client.post('order', wish('stopped'))).code)
  expect(await ordersOf(accountId)).toEqual([])
  expect((await client.get('balance')).data).toEqual([{ amount: '1000.00', currency: 'USD' }])
  await startSelling(asOperator(ctx), what)
  let asked = 0
  await expect
    .poll(async () => (await client.post('order', wish(`sold-${(asked += 1)}`))).code, {
      timeout: 60_000,
    })
    .toBe(1)
  expect(await violations(ctx)).toEqual([])
})

test('a key orders so much at once and in a day, within its scopes and from its networks', async () => {
  const { client } = await reseller({ orderMax: 3_800n, dayMax: 5_700n })
  expect((await client.post('order', wish('a', 3))).code).toBe(2441)
  expect((await client.post('order', wish('b', 2))).code).toBe(1)
  expect((await client.post('order', wish('c', 2))).code).toBe(2441)
  expect((await client.post('order', wish('d', 1))).code).toBe(1)
  const reader = await reseller({ scopes: ['browse'] })
  expect(await reader.client.post('order', wish('e'))).toMatchObject({
    status: 403,
    data: { scope: 'order' },
  })
  expect((await reader.client.get('catalogue', { limit: '1' })).code).toBe(1)
  const elsewhere = await reseller({ networks: ['203.0.113.0/24'] })
  expect((await elsewhere.client.get('balance')).status).toBe(401)
  const here = await reseller({ networks: ['203.0.113.0/24', '127.0.0.0/8'] })
  expect((await here.client.get('balance')).status).toBe(200)
})

test('a request is taken as it was signed, in time, once, while its key is in force', async () => {
  const { made } = await reseller()
  const request = { method: 'POST', target: '/api/reseller/order', body: JSON.stringify(wish('s')) }
  const sent = (more = {}, by = made) => sendSigned(shop.origin, by, request, more)
  const reason = async (answer: ReturnType<typeof sent>) => {
    const { status, data } = await answer
    return [status, data?.['reason']]
  }
  const at = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds)
  expect(await reason(sent({ body: JSON.stringify(wish('s', 9)) }))).toEqual([401, 'signature'])
  expect(await reason(sent({ signature: 'v1=00' }))).toEqual([401, 'signature'])
  expect(await reason(sent({}, { ...made, secret: 'lukado-key-guess' }))).toEqual([
    401,
    'signature',
  ])
  expect(await reason(sent({ timestamp: at(-180) }))).toEqual([401, 'timestamp'])
  expect(await reason(sent({ timestamp: at(180) }))).toEqual([401, 'timestamp'])
  expect(await reason(sent({ timestamp: 'now' }))).toEqual([401, 'timestamp'])
  expect(await reason(sent({ nonce: 'short' }))).toEqual([401, 'nonce'])
  expect(await reason(sent({ key: 'nobody-at-all' }))).toEqual([401, 'key'])
  expect((await sent({ nonce: 'once-and-no-more' })).status).toBe(200)
  expect(await reason(sent({ nonce: 'once-and-no-more' }))).toEqual([401, 'replay'])
  const rotated = await rotateKey(asOperator(ctx), made.key)
  expect((await sent()).status).toBe(200)
  expect((await sent({}, rotated)).status).toBe(200)
  await ctx.db
    .updateTable('reseller_key')
    .set({ former_until: new Date(0) })
    .where('public_id', '=', made.key)
    .execute()
  expect(await reason(sent())).toEqual([401, 'signature'])
  expect((await sent({}, rotated)).status).toBe(200)
  await revokeKey(asOperator(ctx), made.key)
  expect(await reason(sent({}, rotated))).toEqual([401, 'key'])
  expect(shop.log.join('')).not.toContain(made.secret)
})

test('what was refused counts nothing towards the day', async () => {
  const { accountId, client } = await reseller({ credit: 1_000n, orderMax: 5_700n, dayMax: 5_700n })
  expect((await client.post('order', wish('poor', 2))).code).toBe(2420)
  const email = `${accountId}@shop.example`
  await transaction(ctx, (tx) =>
    grantCredit(tx, ctx, { accountId, email, money: { minor: 9_000n, currency: 'USD' } }),
  )
  expect((await client.post('order', wish('rich', 2))).code).toBe(1)
  expect((await client.post('order', wish('more', 2))).code).toBe(2441)
})

test('a key of an account that is being closed is none', async () => {
  const { accountId, client } = await reseller()
  expect((await client.get('balance')).status).toBe(200)
  await ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: new Date(), erase_at: new Date() })
    .where('id', '=', accountId)
    .execute()
  expect(await client.get('balance')).toMatchObject({ status: 401, data: { reason: 'key' } })
  expect((await client.post('order', wish('closing'))).status).toBe(401)
  expect(await ordersOf(accountId)).toEqual([])
})

test('what changed since then is told, and all of it page by page', async () => {
  const { client } = await reseller()
  const first = await client.get('catalogue', { limit: '2' })
  const all: unknown[] = [...(first.data['items'] as unknown[])]
  for (let next = first.data['next']; typeof next === 'string'; ) {
    const page = await client.get('catalogue', { limit: '2', cursor: next })
    all.push(...(page.data['items'] as unknown[]))
    next = page.data['next']
  }
  const codes = all.map((item) => (item as { item: string }).item)
  expect(codes).toEqual([...new Set(codes)].toSorted())
  expect(codes.length).toBeGreaterThan(3)
  const since = String(first.data['as_of'])
  expect((await client.get('catalogue', { updated_since: since })).data['items']).toEqual([])
  await ctx.db
    .updateTable('item')
    .set({ updated_at: new Date() })
    .where('code', '=', PACK)
    .execute()
  expect((await client.get('catalogue', { updated_since: since })).data['items']).toMatchObject([
    { item: PACK },
  ])
  const { as_of: before } = (await client.get('catalogue', { limit: '2' })).data
  const changedSince = async () =>
    (await client.get('catalogue', { updated_since: String(before), limit: '200' })).data['items']
  await ctx.db
    .updateTable('item')
    .set({ own_prices: JSON.stringify({ EUR: '777' }) })
    .where('code', '=', PACK)
    .execute()
  expect(await changedSince()).toMatchObject([{ item: PACK }])
  await ctx.db
    .insertInto('margin_rule')
    .values({
      id: ctx.newId(),
      basis_points: 500,
      valid_from: new Date(),
      created_at: new Date(),
      created_by: 'test',
    })
    .execute()
  // A rule may change any price.
  expect(await changedSince()).toHaveLength(codes.length)
  expect(
    (await client.get('stock', { items: `${VAPOUR_CARD},card:no:such:1` })).data,
  ).toMatchObject([
    { item: VAPOUR_CARD, on_sale: true },
    { item: 'card:no:such:1', on_sale: false, stock: null, price: null },
  ])
})

test('cut off before it is ordered it is given up and can never be ordered; cut off before it is paid it is paid when asked again', async () => {
  const { accountId, made, client } = await reseller()
  const snapshot = await loadSnapshot(ctx.db, 1)
  const key = present(await findKey(ctx.db, made.key, '127.0.0.1', new Date()), 'the key')
  const currency = present(snapshot.currencyByCode.get('USD'), 'USD')
  const claim = (reference: string) =>
    claimReference(ctx, key, {
      reference,
      currency,
      lines: [{ item: VAPOUR_CARD, quantity: 1, fields: {} }],
      amountMinor: 1_900n,
      usdMinor: 1_900n,
    })
  const place = (reference: string) =>
    placeOrder(
      ctx,
      {
        shop: snapshot,
        person: { accountId, roleId: 0 },
        visitor: { address: '127.0.0.1', network: '127.0.0.0/24', userAgent: '' },
        chosenCountry: null,
        language: 'en',
        currency,
        idempotencyKey: `reseller:${reference}`,
        isForm: false,
      },
      { lines: [{ item: VAPOUR_CARD, quantity: 1, fields: {} }] },
    )
  const stateOf = async (reference: string) =>
    (await client.get('order_status', { reference })).data['result']

  const early = present(await claim('early'), 'a claim')
  expect(await stateOf('early')).toBe('accepted')
  expect((await client.post('order', wish('early'))).code).toBe(409)
  await ctx.db
    .updateTable('reseller_order')
    .set({ created_at: new Date(Date.now() - 120_000) })
    .where('id', '=', early)
    .execute()
  expect(await stateOf('early')).toBe('failed')
  // Whoever slept meanwhile ties its order to nothing, and pays nothing.
  expect(await tieOrder(ctx, early, (await place('early')).publicId)).toBe(false)

  const late = present(await claim('late'), 'a claim')
  expect(await tieOrder(ctx, late, (await place('late')).publicId)).toBe(true)
  expect(await stateOf('late')).toBe('accepted')
  expect((await client.post('order', wish('late'))).data).toMatchObject({ result: 'done' })
  expect(await violations(ctx)).toEqual([])
})

test('a network that is written with an address within it lets its addresses in', async () => {
  const within = await reseller({ networks: ['127.0.0.5/8', '::5/64'] })
  expect((await within.client.get('balance')).status).toBe(200)
  const outside = await reseller({ networks: ['203.0.113.5/24'] })
  expect((await outside.client.get('balance')).status).toBe(401)
})

test('a reseller pays what an account of their level does, and is shown it', async () => {
  const { accountId, client } = await reseller()
  const { id: item } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', VAPOUR_CARD)
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('item_level_price')
    .values({ item, level: 7, price_minor: 1_500n, price_currency: 'USD' })
    .execute()
  await ctx.db.updateTable('account').set({ role_id: 7 }).where('id', '=', accountId).execute()
  const price = { amount: '15.00', currency: 'USD' }
  expect((await client.get('stock', { items: VAPOUR_CARD })).data).toMatchObject([{ price }])
  expect((await client.post('quote', { lines: wish('').lines })).data).toMatchObject({
    total: price,
  })
  expect((await client.post('order', wish('level'))).data).toMatchObject({ result: 'done' })
  expect((await client.get('balance')).data).toEqual([{ amount: '985.00', currency: 'USD' }])
})
