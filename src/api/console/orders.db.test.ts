import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVersion } from '#features/buying/order/queries.ts'
import { type OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import {
  addCurrencies,
  addItem,
  buy,
  keyLines,
  stock,
  unitIdsOf,
} from '../../../test/support/buying.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { createFakePayments } from '../../../test/support/fake-payment.ts'
import { firstOwner, hire, operatorCookie } from '../../../test/support/operators.ts'
import { payFor } from '../../../test/support/paying.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'

const database = useDatabase()
const fake = createFakePayments()
let ctx: Ctx
let shop: RunningShop
let owner: OperatorCtx

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  owner = await firstOwner(ctx)
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

/** Somebody of the team for days, signed in. @returns their cookie */
async function signedIn(role: OperatorRole): Promise<string> {
  const { operator } = await hire(owner, role)
  return operatorCookie(ctx, operator)
}

async function bought(delivery: 'card_key' | 'direct_charge', letter: string, quantity = 1) {
  const item = await addItem(ctx, delivery === 'card_key' ? {} : { delivery })
  if (delivery === 'card_key') await stock(ctx, item, letter, quantity + 1)
  const order = await buy(ctx, [
    { item, quantity, delivery, accountFields: delivery === 'card_key' ? {} : { id: '481203377' } },
  ])
  await payFor(ctx, fake, order, BigInt(quantity) * 1_000n)
  return { ...order, item, units: await unitIdsOf(ctx, order.id) }
}

interface Answer {
  readonly status: number
  readonly code: number
  readonly data: any
}

async function call(
  cookie: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const response = await fetch(`${shop.origin}/api/console/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as { code: number; data: any }) }
}

async function ask(cookie: string, path: string): Promise<Answer> {
  const response = await fetch(`${shop.origin}/api/console/${path}`, { headers: { cookie } })
  return { status: response.status, ...((await response.json()) as { code: number; data: any }) }
}

/** A page as the application asks for it. */
async function open(cookie: string, address: string): Promise<any> {
  const response = await fetch(`${shop.origin}/console${address}`, {
    headers: { cookie, accept: 'application/json' },
  })
  return { status: response.status, ...((await response.json()) as object) }
}

const seen = async ({ id, number }: { readonly id: string; readonly number: string }) => ({
  order: number,
  version: await readVersion(ctx.db, id),
  key: randomUUID(),
})

test('a refund is told, asked for above the limit, approved by somebody else, and shown', async () => {
  const [asker, approver] = [await signedIn('support'), await signedIn('finance')]
  const order = await bought('card_key', 'A', 3)
  const page = await open(asker, `/orders/${order.number}`)
  expect(page.data).toMatchObject({ version: await readVersion(ctx.db, order.id) })
  expect(page.data.acts).toEqual(['refund', 'note'])
  const told = await ask(asker, `orders/preview?order=${order.number}&act=refund`)
  expect(told.data).toMatchObject({
    amount_text: '$30.00',
    to: 'original',
    needs_second_person: true,
    codes: { delivered: 3, seen: 0 },
  })
  const act = { ...(await seen(order)), units: null, to: 'original', reason: 'goodwill' }
  const asked = await call(asker, 'orders/refund', act)
  expect(asked.code).toBe(1)
  expect((await call(asker, 'orders/refund', act)).data).toEqual(asked.data)
  const stale = await call(approver, 'orders/refund', { ...act, key: randomUUID() })
  expect(stale.code).toBe(2418)
  expect((await call(asker, 'approvals/approve', { id: asked.data.waits })).code).not.toBe(1)
  expect((await call(approver, 'approvals/approve', { id: asked.data.waits })).code).toBe(1)
  const after = await open(approver, `/orders/${order.number}`)
  expect(after.data.refunds).toMatchObject([{ to: 'original', isFailed: false }])
  expect(after.data.movements[0]).toMatchObject({
    what: 'Payment received',
    from: 'Balance at fake',
    to: 'Received, not used yet',
  })
})

test('whoever is signed out while a form is open is asked to sign in, and nothing is done', async () => {
  const support = await signedIn('support')
  const order = await bought('card_key', 'B')
  const act = { ...(await seen(order)), units: null, to: 'original', reason: 'goodwill' }
  await sql`update operator_session set expires_at = now() - interval '1 minute'`.execute(ctx.db)
  expect((await call(support, 'orders/refund', act)).status).toBe(401)
  expect(
    await ctx.db.selectFrom('refund').select('id').where('order_id', '=', order.id).execute(),
  ).toEqual([])
})

test.each([
  ['a forged unit', { units: ['AAAAAAAAAAAAAAAAAAAAAA'] }, 'code'],
  ['no version', { version: undefined }, 'fields'],
  ['a version that is none', { version: 'x' }, 'fields'],
  ['no key', { key: undefined }, 'fields'],
  ['a reason that is no word', { reason: '<b>' }, 'fields'],
  ['another way', { to: 'cash' }, 'fields'],
  ['something unknown', { amount: 5 }, 'fields'],
])('a refund with %s is refused at its place', async (_, changes, where) => {
  const orders = await signedIn('orders')
  const order = await bought('direct_charge', 'C')
  const act = { ...(await seen(order)), units: null, to: 'original', reason: 'goodwill' }
  const answer = await call(orders, 'orders/refund', { ...act, ...changes })
  expect(answer.code).not.toBe(1)
  expect(answer.status).toBeLessThan(500)
  if (where === 'fields')
    expect(answer.data.fields.map(({ field }: { field: string }) => field)).toEqual(
      Object.keys(changes),
    )
})

test('what is delivered by hand tells its account to who has taken it up, and to nobody else', async () => {
  const [one, other, support] = [
    await signedIn('orders'),
    await signedIn('orders'),
    await signedIn('support'),
  ]
  const order = await bought('direct_charge', 'D')
  const [unit] = order.units
  const rowOf = async (cookie: string) =>
    (await open(cookie, '/by-hand')).data.rows.find((row: { unit: string }) => row.unit === unit)
  expect(await rowOf(one)).toMatchObject({ isFree: true, account: [] })
  expect((await open(support, '/by-hand')).status).toBe(403)
  expect((await call(one, 'by_hand/claim', { unit })).data).toMatchObject({
    account: { id: '481203377' },
  })
  expect(await rowOf(one)).toMatchObject({ isMine: true, account: [{ value: '481203377' }] })
  expect(await rowOf(other)).toMatchObject({ isMine: false, account: [] })
  expect((await call(other, 'by_hand/claim', { unit })).code).not.toBe(1)
  expect(
    (await call(one, 'by_hand/done', { unit, proof: '', key: randomUUID() })).data,
  ).toMatchObject({ fields: [{ field: 'proof' }] })
  const done = await call(one, 'by_hand/done', { unit, proof: 'R-1', key: randomUUID() })
  expect(done.data).toEqual({ waits: null })
})

test('an order is found by its number, the player it goes to, and a code that was sold', async () => {
  const reader = await signedIn('read-only')
  const charged = await bought('direct_charge', 'E')
  const sold = await bought('card_key', 'F')
  const found = async (text: string) => {
    const { data } = await call(reader, 'orders/find', { text })
    const shown = (await open(reader, `/orders?found=${data.handle}`)).data
    expect(shown.find).toBe(text)
    expect(shown.rows.map(({ number }: { number: string }) => number)).toEqual(data.orders)
    return data.orders as string[]
  }
  expect(await found(charged.number.replaceAll(/(\d{4})(?=\d)/g, '$1 '))).toEqual([charged.number])
  expect(await found('481203377')).toContain(charged.number)
  const codes: string[] = []
  for await (const chunk of keyLines('F', 2)) codes.push(...chunk.split('\n').filter(Boolean))
  expect(await found(codes[0] ?? '')).toEqual([sold.number])
  expect(await found('nothing of the kind')).toEqual([])
})

test('what is looked for stands in no address: a search opens for whoever made it, and that one was made is written down', async () => {
  const [one, other] = [await signedIn('orders'), await signedIn('orders')]
  const { data } = await call(one, 'orders/find', { text: 'jonas@mail.example' })
  expect(Buffer.from(data.handle, 'base64url').toString('latin1')).not.toContain('jonas')
  const lines = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'subject_code', 'after'])
    .where('action', '=', 'orders_sought')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(lines).toEqual([{ action: 'orders_sought', subject_code: '', after: { found: '0' } }])
  for (const [cookie, address] of [
    [other, `/orders?found=${data.handle}`],
    [one, '/orders?found=nonsense'],
    [one, `/orders?find=${encodeURIComponent('jonas@mail.example')}`],
  ] as const)
    expect((await open(cookie, address)).data).toMatchObject({ find: '', view: 'all' })
})

test('a list is narrowed, kept under a name of one’s own, and forgotten', async () => {
  const [orders, other] = [await signedIn('orders'), await signedIn('orders')]
  const order = await bought('direct_charge', 'G')
  const narrowed = async (query: string) =>
    (await open(orders, `/orders?${query}`)).data.rows.map(
      ({ number }: { number: string }) => number,
    )
  const product = order.item.product
  expect(await narrowed(`product=${product}`)).toEqual([order.number])
  expect(await narrowed(`product=${product}&provider=fake&currency=USD&least=10&most=10`)).toEqual([
    order.number,
  ])
  for (const none of [
    'provider=other',
    'currency=USD&least=10.01',
    'hold=risk',
    'case=1',
    'country=ZZ',
  ])
    expect(await narrowed(`product=${product}&${none}`)).toEqual([])
  // What is no filter is none.
  expect(await narrowed(`product=${product}&hold=nonsense&since=yesterday`)).toEqual([order.number])
  const filters = { view: 'open', product }
  const kept = await call(orders, 'orders/save_view', { name: 'Mine', filters })
  expect((await open(orders, '/orders')).data.own).toMatchObject([{ name: 'Mine' }])
  expect((await open(other, '/orders')).data.own).toEqual([])
  await call(other, 'orders/remove_view', { id: kept.data.id })
  expect((await open(orders, '/orders')).data.own).toHaveLength(1)
  await call(orders, 'orders/remove_view', { id: kept.data.id })
  expect((await open(orders, '/orders')).data.own).toEqual([])
})
