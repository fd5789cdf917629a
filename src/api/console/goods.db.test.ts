import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperator, createToken, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { Permission } from '#features/team/operator/rules.ts'
import { type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { importSmallCatalogue } from '../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { OPERATOR_PASSWORD, firstOwner, operatorCookie } from '../../../test/support/operators.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'
import { accessOf } from './access.ts'

const TEN = 'card:vapour:us:10'
const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
let owner: OperatorCtx
let cookie: string

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await importSmallCatalogue(ctx)
  owner = await firstOwner(ctx)
  cookie = await operatorCookie(ctx, owner.operator)
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

async function call(
  path: string,
  given: Readonly<Record<string, unknown>> = {},
  as: string | Readonly<Record<string, string>> = cookie,
): Promise<{ readonly code: number; readonly data: any }> {
  const isRead = accessOf(`console/${path}`)?.method === 'GET'
  const query = isRead ? `?${new URLSearchParams(given as Record<string, string>).toString()}` : ''
  const response = await fetch(`${shop.origin}/api/console/${path}${query}`, {
    method: isRead ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(typeof as === 'string' ? { cookie: as } : as),
    },
    ...(isRead ? {} : { body: JSON.stringify(given) }),
  })
  return (await response.json()) as { code: number; data: any }
}

test('a price is typed, told, made, seen in the history and taken back', async () => {
  const pasted = await call('goods/paste', { text: '9,80', codes: [TEN] })
  expect(pasted.data).toMatchObject({ lines: 1, faults: [] })
  const edits = [{ ...pasted.data.edits[0], from: { minor: '950', currency: 'USD' } }]
  const told = await call('goods/try', { edits })
  expect(told.data).toMatchObject({
    goods: 1,
    prices: { count: 1, least_basis_points: 315 },
    samples: [{ name: 'Vapour Gift Card, 10 USD', before_text: '$9.50', after_text: '$9.80' }],
  })
  const made = await call('goods/change', { edits, hash: told.data.hash, key: 'price-of-ten-1' })
  expect(made).toMatchObject({ code: 1, data: { rows: 1, waits: null } })
  expect((await call('goods/items', { find: 'vapour 10' })).data.items).toMatchObject([
    { code: TEN, price_minor: '980', locked: ['price'], cost_minor: '920' },
  ])
  expect((await call('goods/history', { subject: 'item', code: TEN })).data).toMatchObject([
    { field: 'price', before_text: '$9.50', after_text: '$9.80', change: made.data.change },
  ])
  const { change } = made.data
  const undo = await call('goods/try_undo', { change })
  await call('goods/undo', { change, hash: undo.data.hash, key: 'undo-of-ten-1' })
  expect((await call('goods/items', { find: 'vapour 10' })).data.items[0]).toMatchObject({
    price_minor: '950',
    locked: [],
  })
  expect((await call('goods/changes')).data.map(({ kind }: { kind: string }) => kind)).toEqual([
    'undo',
    'inline',
  ])
})

test('what moved since it was told comes back with the effect as it is now', async () => {
  const edits = [{ subject: 'item', code: TEN, field: 'stock', to: 9 }]
  const answer = await call('goods/change', { edits, hash: 'A'.repeat(43), key: 'never-seen-1' })
  expect(answer).toMatchObject({ code: 2418, data: { effect: { goods: 1 } } })
  const wrong = [
    { subject: 'item', code: TEN, field: 'price', to: { minor: '0', currency: 'USD' } },
  ]
  const { data } = await call('goods/try', { edits: wrong })
  expect(data.faults).toMatchObject([
    { code: TEN, field: 'price', reason: 'above_zero', msg: 'This must be above zero.' },
  ])
  const refused = await call('goods/change', { edits: wrong, hash: data.hash, key: 'never-made-1' })
  expect(refused).toMatchObject({ code: 2422, data: { effect: { faults: [{ field: 'price' }] } } })
})

test('a table is read with its faults by line and column, and neither edits nor a rule is a fault', async () => {
  const text = `code\tprice\tstock\n${TEN}\t1.234\t5\ncard:no:such:1\t5\t1\n${TEN}\t9.7x\t2,5\n`
  const { data } = await call('goods/paste', { text })
  expect(data.edits).toMatchObject([{ code: TEN, field: 'stock', to: 5 }])
  expect(
    data.faults.map(({ line, column, reason }: Record<string, unknown>) => [line, column, reason]),
  ).toEqual([
    [2, 2, 'number_ambiguous'],
    [3, 1, 'not_sold'],
    [4, 2, 'wrong_type'],
    [4, 3, 'wrong_type'],
  ])
  expect((await call('goods/try', {})).code).toBe(2422)
})

test('an owner’s token changes goods as far as tokens may: a price beyond the usual limit waits for a person, what it has no scope for is refused', async () => {
  const by = async (permissions: readonly Permission[]) => {
    const { token } = await createToken(owner, { label: 'goods', days: 1, permissions })
    return { authorization: `Bearer ${token}` }
  }
  const price = (minor: string) => [
    { subject: 'item', code: TEN, field: 'price', to: { minor, currency: 'USD' } },
  ]
  const change = async (minor: string, headers: Readonly<Record<string, string>>) => {
    const edits = price(minor)
    const told = await call('goods/try', { edits }, headers)
    return call(
      'goods/change',
      { edits, hash: told.data?.hash ?? 'A'.repeat(43), key: `by-token-${minor}` },
      headers,
    )
  }
  const priceNow = async () =>
    (await call('goods/items', { find: 'vapour 10' })).data.items[0].price_minor
  const some = await by(['product.read', 'product.change', 'price.change'])
  expect((await change('475', some)).data).toMatchObject({ rows: 0, waits: expect.any(String) })
  expect(await priceNow()).toBe('950')
  expect((await change('955', some)).data).toMatchObject({ rows: 1, waits: null })
  expect(await priceNow()).toBe('955')
  const fewer = await by(['product.read', 'product.change'])
  expect((await change('960', fewer)).code).toBe(2450)
  expect(await priceNow()).toBe('955')
  // The owner themselves has no limit.
  expect((await change('474', { cookie })).data).toMatchObject({ rows: 1, waits: null })
})

test.each([
  ['XXX', 'currency_unknown'],
  ['usd', 'not_allowed'],
  ['nonsense', 'not_allowed'],
])('a face in %s, which the shop has not, is refused at its field', async (to, reason) => {
  const edits = [{ subject: 'product', code: 'vapour-us', field: 'face_currency', to }]
  const told = await call('goods/try', { edits })
  expect(told.data.faults[0]).toMatchObject({ field: 'face_currency', reason })
  const made = await call('goods/change', { edits, hash: told.data.hash, key: `face-in-${to}` })
  expect(made.code).toBe(2422)
})

test('a save that finds others in its way says so, and is made when it is sent again', async () => {
  const edits = [{ subject: 'item', code: TEN, field: 'stock', to: 41 }]
  const told = await call('goods/try', { edits })
  const asked = { edits, hash: told.data.hash, key: 'in-the-way-1' }
  const refused = await ctx.db.transaction().execute(async (tx) => {
    // Another act of the same operator takes its time.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`operator_act ${owner.actor}`}, 0))`.execute(
      tx,
    )
    return call('goods/change', asked)
  })
  expect(refused).toMatchObject({
    code: 503,
    msg: 'The shop is busy right now. Try again in a few seconds.',
  })
  expect(await call('goods/change', asked)).toMatchObject({ code: 1, data: { rows: 1 } })
})

test('whoever may not see prices made is not told what goods cost', async () => {
  const made = await createOperator(owner, {
    name: 'sue',
    role: 'support',
    password: OPERATOR_PASSWORD,
  })
  const support = await operatorCookie(ctx, made)
  const { data } = await call('goods/items', { find: 'vapour 10' }, support)
  expect(data.items).toMatchObject([{ cost_minor: null, cost_currency: null }])
  expect((await call('goods/try', { edits: [] }, support)).code).toBe(2450)
})

test('a value nested further than any field is refused, and one that is missing', async () => {
  const nested = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown
  const place = { subject: 'item', code: TEN, field: 'price' }
  for (const edit of [{ ...place, to: nested }, place]) {
    expect((await call('goods/try', { edits: [edit] })).code).toBe(422)
  }
})
