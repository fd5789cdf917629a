import { afterAll, beforeAll, expect, test } from 'vitest'
import { actingAs, createOperator } from '#features/team/operator/commands.ts'
import { PROOF_KINDS, scopesOf, type Operator } from '#features/team/operator/rules.ts'
import { type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { addCurrencies, addItem } from '../../../test/support/buying.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { OPERATOR_PASSWORD, firstOwner, operatorCookie } from '../../../test/support/operators.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'
import { accessOf } from './access.ts'

const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
let owner: Operator
let support: Operator

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  owner = (await firstOwner(ctx)).operator
  support = await createOperator(actingAs(ctx, owner), {
    name: 'bo',
    role: 'support',
    password: OPERATOR_PASSWORD,
  })
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

const cookieOf = (operator: Operator, isProved = true) =>
  operatorCookie(ctx, operator, isProved ? PROOF_KINDS : [])

async function send(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly status: number; readonly code: number; readonly data: any }> {
  const isRead = accessOf(path)?.method === 'GET'
  const response = await fetch(`${shop.origin}/api/${path}`, {
    method: isRead ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    ...(isRead ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as { code: number; data: any }) }
}

const wanted = { label: 'Stock report', days: 30, permissions: ['product.read', 'order.read'] }

async function made(operator: Operator, more: Partial<typeof wanted> = {}): Promise<string> {
  const answer = await send(
    'console/tokens/create',
    { cookie: await cookieOf(operator) },
    { ...wanted, ...more },
  )
  return (answer.data as { token: string }).token
}
const by = (token: string) => ({ authorization: `Bearer ${token}` })

test('a token does what its scopes say and nothing else, whatever its owner may do', async () => {
  const token = await made(owner)
  expect((await send('console/selling/list', by(token))).code).toBe(1)
  expect(await send('console/team/list', by(token))).toMatchObject({
    status: 403,
    code: 2450,
    data: { permission: 'staff.read' },
  })
  expect((await send('console/selling/stop_shop', by(token), { reason: 'x' })).code).toBe(2450)
  expect((await send('console/me', by(token))).data.permissions.toSorted()).toEqual([
    'order.read',
    'product.read',
  ])
  // Making another, or a fresh proof, is for people.
  expect((await send('console/tokens/create', by(token), wanted)).status).toBe(403)
})

test('nobody gives a token what they have not, nor what moves money, goods or the team', async () => {
  const cookie = await cookieOf(support)
  for (const permission of ['staff.read', 'order.refund', 'shop.manage'])
    expect(
      await send('console/tokens/create', { cookie }, { ...wanted, permissions: [permission] }),
    ).toMatchObject({ code: 2422, data: { fields: [{ field: 'permissions' }] } })
  for (const one of scopesOf(owner))
    expect(['order.refund', 'staff.manage', 'key.see', 'payment.settings']).not.toContain(one)
  const unproved = await cookieOf(support, false)
  expect((await send('console/tokens/create', { cookie: unproved }, wanted)).code).toBe(2403)
})

test('a token is worth no more than its owner’s role has become', async () => {
  const token = await made(support)
  expect((await send('console/selling/list', by(token))).code).toBe(1)
  await ctx.db
    .updateTable('operator')
    .set({ status: 'disabled' })
    .where('name', '=', 'bo')
    .execute()
  expect((await send('console/selling/list', by(token))).status).toBe(401)
  await ctx.db.updateTable('operator').set({ status: 'active' }).where('name', '=', 'bo').execute()
})

test('a token is listed without its value, by its owner and whoever manages the team, and ends when it is revoked', async () => {
  const token = await made(support, { label: 'Mine' })
  const [owned, managed] = [await cookieOf(support, false), await cookieOf(owner, false)]
  const listed = await send('console/tokens/list', { cookie: owned })
  expect(JSON.stringify(listed)).not.toContain(token)
  const mine = listed.data.find(({ label }: { label: string }) => label === 'Mine')
  expect(mine).toMatchObject({ operator: 'bo', permissions: wanted.permissions.toSorted() })
  const other = (await send('console/tokens/list', { cookie: managed })).data
  expect(other.some(({ id }: { id: string }) => id === mine.id)).toBe(true)
  const ofOwner = other.find(({ operator }: { operator: string }) => operator === 'mara')
  expect((await send('console/tokens/revoke', { cookie: owned }, { id: ofOwner.id })).status).toBe(
    404,
  )
  expect((await send('console/tokens/revoke', { cookie: managed }, { id: mine.id })).code).toBe(1)
  expect((await send('console/selling/list', by(token))).status).toBe(401)
  const lines = await ctx.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_code', '=', 'bo')
    .where('action', '=', 'token_ended')
    .execute()
  expect(lines).toHaveLength(1)
})

test('a token moves prices as far as its operator’s role, and an owner’s, who has no limit, as far as is usual', async () => {
  await addItem(ctx)
  await ctx.db
    .insertInto('currency_rate')
    .values(
      [
        ['USD', '1'],
        ['EUR', '0.9'],
      ].map(([currency = '', rate = '']) => ({
        currency,
        per_usd: rate,
        source: 'by-hand',
        observed_at: new Date(),
      })),
    )
    .execute()
  const token = await made(owner, { permissions: ['product.read', 'price.read', 'price.change'] })
  const wish = { change: { path: 'level', level: 2, off_basis_points: 5_000 } }
  const tried = async (headers: Readonly<Record<string, string>>) => {
    const { data } = await send('console/prices/try', headers, wish)
    return data as { limit: number | null; needs_second_person: boolean; seen: string }
  }
  const cookie = { cookie: await cookieOf(owner) }
  expect(await tried(cookie)).toMatchObject({ limit: null, needs_second_person: false })
  const far = await tried(by(token))
  expect(far).toMatchObject({ limit: 1_000, needs_second_person: true })
  const answer = await send('console/prices/change', by(token), { ...wish, seen: far.seen })
  expect(answer.data.waits_for_approval).toEqual(expect.any(String))
  const catalogue = await createOperator(actingAs(ctx, owner), {
    name: 'kim',
    role: 'catalogue',
    password: OPERATOR_PASSWORD,
  })
  const theirs = await made(catalogue, { permissions: ['price.read', 'price.change'] })
  expect(await tried(by(theirs))).toMatchObject({ limit: 1_000 })
})
