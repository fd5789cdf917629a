import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundByOperator } from '#features/buying/refund/commands.ts'
import { type Ctx } from '#platform/ctx.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { signedIn, somebody } from '../../test/support/people.ts'
import { resellerClient, sendSigned } from '../../test/support/reseller-client.ts'
import { makeReseller, openResellerShop } from '../../test/support/reseller-shop.ts'
import type { RunningShop } from '../../test/support/running-shop.ts'
import { VAPOUR_CARD } from '../../test/support/vapour-cards.ts'
import { sessionCookieName } from './personal/cookies.ts'

const PACK = 'game:dragon-quarry:global:1200'
const database = useDatabase()
let shop: RunningShop
let ctx: Ctx

beforeAll(async () => {
  ;({ ctx, shop } = await openResellerShop(database, { mark: 'R', count: 40 }))
}, 120_000)
afterAll(() => shop.stop())

async function reseller(dayMax = 100_000n, credit = 100_000n) {
  const made = await makeReseller(ctx, { orderMax: dayMax, dayMax, credit })
  return { ...made, client: resellerClient(shop.origin, made.made) }
}

test('of many orders at once only as many are made as the day allows', async () => {
  const { accountId, client } = await reseller(5_700n)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      client.post('order', {
        reference: `at-once-${at}`,
        lines: [{ item: VAPOUR_CARD, quantity: 1 }],
      }),
    ),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    1,
    1,
    1,
    ...Array.from({ length: 9 }, () => 2441),
  ])
  const orders = ctx.db
    .selectFrom('shop_order')
    .select('status')
    .where('account_id', '=', accountId)
  expect((await orders.execute()).map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'completed',
  ])
  expect((await client.get('balance')).data).toEqual([{ amount: '943.00', currency: 'USD' }])
  expect(await violations(ctx)).toEqual([])
})

test('of many orders at once only as many are made as the balance pays for', async () => {
  const { client } = await reseller(100_000n, 5_799n)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      client.post('order', {
        reference: `poor-${at}`,
        lines: [{ item: VAPOUR_CARD, quantity: 1 }],
      }),
    ),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    1, 1, 1, 2420, 2420, 2420, 2420, 2420,
  ])
  expect((await client.get('balance')).data).toEqual([{ amount: '0.99', currency: 'USD' }])
  expect(await violations(ctx)).toEqual([])
})

test('a request that is sent again is refused, however fast, also by another way to write it', async () => {
  const { made } = await reseller()
  const order = JSON.stringify({
    reference: 'again-1',
    lines: [{ item: VAPOUR_CARD, quantity: 1 }],
  })
  const request = { method: 'POST', target: '/api/reseller/order?currency_code=USD', body: order }
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const at = { timestamp, nonce: 'the-same-nonce' }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => sendSigned(shop.origin, made, request, at)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401])
  // Signed for one address, sent to another; signed for one body, sent with another; signed by hand for nothing.
  const text = (target: string, body: string) =>
    [
      'POST',
      target,
      timestamp,
      'another-nonce',
      createHash('sha256').update(body).digest('hex'),
    ].join('\n')
  const signed = (words: string) =>
    `v1=${createHmac('sha256', made.secret).update(words).digest('hex')}`
  for (const signature of [
    signed(text('/api/reseller/quote?currency_code=USD', order)),
    signed(text(request.target, `${order} `)),
    signed(text(request.target, order)).toUpperCase(),
    signed(text(request.target, order)).slice(0, -1),
    'v1=',
    '',
  ]) {
    const answer = await sendSigned(shop.origin, made, request, {
      timestamp,
      nonce: 'another-nonce',
      signature,
    })
    expect([signature, answer.status, answer.data['reason']]).toEqual([signature, 401, 'signature'])
  }
  expect(
    (await sendSigned(shop.origin, made, request, { timestamp, nonce: 'another-nonce' })).status,
  ).toBe(200)
})

test('a clock that is wrong by more than two minutes signs nothing, either way, nor one that counts otherwise', async () => {
  const { made } = await reseller()
  const request = { method: 'GET', target: '/api/reseller/balance?currency_code=USD', body: '' }
  const now = Math.floor(Date.now() / 1_000)
  for (const timestamp of [
    String(now - 125),
    String(now + 125),
    String(now * 1_000),
    `${now}.5`,
    `+${now}`,
    `0${now}`,
    'NaN',
    '',
  ]) {
    const answer = await sendSigned(shop.origin, made, request, { timestamp })
    expect([timestamp, answer.status]).toEqual([timestamp, 401])
  }
  for (const seconds of [-110, 110])
    expect(
      (await sendSigned(shop.origin, made, request, { timestamp: String(now + seconds) })).status,
    ).toBe(200)
})

test('another reseller’s references and orders are nobody’s', async () => {
  const [one, other] = [await reseller(), await reseller()]
  const lines = [{ item: VAPOUR_CARD, quantity: 1 }]
  const bought = await one.client.post('order', { reference: 'shared-name', lines })
  for (const which of [
    { reference: 'shared-name' },
    { order: String(bought.data['order']) },
    { order: String(bought.data['order_no']) },
  ]) {
    expect((await other.client.get('order_status', which)).code).toBe(404)
    expect((await other.client.post('keys', which)).code).toBe(404)
  }
  const own = await other.client.post('order', { reference: 'shared-name', lines })
  expect(own.data['order']).not.toBe(bought.data['order'])
  // A key's id with somebody else's secret.
  const mixed = resellerClient(shop.origin, { key: one.made.key, secret: other.made.secret })
  expect((await mixed.get('balance')).status).toBe(401)
})

test('what a call does not know is refused, and sets nothing', async () => {
  const { client } = await reseller()
  const lines = [{ item: VAPOUR_CARD, quantity: 1 }]
  for (const more of [
    { price: '0.01' },
    { is_paid: true },
    { account_id: 'x' },
    { role_id: 9 },
    { test: true },
    { currency: 'JPY' },
    { 'lines.0.price': 1 },
  ])
    expect((await client.post('order', { reference: 'more', lines, ...more })).status).toBe(422)
  for (const line of [{ price: '0.01' }, { price_minor: 1 }, { delivery: 'store_credit' }])
    expect(
      (await client.post('order', { reference: 'more', lines: [{ ...lines[0], ...line }] })).status,
    ).toBe(422)
  expect((await client.get('order_status', { reference: 'more' })).code).toBe(404)
})

test.each([
  ['order_status', { order: '\u0000' }],
  ['order_status', { reference: '\ud800' }],
  ['order_status', { reference: "x' or '1'='1" }],
  ['stock', { items: '\u0000,,,' }],
  ['stock', { items: Array.from({ length: 201 }, (_, at) => `x${at}`).join() }],
  ['catalogue', { updated_since: '0000-01-01T00:00:00Z' }],
  ['catalogue', { updated_since: '9999-12-31T23:59:59Z' }],
  ['catalogue', { updated_since: 'yesterday' }],
  ['catalogue', { cursor: '\u0000', limit: '-1' }],
  ['catalogue', { limit: '1e9' }],
] as const)('%s with %j is answered, and is no fault of the shop', async (path, query) => {
  const { client } = await reseller()
  expect((await client.get(path, query)).status).toBeLessThan(500)
})

test('an order that its person made under a name that looks like a reference is not a reseller’s', async () => {
  const { accountId, client } = await reseller()
  const { token } = await signedIn(ctx, accountId)
  const lines = [{ item: VAPOUR_CARD, quantity: 1 }]
  const made = await fetch(`${shop.origin}/api/order/create?currency_code=USD`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: shop.origin,
      cookie: `${sessionCookieName(false)}=${token}`,
      'idempotency-key': 'reseller:mine',
    },
    body: JSON.stringify({ lines }),
  })
  const { code, data } = (await made.json()) as { code: number; data: { order: string } }
  expect(code).toBe(1)
  const bought = await client.post('order', { reference: 'mine', lines })
  expect(bought.data).toMatchObject({ result: 'done' })
  expect(bought.data['order']).not.toBe(data.order)
})

test('a unit that is given back after its code was shown is told of, its money is back once, and the day stays used up', async () => {
  const { client } = await reseller(3_800n)
  const lines = [{ item: VAPOUR_CARD, quantity: 2 }]
  const made = await client.post('order', { reference: 'back-1', lines })
  expect((await client.post('keys', { reference: 'back-1' })).data['units']).toHaveLength(2)
  const [line] = made.data['lines'] as { units: { id: string }[] }[]
  const asked = {
    orderNumber: String(made.data['order_no']),
    units: [line?.units[0]?.id ?? ''],
    destination: 'store_credit' as const,
    reason: 'goodwill',
  }
  const boss = asOperator(ctx)
  await refundByOperator(boss, asked)
  await expect(refundByOperator(boss, asked)).rejects.toThrow()
  const standing = await client.get('order_status', { reference: 'back-1' })
  expect(standing.code).toBe(1)
  expect(standing.data).toMatchObject({ total: { amount: '38.00', currency: 'USD' } })
  expect((await client.post('order', { reference: 'back-1', lines })).data['order']).toBe(
    made.data['order'],
  )
  expect(
    (
      await client.post('order', {
        reference: 'back-2',
        lines: [{ item: VAPOUR_CARD, quantity: 1 }],
      })
    ).code,
  ).toBe(2441)
  expect(await violations(ctx)).toEqual([])
})

test.each([
  ['an amount below nothing', [VAPOUR_CARD, 1, {}, -5]],
  ['an amount beyond every number', [VAPOUR_CARD, 1, {}, 9_007_199_254_740_991]],
  ['an amount as a text', [VAPOUR_CARD, 1, {}, '10']],
  ['half a minor unit', [VAPOUR_CARD, 1, {}, 0.5]],
  ['no amount at all', [VAPOUR_CARD, 1, {}, null]],
  ['a text that no database takes', ['card:\u0000', 1]],
  ['half a character', ['card:\ud800', 1]],
  ['a field that no database takes', [PACK, 1, { user_id: '1\u00002', '\u0000': 'x' }]],
  [
    'fields named as what every object has',
    [PACK, 1, JSON.parse('{"__proto__":"x","constructor":"y"}')],
  ],
  ['fields that are a list', [PACK, 1, ['x']]],
  ['more than any cart takes', [VAPOUR_CARD, 1e15]],
])(
  'a cart cookie with %s shows a page, to a visitor and to somebody signed in',
  async (_, line) => {
    const cookie = `cart=${encodeURIComponent(JSON.stringify([line, [VAPOUR_CARD, 1]]))}`
    const visited = await fetch(`${shop.origin}/shop-cart`, { headers: { cookie } })
    expect(visited.status).toBe(200)
    expect(visited.headers.get('cache-control')).toContain('no-store')
    expect(await visited.text()).not.toMatch(/NaN|-\$|\$-/)
    const { accountId } = await somebody(ctx, { withPassword: false })
    const { token } = await signedIn(ctx, accountId)
    const headers = { cookie: `${cookie}; ${sessionCookieName(false)}=${token}` }
    expect((await fetch(`${shop.origin}/shop-cart`, { headers })).status).toBe(200)
    const lines = ctx.db
      .selectFrom('cart_line')
      .select(['quantity', 'amount_minor'])
      .where('account_id', '=', accountId)
    for (const each of await lines.execute()) {
      expect(each.amount_minor).toBeNull()
      expect(each.quantity).toBeGreaterThan(0)
    }
  },
)
