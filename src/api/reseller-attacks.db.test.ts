import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundByOperator } from '#features/buying/refund/commands.ts'
import { createKey } from '#features/buying/reseller/commands.ts'
import { grantCredit } from '#features/buying/store-credit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { signedIn, somebody } from '../../test/support/people.ts'
import { resellerClient } from '../../test/support/reseller-client.ts'
import { startShop, type RunningShop } from '../../test/support/running-shop.ts'
import { stockVapour, VAPOUR_CARD } from '../../test/support/vapour-cards.ts'
import { sessionCookieName } from './personal/cookies.ts'

const PACK = 'game:dragon-quarry:global:1200'
const database = useDatabase()
let shop: RunningShop
let ctx: Ctx

beforeAll(async () => {
  // The shop's own key, so that secrets made here are those it knows.
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await stockVapour(ctx, [{ item: VAPOUR_CARD, mark: 'R', count: 40 }])
  shop = await startShop(database.url, {
    VAULT_KEYS: `1:${Buffer.alloc(32, 3).toString('base64')}`,
  })
}, 120_000)
afterAll(() => shop.stop())

async function reseller(dayMax = 100_000n) {
  const { accountId, email } = await somebody(ctx, { withPassword: false })
  const money = { minor: 100_000n, currency: 'USD' }
  await transaction(ctx, (tx) => grantCredit(tx, ctx, { accountId, email, money }))
  const made = await createKey(asOperator(ctx), {
    email,
    name: 'Corner Cards',
    scopes: ['browse', 'order', 'reveal'],
    orderMax: dayMax,
    dayMax,
    agentMax: null,
    networks: [],
  })
  return { accountId, client: resellerClient(shop.origin, made) }
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
