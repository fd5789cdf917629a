import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleNotices } from '#features/buying/payment/flows.ts'
import { openDatabase } from '#platform/db.ts'
import { ProviderRefusal, type PaymentProvider } from '#providers/payment/provider.ts'
import { SupplyRefusal, type SupplyProvider } from '#providers/supply/provider.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakeSupplier } from '../../test/support/fake-supplier.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { beginPaying } from '../../test/support/paying.ts'
import { send } from './answer.ts'
import { createWebhooks } from './webhooks.ts'

const database = useDatabase()
const fake = createFakePayments()
const SECRET = 'signing secret'
const sign = (body: string | Buffer) => createHmac('sha256', SECRET).update(body).digest('hex')

/** Takes notices whose body is signed as it came, byte for byte. */
const provider: PaymentProvider = {
  ...fake.provider,
  readNotice: async (body, headers) => {
    const given = Buffer.from(headers.get('x-signature') ?? '', 'hex')
    const expected = Buffer.from(sign(Buffer.from(body)), 'hex')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ProviderRefusal('the signature is wrong')
    const { id, kind, payment } = JSON.parse(Buffer.from(body).toString()) as {
      id: string
      kind: string
      payment: string
    }
    return { eventId: id, kind, paymentReference: payment }
  },
}
/** How long the notices were that a supplier was given to read; none of them is its own. */
const lengthsRead: number[] = []
const supplier: SupplyProvider = {
  ...createFakeSupplier('fakesupply').provider,
  async readNotice(body) {
    lengthsRead.push(body.length)
    throw new SupplyRefusal('not theirs')
  },
}
const payments = { providers: new Map([['fake', provider]]), publicUrl: 'https://shop.example' }
const servers: Server[] = []
let origin: string

/** The webhooks alone, on a port of their own. */
async function serve(ctx = database.ctx): Promise<string> {
  const webhooks = createWebhooks(ctx, payments, new Map([['fakesupply', supplier]]), (req) => ({
    network: String(req.headers['x-network'] ?? ''),
  }))
  const server = createServer(
    (req, res) => void webhooks.answer(req).then((answer) => send(res, req.method ?? '', answer)),
  )
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  await addCurrencies(database.ctx)
  origin = await serve()
})
afterAll(() =>
  servers.forEach((server) => {
    server.closeAllConnections()
    server.close()
  }),
)

const notice = (id: string, payment: string, kind = 'payment.captured') =>
  JSON.stringify({ id, kind, payment })
const post = (
  body: string,
  headers: Record<string, string> = {},
  at = `${origin}/api/webhook/fake`,
) =>
  fetch(at, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-signature': sign(body), ...headers },
  })
const events = (prefix: string) =>
  database.ctx.db
    .selectFrom('provider_event')
    .selectAll()
    .where('event_id', 'like', `${prefix}%`)
    .execute()

async function paid() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const made = await buy(database.ctx, [{ item }])
  const { id, reference } = await beginPaying(database.ctx, payments, made)
  fake.pay(id, { minor: 1_000n, currency: 'USD' })
  return { ...made, reference }
}

test('a notice is stored as it came and answered without a word', async () => {
  const { reference } = await paid()
  const body = notice('plain-1', reference)
  const answer = await post(body, {
    cookie: '__Host-sid=x',
    origin: 'https://elsewhere.example',
    'sec-fetch-site': 'cross-site',
  })
  expect([answer.status, await answer.text(), answer.headers.get('set-cookie')]).toEqual([
    204,
    '',
    null,
  ])
  expect(await events('plain-')).toMatchObject([
    {
      provider: 'fake',
      kind: 'payment.captured',
      provider_reference: reference,
      body: Buffer.from(body),
      processed_at: null,
    },
  ])
})

test('one that comes again is answered alike and stored once', async () => {
  const body = notice('again-1', 'fake_x')
  expect(
    (await Promise.all(Array.from({ length: 20 }, () => post(body)))).map(({ status }) => status),
  ).toEqual(Array(20).fill(204))
  expect(await events('again-')).toHaveLength(1)
})

test.each([
  ['no signature', { 'x-signature': '' }],
  ['a signature of another body', { 'x-signature': sign('{}') }],
  ['a signature cut short', { 'x-signature': 'ab' }],
])('%s is refused and leaves nothing', async (_, headers) => {
  const answer = await post(notice('forged-1', 'fake_x'), headers)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({
    code: 400,
    msg: 'This notice is not accepted.',
    data: null,
  })
  expect(await events('forged-')).toHaveLength(0)
})

test('the signature is of the bytes: the same JSON written otherwise is refused', async () => {
  const body = notice('bytes-1', 'fake_x')
  expect((await post(`${body} `, { 'x-signature': sign(body) })).status).toBe(400)
  expect(await events('bytes-')).toHaveLength(0)
})

test('a body above 256 KiB is refused, said in advance or not', async () => {
  expect((await post('x'.repeat(256 * 1024 + 1))).status).toBe(413)
  const status = await new Promise<number>((resolve, reject) => {
    const req = request(`${origin}/api/webhook/fake`, { method: 'POST' }, (res) =>
      resolve(res.resume().statusCode ?? 0),
    )
    req.once('error', reject)
    req.write('x'.repeat(200 * 1024))
    req.write('x'.repeat(100 * 1024))
    req.end()
  })
  expect(status).toBe(413)
})

test("a supplier's notice above 64 KiB is refused before it is read", async () => {
  const told = async (length: number) =>
    (await post('a'.repeat(length), {}, `${origin}/api/webhook/fakesupply`)).status
  expect([await told(64 * 1024), await told(64 * 1024 + 1)]).toEqual([400, 413])
  expect(lengthsRead).toEqual([64 * 1024])
})

test.each(['', 'unknown', 'fake/x', 'FAKE', '../pay/start', '%66ake'])(
  'there is no provider "%s"',
  async (code) => {
    const answer = await post('{}', {}, `${origin}/api/webhook/${code}`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 404 }])
  },
)

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s is no way to send one', async (method) => {
  const answer = await fetch(`${origin}/api/webhook/fake`, { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
})

test('whose notices are refused time and again is not looked at for a minute, and others are', async () => {
  const { reference } = await paid()
  const body = notice('limited-1', reference)
  const forged = () => post(body, { 'x-signature': '00', 'x-network': '203.0.113.0/24' })
  for (let count = 0; count < 30; count += 1) expect((await forged()).status).toBe(400)
  const answer = await forged()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await post(body, { 'x-network': '203.0.113.0/24' })).status).toBe(429)
  expect((await post(body, { 'x-network': '198.51.100.0/24' })).status).toBe(204)
})

test('without a database it is to be sent again', async () => {
  const gone = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    poolSize: 1,
    statementTimeoutMs: 1_000,
  })
  const away = await serve({ ...database.ctx, db: gone })
  const answer = await post(notice('away-1', 'fake_x'), {}, `${away}/api/webhook/fake`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  await gone.destroy()
})

test('2,000 notices of ten payments, twice and in any order, settle each once', {
  timeout: 600_000,
}, async () => {
  const bought = await Promise.all(Array.from({ length: 10 }, () => paid()))
  const notices = Array.from({ length: 1_000 }, (_, index) =>
    notice(
      `many-${index}`,
      bought[index % 10]?.reference ?? '',
      index % 3 === 0 ? 'payment.created' : 'payment.captured',
    ),
  )
  const sent = [...notices, ...notices]
    .map((body, index) => ({ body, at: (index * 7_919) % 2_003 }))
    .toSorted((a, b) => a.at - b.at)
  for (let from = 0; from < sent.length; from += 100) {
    const answers = await Promise.all(sent.slice(from, from + 100).map(({ body }) => post(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
  const stored = await events('many-')
  expect(stored).toHaveLength(1_000)
  while ((await settleNotices(database.ctx, payments)) > 0);
  expect((await events('many-')).filter(({ processed_at: at }) => at === null)).toHaveLength(0)
  for (const { id } of bought) {
    const order = await database.ctx.db
      .selectFrom('shop_order')
      .select(['status', 'captured_minor'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(order).toEqual({ status: 'completed', captured_minor: '1000' })
  }
  expect(await violations(database.ctx)).toEqual([])
})
