import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createKey } from '#features/buying/reseller/commands.ts'
import type { Scope } from '#features/buying/reseller/rules.ts'
import { grantCredit, storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { resellerClient } from '../../test/support/reseller-client.ts'
import { signedIn, somebody } from '../../test/support/people.ts'
import { startShop, type RunningShop } from '../../test/support/running-shop.ts'
import { testServices } from '../../test/support/services.ts'
import { createMcpTransport } from './mcp/transport.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { stockVapour, VAPOUR_CARD } from '../../test/support/vapour-cards.ts'

const PACK = 'game:dragon-quarry:global:1200'
const AIRTIME = 'air:us-bell:10'
const database = useDatabase()
const clients: Client[] = []
let shop: RunningShop
let ctx: Ctx

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await stockVapour(ctx, [{ item: VAPOUR_CARD, mark: 'M', count: 20 }])
  await ctx.db
    .updateTable('item')
    .set({ face_min_minor: '500', face_max_minor: '5000', face_step_minor: '50' })
    .where('code', '=', AIRTIME)
    .execute()
  shop = await startShop(database.url, {
    MCP: 'on',
    VAULT_KEYS: `1:${Buffer.alloc(32, 3).toString('base64')}`,
  })
})
afterAll(() => shop.stop())
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

async function agent(
  scopes: readonly Scope[] = ['browse', 'order', 'reveal', 'agent'],
  agentMax: bigint | null = 2_000n,
) {
  const { accountId, email } = await somebody(ctx, { withPassword: false })
  await transaction(ctx, (tx) =>
    grantCredit(tx, ctx, { accountId, email, money: { minor: 50_000n, currency: 'USD' } }),
  )
  const made = await createKey(asOperator(ctx), {
    email,
    name: 'A program',
    scopes,
    orderMax: 10_000n,
    dayMax: 15_000n,
    agentMax,
    networks: [],
  })
  return { accountId, email, token: `${made.key}.${made.secret}` }
}

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${shop.origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

async function use(client: Client, name: string, given: Readonly<Record<string, unknown>>) {
  const answer = await client.callTool({ name, arguments: { ...given } })
  const [content] = answer.content as readonly { readonly text: string }[]
  return {
    isError: answer.isError === true,
    data: JSON.parse(content?.text ?? 'null') as Record<string, unknown>,
  }
}

const card = (reference: string, quantity = 1) => ({
  reference,
  lines: [{ item: VAPOUR_CARD, quantity }],
})
const confirm = async (accountId: string, id: string, answer: string) => {
  const { token } = await signedIn(ctx, accountId)
  const sent = await fetch(`${shop.origin}/api/agent/confirm`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: shop.origin,
      cookie: `${sessionCookieName(false)}=${token}`,
    },
    body: JSON.stringify({ id, answer }),
  })
  return (await sent.json()) as { readonly code: number }
}
const idIn = (url: unknown) => new URL(String(url)).searchParams.get('id') ?? ''

test('a program finds goods, checks an account, buys within its limit and gets the code', async () => {
  const { token } = await agent()
  const client = await connect(token)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'buy',
    'check_account',
    'keys',
    'order_status',
    'product',
    'quote',
    'search',
  ])
  expect((await use(client, 'search', { words: 'vapour' })).data['products']).toContainEqual(
    expect.objectContaining({ product: 'vapour-us' }),
  )
  expect((await use(client, 'product', { product: 'vapour-us' })).data['items']).toContainEqual(
    expect.objectContaining({ item: VAPOUR_CARD, price: { amount: '19.00', currency: 'USD' } }),
  )
  expect(
    await use(client, 'check_account', { item: PACK, fields: { user_id: 'x' } }),
  ).toMatchObject({ isError: true, data: { data: { fields: [{ field: 'fields.user_id' }] } } })
  expect(
    (await use(client, 'check_account', { item: PACK, fields: { user_id: '1234567' } })).data,
  ).toMatchObject({ state: 'unchecked', faults: [] })
  expect((await use(client, 'quote', { lines: card('').lines })).data).toEqual({
    total: { amount: '19.00', currency: 'USD' },
  })
  const reference = randomUUID()
  expect((await use(client, 'buy', card(reference))).data).toMatchObject({ result: 'done' })
  expect((await use(client, 'buy', card(reference))).data).toMatchObject({ result: 'done' })
  expect((await use(client, 'order_status', { reference })).data).toMatchObject({ result: 'done' })
  expect(JSON.stringify((await use(client, 'keys', { reference })).data)).toMatch(
    /"code":"M\d{11}"/,
  )
  expect(await ctx.db.selectFrom('reseller_order').select('id').execute()).toHaveLength(1)
  expect(await violations(ctx)).toEqual([])
})

test('above its limit it waits for the person, who agrees by a link, and above the key’s it is refused', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const asked = await use(client, 'buy', card('two', 2))
  expect(asked.data).toMatchObject({
    result: 'needs_confirmation',
    total: { amount: '38.00', currency: 'USD' },
    confirm_at: expect.stringContaining(`${shop.origin}/agent/confirm?id=`),
  })
  expect((await use(client, 'buy', card('two', 2))).data).toEqual(asked.data)
  const id = idIn(asked.data['confirm_at'])
  const { accountId: stranger } = await somebody(ctx, { withPassword: false })
  expect((await confirm(stranger, id, 'approve')).code).toBe(404)
  expect((await confirm(accountId, id, 'approve')).code).toBe(1)
  expect((await use(client, 'buy', card('two', 2))).data).toMatchObject({ result: 'done' })
  const other = await use(client, 'buy', card('three', 3))
  expect((await confirm(accountId, idIn(other.data['confirm_at']), 'refuse')).code).toBe(1)
  expect((await use(client, 'buy', card('three', 3))).data).toMatchObject({
    result: 'refused_by_person',
  })
  expect(await use(client, 'buy', card('six', 6))).toMatchObject({
    isError: true,
    data: { code: 2441, reason: 'over_limit' },
  })
})

test('without a limit of its own a program buys nothing that nobody agreed to', async () => {
  const { token } = await agent(undefined, null)
  const client = await connect(token)
  expect((await use(client, 'buy', card('asked'))).data).toMatchObject({
    result: 'needs_confirmation',
  })
})

test('what a person said stays said, for those goods alone, and as long as the link holds', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const ask = async () => (await use(client, 'buy', card('said', 2))).data
  const asked = await ask()
  const end = () =>
    ctx.db
      .updateTable('agent_confirmation')
      .set({ ends_at: new Date() })
      .where('account_id', '=', accountId)
      .execute()
  await end()
  expect((await confirm(accountId, idIn(asked['confirm_at']), 'approve')).code).toBe(404)
  const again = await ask()
  expect(idIn(again['confirm_at'])).not.toBe(idIn(asked['confirm_at']))
  expect((await confirm(accountId, idIn(again['confirm_at']), 'approve')).code).toBe(1)
  await confirm(accountId, idIn(again['confirm_at']), 'refuse')
  expect(await use(client, 'buy', card('said', 3))).toMatchObject({
    isError: true,
    data: { reason: 'conflict' },
  })
  await end()
  const third = await ask()
  expect(third).toMatchObject({ result: 'needs_confirmation' })
  expect((await confirm(accountId, idIn(third['confirm_at']), 'approve')).code).toBe(1)
  await confirm(accountId, idIn(third['confirm_at']), 'refuse')
  expect(await ask()).toMatchObject({ result: 'done' })
})

test('a program pays neither more than it says nor more than a person agreed to', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const dearer = { isError: true, data: { reason: 'price_changed' } }
  expect(await use(client, 'buy', { ...card('most'), max_total: '18.99' })).toMatchObject(dearer)
  const asked = await use(client, 'buy', card('risen', 2))
  expect((await confirm(accountId, idIn(asked.data['confirm_at']), 'approve')).code).toBe(1)
  const { id: item } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', VAPOUR_CARD)
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('item_level_price')
    .values({ item, level: 7, price_minor: 1_901n, price_currency: 'USD' })
    .execute()
  const atLevel = (level: number) =>
    ctx.db.updateTable('account').set({ role_id: level }).where('id', '=', accountId).execute()
  await atLevel(7)
  expect(await use(client, 'buy', card('risen', 2))).toMatchObject(dearer)
  await atLevel(0)
  expect((await use(client, 'buy', card('risen', 2))).data).toMatchObject({ result: 'done' })
})

test('a program does what its key is for, and nothing else', async () => {
  const reading = await connect((await agent(['browse', 'agent'])).token)
  const no = { isError: true, data: { reason: 'forbidden' } }
  expect(await use(reading, 'buy', card('no'))).toMatchObject(no)
  const buying = await connect((await agent(['browse', 'order', 'agent'])).token)
  expect((await use(buying, 'buy', card('yes'))).data).toMatchObject({ result: 'done' })
  expect(await use(buying, 'keys', { reference: 'yes' })).toMatchObject(no)
})

test('asked many times at once it answers one link, which a person can open', async () => {
  const { token } = await agent()
  const calls = await Promise.all([1, 2, 3, 4, 5, 6].map(() => connect(token)))
  const answers = await Promise.all(calls.map((client) => use(client, 'buy', card('together', 3))))
  const links = new Set(answers.map(({ data }) => idIn(data['confirm_at'])))
  const rows = ctx.db
    .selectFrom('agent_confirmation')
    .select('public_id')
    .where('reference', '=', 'together')
  expect([...links]).toEqual((await rows.execute()).map((row) => row.public_id))
})

test('the page of the link shows what is to be bought, and takes the answer without script', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const asked = await use(client, 'buy', card('page', 2))
  const { token: session } = await signedIn(ctx, accountId)
  const cookie = `${sessionCookieName(false)}=${session}`
  const shown = await (
    await fetch(String(asked.data['confirm_at']), { headers: { cookie } })
  ).text()
  expect(shown).toContain('A program wants to buy for you')
  expect(shown).toContain('$38.00')
  const sent = await fetch(String(asked.data['confirm_at']), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      origin: shop.origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ form: 'approve', id: idIn(asked.data['confirm_at']) }),
  })
  expect(sent.status).toBeLessThan(400)
  expect((await use(client, 'buy', card('page', 2))).data).toMatchObject({ result: 'done' })
})

test('who agrees sees whose account is credited', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const asked = await use(client, 'buy', {
    reference: 'account',
    lines: [
      { item: VAPOUR_CARD, quantity: 2 },
      { item: PACK, quantity: 1, fields: { user_id: '100200300' } },
    ],
  })
  expect(asked.data).toMatchObject({ result: 'needs_confirmation' })
  const { token: session } = await signedIn(ctx, accountId)
  const shown = await fetch(String(asked.data['confirm_at']), {
    headers: { cookie: `${sessionCookieName(false)}=${session}` },
  })
  expect(await shown.text()).toContain('>100200300</bdi>')
})

test('who agrees reads what is bought as the shop calls it in their language, with the amount', async () => {
  const { token, accountId } = await agent()
  const client = await connect(token)
  const asked = await use(client, 'buy', {
    reference: 'named',
    lines: [
      { item: PACK, quantity: 2, fields: { user_id: '100200300' } },
      { item: AIRTIME, quantity: 1, fields: { phone: '+12015550123' }, amount: 1_250 },
    ],
  })
  expect(asked.data).toMatchObject({ result: 'needs_confirmation' })
  const { token: session } = await signedIn(ctx, accountId)
  const page = String(asked.data['confirm_at']).replace(shop.origin, `${shop.origin}/de`)
  const shown = await fetch(page, { headers: { cookie: `${sessionCookieName(false)}=${session}` } })
  const text = await shown.text()
  expect(text).toContain('Drachenbruch')
  expect(text).toMatch(/>Bell, 12,50\s\$, United States<\/bdi>/)
})

test('nobody else is let in: no token, a wrong one, one without the scope, another site', async () => {
  const { token } = await agent()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const statusOf = async (headers: Readonly<Record<string, string>>) =>
    (
      await fetch(`${shop.origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      })
    ).status
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ authorization: `Bearer ${token}x` })).toBe(401)
  const plain = await agent(['browse', 'order'])
  expect(await statusOf({ authorization: `Bearer ${plain.token}` })).toBe(403)
  expect(await statusOf({ authorization: `Bearer ${token}`, origin: 'https://evil.example' })).toBe(
    403,
  )
  expect((await fetch(`${shop.origin}/mcp`)).status).toBe(405)
  expect(shop.log.join('')).not.toContain(token.split('.')[1])
})

test('each tool asks for the scope of the call it stands for, and suppliers are asked only so often', async () => {
  const bare = await connect((await agent(['agent'])).token)
  const lines = [{ item: VAPOUR_CARD, quantity: 1 }]
  const account = { item: PACK, fields: { user_id: '12345678' } }
  for (const [tool, given, scope] of [
    ['search', { words: 'vapour' }, 'browse'],
    ['product', { product: 'vapour-us' }, 'browse'],
    ['check_account', account, 'browse'],
    ['quote', { lines }, 'browse'],
    ['buy', { reference: 'bare-1', lines }, 'order'],
    ['order_status', { reference: 'bare-1' }, 'order'],
    ['keys', { reference: 'bare-1' }, 'reveal'],
  ] as const)
    expect(await use(bare, tool, given), tool).toMatchObject({
      isError: true,
      data: { reason: 'forbidden', data: { scope } },
    })
  const asking = await connect((await agent()).token)
  const reasons: unknown[] = []
  // A share comes back every second, however long this takes.
  while (reasons.at(-1) === undefined && reasons.length < 90)
    reasons.push((await use(asking, 'check_account', account)).data['reason'])
  expect(reasons[0]).toBeUndefined()
  expect(reasons.at(-1)).toBe('too_many_requests')
})

test('a key of a program orders nothing by a signed call, where no person would be asked', async () => {
  const { token, accountId } = await agent()
  const [key = '', secret = ''] = token.split('.')
  const signed = resellerClient(shop.origin, { key, secret })
  expect((await signed.post('order', card('past', 2))).status).toBe(403)
  const orders = ctx.db.selectFrom('shop_order').select('id').where('account_id', '=', accountId)
  expect(await orders.execute()).toEqual([])
})

test('one request is one call: a list of them is refused, and so is one that is too large', async () => {
  const { token } = await agent()
  const send = async (body: unknown) =>
    (
      await fetch(`${shop.origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(body),
      })
    ).status
  const one = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { words: 'vapour' } },
  }
  expect(await send(one)).toBe(200)
  expect(await send([one, { ...one, id: 2 }])).toBe(422)
  expect(await send({ ...one, more: 'x'.repeat(70_000) })).toBe(413)
})

test('a program is told of what it bought itself, and not of what else is bought for the account', async () => {
  const { email, token } = await agent()
  const shopKey = await createKey(asOperator(ctx), {
    email,
    name: 'The shop itself',
    scopes: ['browse', 'order', 'reveal'],
    orderMax: 10_000n,
    dayMax: 15_000n,
    agentMax: null,
    networks: [],
  })
  const signed = resellerClient(shop.origin, shopKey)
  expect((await signed.post('order', card('1001'))).data).toMatchObject({ result: 'done' })
  const client = await connect(token)
  for (const tool of ['order_status', 'keys'])
    expect(await use(client, tool, { reference: '1001' })).toMatchObject({
      isError: true,
      data: { code: 404 },
    })
  expect(await use(client, 'buy', card('1001'))).toMatchObject({
    isError: true,
    data: { code: 409 },
  })
  const [key = '', secret = ''] = token.split('.')
  const bySignature = resellerClient(shop.origin, { key, secret })
  expect((await bySignature.post('keys', { reference: '1001' })).code).toBe(404)
  const today = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  }
  expect((await bySignature.get('orders', today)).data['orders']).toEqual([])
  expect((await use(client, 'buy', card('1002'))).data).toMatchObject({ result: 'done' })
  expect(await use(client, 'keys', { reference: '1002' })).toMatchObject({ isError: false })
  expect((await bySignature.get('orders', today)).data['orders']).toMatchObject([
    { reference: '1002' },
  ])
  // Whoever runs the account sees all of it.
  expect((await signed.get('orders', today)).data['orders']).toHaveLength(2)
  expect((await signed.get('order_status', { reference: '1002' })).code).toBe(1)
})

test('a text that no database holds is refused, whichever tool it is for', async () => {
  const { token } = await agent(undefined, null)
  const call = async (name: string, given: object) => {
    const answer = await fetch(`${shop.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: given },
      }),
    })
    return answer.status
  }
  const lines = [{ item: VAPOUR_CARD, quantity: 1, fields: { 'a\u0000': 'b\u0000' } }]
  expect(await call('buy', { reference: 'nul', lines })).toBe(422)
  expect(await call('search', { words: '\ud800' })).toBe(422)
  expect(await call('search', { words: 'vapour' })).toBe(200)
})

test('what rises above a program’s limit while it is bought is not bought without its person', async () => {
  const { token, accountId } = await agent(undefined, 2_000n)
  await ctx.db.updateTable('account').set({ role_id: 8 }).where('id', '=', accountId).execute()
  const { id: item } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', PACK)
    .executeTakeFirstOrThrow()
  const price = (minor: bigint) =>
    ctx.db
      .insertInto('item_level_price')
      .values({ item, level: 8, price_minor: minor, price_currency: 'USD' })
      .onConflict((conflict) =>
        conflict.columns(['item', 'level']).doUpdateSet({ price_minor: minor }),
      )
      .execute()
  await price(1_900n)
  const snapshot = await loadSnapshot(ctx.db, 1)
  let asked = 0
  const transport = createMcpTransport({
    ctx,
    snapshot: () => snapshot,
    services: {
      ...testServices,
      payments: {
        ...testServices.payments,
        providers: new Map([['store-credit', storeCreditPayments(ctx)]]),
      },
      // The price rises after the program's first look at it.
      checkAccount: async () => {
        asked += 1
        if (asked === 1) await price(9_900n)
        return { state: 'unchecked' }
      },
    },
    visitorOf: () => ({ address: '127.0.0.1', network: '127.0.0.0/24', userAgent: '' }),
    publicUrl: shop.origin,
    release: '1',
  })
  const server = createServer(
    (req, res) =>
      void transport.answer(req).then(({ status, body }) => res.writeHead(status).end(body)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'buy',
          arguments: {
            reference: 'rises',
            lines: [{ item: PACK, quantity: 1, fields: { user_id: '81234567' } }],
          },
        },
      }),
    })
    expect(await answer.text()).toContain('2435')
  } finally {
    server.close()
  }
  expect(asked).toBeGreaterThan(1)
  const orders = ctx.db.selectFrom('shop_order').select('id').where('account_id', '=', accountId)
  expect(await orders.execute()).toEqual([])
})
