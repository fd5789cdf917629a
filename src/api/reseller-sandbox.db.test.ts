import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askPerson } from '#features/buying/agent/commands.ts'
import { claimReference } from '#features/buying/reseller/commands.ts'
import {
  createTestKey,
  forgetOldTests,
  revokeTestKey,
  takeTestDelivery,
} from '#features/buying/reseller-sandbox/commands.ts'
import { TEST_OUTBOX } from '#features/buying/reseller-sandbox/jobs.ts'
import { findTestKey, listDueTestKeys } from '#features/buying/reseller-sandbox/queries.ts'
import { TEST_ORDERS_A_DAY } from '#features/buying/reseller-sandbox/rules.ts'
import { createEndpoint } from '#features/buying/webhook/commands.ts'
import { startDispatching } from '#features/buying/webhook/jobs.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { exportEverything } from '#features/leaving/closure/queries.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sha256 } from '#platform/secrets.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { refused, somebody } from '../../test/support/people.ts'
import { resellerClient } from '../../test/support/reseller-client.ts'
import { makeReseller, openResellerShop } from '../../test/support/reseller-shop.ts'
import type { RunningShop } from '../../test/support/running-shop.ts'
import { VAPOUR_CARD } from '../../test/support/vapour-cards.ts'

const PACK = 'game:dragon-quarry:global:1200'
const database = useDatabase()
let shop: RunningShop
let ctx: Ctx

beforeAll(async () => {
  ;({ ctx, shop } = await openResellerShop(database, { mark: 'S', count: 12 }, { MCP: 'on' }))
}, 120_000)
afterAll(() => shop.stop())

const LIMITS = { orderMax: 50_000n, dayMax: 100_000n }
const PATIENTLY = { timeout: 60_000, interval: 50 }

async function testing(more: { webhookUrl?: string; orderMax?: bigint; dayMax?: bigint } = {}) {
  const { accountId, email } = await somebody(ctx, { withPassword: false })
  const made = await createTestKey(asOperator(ctx), {
    email,
    name: 'Corner Cards, trying',
    webhookUrl: null,
    ...LIMITS,
    ...more,
  })
  return { accountId, email, made, client: resellerClient(shop.origin, made) }
}

async function withRealKey(person: { readonly accountId: string; readonly email: string }) {
  const { made } = await makeReseller(ctx, { person })
  return { made, client: resellerClient(shop.origin, made) }
}

const card = (reference: string, quantity = 1) => ({
  reference,
  lines: [{ item: VAPOUR_CARD, quantity }],
})
const pack = (reference: string, userId: string) => ({
  reference,
  lines: [{ item: PACK, quantity: 1, fields: { user_id: userId } }],
})

/** Every row but those of test keys, and of what the shop's processes say of themselves. */
async function traces() {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not like 'reseller_test_%' and relname not in ('reseller_nonce', 'alert_matter', 'vault_reader', 'running_process', 'sweep') order by 1`.execute(
    ctx.db,
  )
  const counted = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{ hash: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(each::text, '|' order by each::text)), '') as hash from ${sql.table(name)} as each`.execute(
        ctx.db,
      )
      return [name, rows[0]?.hash] as const
    }),
  )
  return Object.fromEntries(counted)
}

test('what is tried leaves no trace outside its own tables, whatever is ordered', async () => {
  const { client } = await testing()
  const before = await traces()
  expect((await client.get('catalogue')).data['items']).toContainEqual(
    expect.objectContaining({ item: VAPOUR_CARD, price: { amount: '19.00', currency: 'USD' } }),
  )
  expect((await client.get('stock', { items: VAPOUR_CARD })).data).toMatchObject([
    { on_sale: true, stock: 12 },
  ])
  expect((await client.post('quote', { lines: card('', 2).lines })).data).toMatchObject({
    total: { amount: '38.00' },
  })
  const checked = await client.post('account_validate', {
    item: PACK,
    fields: { user_id: '81234567' },
  })
  expect(checked.data).toMatchObject({ state: 'valid', name: 'Test Player', faults: [] })
  for (const word of ['', '.later', '.refunded', '.needs-input', '.partial', '.taken-back'])
    expect((await client.post('order', card(`ours${word}`, 2))).code).toBe(1)
  expect((await client.post('order', card('ours.no-balance'))).code).toBe(2420)
  expect((await client.post('order', pack('a player', '81234567'))).status).toBe(422)
  expect((await client.post('order', pack('player', '81234567'))).data).toMatchObject({
    result: 'done',
  })
  expect((await client.post('keys', { reference: 'ours' })).data['units']).toHaveLength(2)
  expect((await client.get('balance')).data).toEqual([{ amount: '10000.00', currency: 'USD' }])
  expect(await traces()).toEqual(before)
  expect(await violations(ctx)).toEqual([])
})

test('each ending is what it is asked for by, in the contract’s own words', async () => {
  const { client } = await testing()
  const order = async (body: object) => {
    const { code, data } = await client.post('order', body)
    return [code, data?.['result']]
  }
  expect(await order(card('one'))).toEqual([1, 'done'])
  expect(await order(card('one.later'))).toEqual([1, 'accepted'])
  expect(await order(pack('two', '819022'))).toEqual([1, 'accepted'])
  expect((await client.get('order_status', { reference: 'two' })).data).toMatchObject({
    status: 'processing',
    is_paid: true,
    lines: [{ units: [{ status: 'needs_input' }] }],
  })
  expect(await order(pack('three', '819003'))).toEqual([1, 'accepted'])
  expect(await order(card('four.out-of-stock'))).toEqual([2421, undefined])
  expect(await order(pack('five', '819008'))).toEqual([2420, undefined])
  expect((await client.get('order_status', { reference: 'five' })).data).toMatchObject({
    result: 'failed',
    failure: { code: 2420, reason: 'insufficient_credit' },
  })
  expect((await client.post('order', pack('six', '819005'))).data).toMatchObject({
    fields: [{ field: 'lines.0.fields.user_id' }],
  })
  const unknown = { item: PACK, fields: { user_id: '819005' } }
  expect((await client.post('account_validate', unknown)).data).toMatchObject({ state: 'invalid' })
  // As time goes by, without anybody doing anything.
  await sql`update reseller_test_order set created_at = created_at - interval '11 minutes'`.execute(
    ctx.db,
  )
  const resultOf = async (reference: string) =>
    (await client.get('order_status', { reference })).data['result']
  expect(await resultOf('one.later')).toBe('done')
  expect(await resultOf('two')).toBe('failed')
  expect((await client.get('order_status', { reference: 'three' })).data).toMatchObject({
    result: 'failed',
    status: 'refunded',
    refunded: { amount: '19.90', currency: 'USD' },
  })
})

test('a reference buys once, with one answer, and its codes are no codes', async () => {
  const { client } = await testing()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => client.post('order', card('race', 2))),
  )
  expect(new Set(answers.map(({ data }) => data['order'])).size).toBe(1)
  expect(answers[0]?.data).toMatchObject({
    order: expect.stringMatching(/^test_/),
    order_no: expect.stringMatching(/^TEST\d{10}$/),
  })
  expect((await client.post('order', card('race', 3))).code).toBe(409)
  const keys = await client.post('keys', { order: String(answers[0]?.data['order']) })
  const codes = (keys.data['units'] as { parts: { code: string } }[]).map(({ parts }) => parts.code)
  expect(new Set(codes).size).toBe(2)
  for (const code of codes) expect(code).toMatch(/^TEST-NOT-A-CODE-/)
  const player = await client.post('order', pack('credited', '81234567'))
  expect(player.code).toBe(1)
  expect((await client.post('keys', { reference: 'credited' })).data['units']).toEqual([])
})

test('test orders of a while are listed in pages, each as its status is told, and no real one', async () => {
  const { client, ...person } = await testing()
  const real = await withRealKey(person)
  const from = new Date(Date.now() - 60_000).toISOString()
  expect((await real.client.post('order', card('real-1'))).code).toBe(1)
  for (const reference of ['t-1', 't-2.later', 't-3.no-balance'])
    await client.post('order', card(reference))
  const to = new Date(Date.now() + 60_000).toISOString()
  const referencesIn = (data: Readonly<Record<string, unknown>>) =>
    (data['orders'] as { reference: string }[]).map(({ reference }) => reference)
  const first = await client.get('orders', { from, to, limit: '2' })
  expect(referencesIn(first.data)).toEqual(['t-1', 't-2.later'])
  const cursor = String(first.data['next'])
  const second = await client.get('orders', { from, to, limit: '2', cursor })
  expect(referencesIn(second.data)).toEqual(['t-3.no-balance'])
  expect(second.data['next']).toBeNull()
  const [{ created, ...one } = {}] = first.data['orders'] as Record<string, unknown>[]
  expect(Date.parse(String(created))).toBeGreaterThan(Date.parse(from))
  expect((await client.get('order_status', { reference: 't-1' })).data).toEqual(one)
  expect(referencesIn((await real.client.get('orders', { from, to })).data)).toEqual(['real-1'])
})

test('limits are a key’s own: an order, a day in money, and a day in orders', async () => {
  const { client, made } = await testing({ orderMax: 3_800n, dayMax: 5_700n })
  expect((await client.post('order', card('a', 3))).code).toBe(2441)
  const codes = await Promise.all(
    Array.from({ length: 6 }, async (_, at) => (await client.post('order', card(`n${at}`))).code),
  )
  expect(codes.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2441, 2441, 2441])
  expect((await client.post('order', { ...card('dear'), max_total: '18.99' })).code).toBe(2435)
  await sql`
    insert into reseller_test_order (id, public_id, account_id, key_id, reference, request_hash, currency, usd_minor, lines, refusal, created_at)
    select gen_random_uuid(), 'test_' || substr(md5(n::text), 1, 22), account_id, id, 'much-' || n, decode(repeat('00', 32), 'hex'), 'USD', 1, '[]', 'out_of_stock', now()
    from reseller_test_key, generate_series(1, ${TEST_ORDERS_A_DAY}) n where public_id = ${made.key}`.execute(
    ctx.db,
  )
  await sql`update reseller_test_key set day_max_minor = 1000000 where public_id = ${made.key}`.execute(
    ctx.db,
  )
  expect((await client.post('order', card('one-more'))).code).toBe(2441)
})

test('a test key and a real one of the same account know nothing of each other’s orders', async () => {
  const { client, ...person } = await testing()
  const real = await withRealKey(person)
  const bought = await real.client.post('order', card('same', 1))
  expect(bought.data).toMatchObject({ result: 'done' })
  const order = String(bought.data['order'])
  for (const which of [
    { reference: 'same' },
    { order },
    { order: String(bought.data['order_no']) },
  ]) {
    expect((await client.get('order_status', which)).code).toBe(404)
    expect((await client.post('keys', which)).code).toBe(404)
  }
  const tried = await client.post('order', card('same', 1))
  expect(tried.data).toMatchObject({ order: expect.stringMatching(/^test_/) })
  expect((await real.client.get('order_status', { reference: 'same' })).data['order']).toBe(order)
  expect((await real.client.get('order_status', { order: String(tried.data['order']) })).code).toBe(
    404,
  )
  expect((await real.client.post('keys', { order: String(tried.data['order']) })).code).toBe(404)
})

test('the database takes a test key for nothing real', async () => {
  const { accountId, made } = await testing()
  const key = present(await findTestKey(ctx.db, made.key), 'the test key')
  const currency = present((await loadSnapshot(ctx.db, 1)).currencyByCode.get('USD'), 'USD')
  const lines = [{ item: VAPOUR_CARD, quantity: 1, fields: {} }]
  const asReal = { ...key, name: 'x', scopes: [], formerSalt: null, agentMax: null, contract: 'x' }
  await expect(
    claimReference(ctx, asReal, { reference: 'x', currency, lines, amountMinor: 1n, usdMinor: 1n }),
  ).rejects.toMatchObject({ code: 'unauthorised' })
  await expect(
    sql`insert into reseller_order (id, account_id, key_id, reference, request_hash, currency, amount_minor, usd_minor, created_at)
      values (gen_random_uuid(), ${accountId}, ${key.id}, 'x', decode(repeat('00', 32), 'hex'), 'USD', 1, 1, now())`.execute(
      ctx.db,
    ),
  ).rejects.toThrow(/reseller_order_key_id_fkey/)
  const asked = {
    accountId,
    keyId: key.id,
    reference: 'x',
    requestHash: sha256('x'),
    lines: [],
    currency: 'USD',
    amountMinor: 1n,
  }
  await expect(askPerson(ctx, asked)).rejects.toThrow(/agent_confirmation_key_id_fkey/)
  await expect(
    sql`update shop_order set public_id = 'test_' || public_id`.execute(ctx.db),
  ).rejects.toThrow(/public_id/)
})

test('a test key signs nothing else: no program buys by it, and one that is revoked or whose account closes is none', async () => {
  const { accountId, made, client } = await testing()
  const asked = await fetch(`${shop.origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${made.key}.${made.secret}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(asked.status).toBe(401)
  expect(made.key).toMatch(/^test_/)
  expect(made.secret).toMatch(/^lukado-test-/)
  const status = (is: 'active' | 'cancelling') =>
    ctx.db
      .updateTable('account')
      .set(
        is === 'active'
          ? { status: is, cancel_requested_at: null, erase_at: null }
          : { status: is, cancel_requested_at: new Date(), erase_at: new Date() },
      )
      .where('id', '=', accountId)
      .execute()
  await status('cancelling')
  expect(await client.get('balance')).toMatchObject({ status: 401, data: { reason: 'key' } })
  await status('active')
  expect((await client.get('balance')).status).toBe(200)
  await revokeTestKey(asOperator(ctx), made.key)
  expect(await client.get('balance')).toMatchObject({ status: 401, data: { reason: 'key' } })
  expect(await refused(revokeTestKey(asOperator(ctx), made.key))).toMatchObject({
    code: 'not_found',
  })
  expect(shop.log.join('')).not.toContain(made.secret)
})

test('test orders are told of at the test address, signed and marked, and at no other', async () => {
  const heard: { signature: string; body: string; path: string }[] = []
  const server: Server = createServer((req, res) => {
    let body = ''
    req.on('data', (part: Buffer) => (body += part.toString()))
    req.on('end', () => {
      heard.push({ signature: String(req.headers['lukado-signature']), body, path: req.url ?? '' })
      res.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { made, client, email } = await testing({ webhookUrl: `${origin}/test` })
  await transaction(ctx, (tx, now) =>
    createEndpoint(tx, asOperator(ctx), now, { email, url: `${origin}/real` }),
  )
  const clients = openHookClient(2_000, true, 16_384)
  const running = [startDispatching(ctx, clients), startDispatching(ctx, clients, TEST_OUTBOX)]
  try {
    expect((await client.post('order', card('told.taken-back'))).code).toBe(1)
    expect((await client.post('order', card('untold.out-of-stock'))).code).toBe(2421)
    await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENTLY)
    await sql`update reseller_test_order set created_at = created_at - interval '10 seconds'`.execute(
      ctx.db,
    )
    await sql`update reseller_test_delivery set due_at = due_at - interval '10 seconds'`.execute(
      ctx.db,
    )
    await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENTLY)
  } finally {
    await Promise.all(running.map((each) => each.stop()))
    server.close()
  }
  expect(heard.map(({ path }) => path)).toEqual(['/test', '/test'])
  const order = (await client.get('order_status', { reference: 'told.taken-back' })).data
  const bodies = heard.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  expect(bodies).toMatchObject(
    ['completed', 'refunded'].map((status) => ({
      type: 'order.changed',
      test: true,
      data: {
        reference: 'told.taken-back',
        order: order['order'],
        order_no: order['order_no'],
        status,
      },
    })),
  )
  for (const { signature, body } of heard) {
    const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(signature) ?? []
    const secret = made.webhook_secret ?? ''
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(given)
  }
})

test('a key that is revoked is told nothing more', async () => {
  const { made, client } = await testing({ webhookUrl: 'https://198.51.100.7/hook' })
  await client.post('order', card('waits.later'))
  const { id } = present(await findTestKey(ctx.db, made.key), 'the key')
  const later = { ...ctx, now: () => new Date(Date.now() + 30_000) }
  expect(await listDueTestKeys(ctx.db, later.now(), [], 1_000)).toContain(id)
  expect(await takeTestDelivery(later, id)).toMatchObject({ reference: 'waits.later' })
  await revokeTestKey(asOperator(ctx), made.key)
  expect(await listDueTestKeys(ctx.db, later.now(), [], 1_000)).not.toContain(id)
  expect(await takeTestDelivery(later, id)).toBeNull()
})

test('what was tried is in its person’s export, and gone after 30 days with the keys that are over', async () => {
  const { accountId, made, client } = await testing({
    webhookUrl: 'https://198.51.100.7/hook',
  })
  await client.post('order', pack('tried', '81234567'))
  const text = JSON.stringify(await exportEverything(ctx, { accountId }))
  expect(text).toContain('"reference":"tried"')
  expect(text).toContain(made.key)
  expect(text).not.toContain('81234567')
  const days = (count: number) => ({
    ...ctx,
    now: () => new Date(Date.now() + count * 86_400_000),
  })
  const left = async () => {
    const { rows } = await sql<{ orders: number; told: number; keys: number }>`
      select (select count(*)::integer from reseller_test_order where account_id = ${accountId}) as orders,
        (select count(*)::integer from reseller_test_delivery d join reseller_test_key k on k.id = d.key_id where k.account_id = ${accountId}) as told,
        (select count(*)::integer from reseller_test_key where account_id = ${accountId}) as keys`.execute(
      ctx.db,
    )
    return rows[0]
  }
  await forgetOldTests(days(29))
  expect(await left()).toEqual({ orders: 1, told: 1, keys: 1 })
  await forgetOldTests(days(31))
  expect(await left()).toEqual({ orders: 0, told: 0, keys: 1 })
  await revokeTestKey(asOperator(ctx), made.key)
  await forgetOldTests(days(31))
  expect(await left()).toEqual({ orders: 0, told: 0, keys: 0 })
})
