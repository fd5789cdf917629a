import { connect } from 'node:net'
import { request, type IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import { withCommonHeaders } from '#platform/http/common-headers.ts'
import { parseProxies } from '#platform/http/visitor.ts'
import { answerBrokenRequests, boundConnections } from '#platform/http/connections.ts'
import { importSmallCatalogue } from '../test/support/catalogue-folder.ts'
import { useDatabase } from '../test/support/database.ts'
import { LAPTOP } from '../test/support/people.ts'
import { withReadLimit } from './limit-gate.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'

const database = useDatabase()
let https: RunningShop
let plain: RunningShop

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  https = await startShop(database.url, { PUBLIC_URL: 'https://shop.example' })
  plain = await startShop(database.url)
})
afterAll(() => Promise.all([https.stop(), plain.stop()]))

interface Seen {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

function ask(
  origin: string,
  target: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    request(origin, { path: target, method, headers, agent: false }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
    })
      .on('error', reject)
      .end()
  })
}

test('goods that change while the shop is being put together do not keep it from starting', async () => {
  const shop = await startShop(
    database.url,
    {},
    {
      holdSnapshot: async (options) => {
        const holder = await holdSnapshot(options)
        options.onChange(holder.current(), null)
        options.onStock?.([])
        return holder
      },
    },
  )
  expect((await ask(shop.origin, '/cards')).status).toBe(200)
  await shop.stop()
})

const POST = { method: 'POST', headers: { 'content-type': 'text/plain' } }
/** One answer of every kind, and the status it has. */
const KINDS: readonly (readonly [number, string, Parameters<typeof ask>[2]?])[] = [
  [200, '/'],
  [200, '/cards', { method: 'HEAD' }],
  [404, '/no-such-page'],
  [404, '/%ff'],
  [308, '/en/cards'],
  [302, '/user'],
  [200, '/login'],
  [405, '/cards', { method: 'PUT' }],
  [422, '/login', { ...POST, headers: { ...POST.headers, origin: 'https://shop.example' } }],
  [403, '/login', { ...POST, headers: { ...POST.headers, origin: 'https://elsewhere.example' } }],
  [200, '/healthz'],
  [200, '/readyz'],
  [200, '/robots.txt'],
  [200, '/sitemap.xml'],
  [200, '/api/goods/index'],
  [422, '/api/goods/index?x=%ff'],
  [204, '/api/goods/index', { method: 'OPTIONS' }],
  [204, '/api/user/login', { method: 'OPTIONS' }],
  [405, '/api/goods/index', { method: 'DELETE' }],
  [404, '/api/none'],
  [401, '/api/user/profile'],
  [403, '/api/user/login', { ...POST, headers: { origin: 'https://elsewhere.example' } }],
  [404, '/api/webhook/none', { method: 'POST' }],
  [200, '/api/openapi.json'],
  [200, '/api/docs'],
  [404, '/img/none.webp'],
  [404, '/img/upload/none.webp'],
  [403, '/language_currency', { ...POST, headers: { origin: 'https://elsewhere.example' } }],
  [422, '/language_currency', POST],
]

test('every answer says that it is what it says it is, and under https that there is no other way', async () => {
  for (const [status, target, options] of KINDS) {
    const seen = await ask(https.origin, target, options)
    expect([target, seen.status]).toEqual([target, status])
    expect([
      target,
      seen.headers['x-content-type-options'],
      seen.headers['strict-transport-security'],
    ]).toEqual([target, 'nosniff', 'max-age=31536000; includeSubDomains'])
    const policy = seen.headers['content-security-policy']
    for (const directive of [
      /(?:object|default)-src 'none'/,
      /base-uri 'none'/,
      /frame-ancestors 'none'/,
    ])
      expect([target, policy]).toEqual([target, expect.stringMatching(directive)])
  }
})

test('whom to tell of a weakness is told at the place that is looked at, once the shop names somebody', async () => {
  const where = '/.well-known/security.txt'
  expect((await ask(https.origin, where)).status).toBe(404)
  const db = database.ctx.db
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'shop')
    .executeTakeFirstOrThrow()
  const set = (shop: unknown) =>
    db
      .updateTable('setting')
      .set({ value: JSON.stringify(shop) })
      .where('key', '=', 'shop')
      .execute()
  await set({ ...(value as object), security_contact: 'security@shop.example' })
  await vi.waitFor(
    async () =>
      expect(await (await fetch(`${https.origin}${where}`)).text()).toMatch(
        /^Contact: mailto:security@shop\.example\nExpires: .*Z\nCanonical: https:\/\/shop\.example\/\.well-known\/security\.txt\n$/,
      ),
    { timeout: 60_000, interval: 50 },
  )
  await set(value)
})

test('so does what has not changed since', async () => {
  for (const target of ['/cards', '/api/goods/index', '/api/openapi.json']) {
    await ask(https.origin, target)
    const { etag = '' } = (await ask(https.origin, target)).headers
    expect(etag).not.toBe('')
    const { status, headers } = await ask(https.origin, target, {
      headers: { 'if-none-match': etag },
    })
    expect([
      status,
      headers['x-content-type-options'],
      headers['strict-transport-security'],
      // What the browser has keeps the policy that it came with.
      headers['content-security-policy'],
    ]).toEqual([304, 'nosniff', 'max-age=31536000; includeSubDomains', undefined])
  }
})

test('so does what tells to wait', async () => {
  const limited = withReadLimit(() => undefined, {
    takeShare: () => 5,
    visitorOf: () => LAPTOP,
    isFile: () => false,
    log: database.ctx.log,
  })
  const server = createServer(withCommonHeaders(limited, true))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const target of ['/cards', '/api/goods/index'])
    expect(await ask(`http://127.0.0.1:${port}`, target)).toMatchObject({
      status: 429,
      headers: {
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      },
    })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('a shop under http promises no https', async () => {
  for (const target of ['/', '/api/goods/index', '/none'])
    expect((await ask(plain.origin, target)).headers['strict-transport-security']).toBeUndefined()
})

/** What a browser would have shown is sent to another place; a program would have sent its secret and noticed nothing. */
test('a call that came without encryption is led to no other address', async () => {
  const unencrypted = { headers: { 'x-forwarded-proto': 'http', forwarded: 'proto=http' } }
  for (const [status, target, { method, headers } = {}] of KINDS)
    if (target.startsWith('/api/')) {
      const seen = await ask(https.origin, target, {
        ...(method ? { method } : {}),
        headers: { ...headers, ...unencrypted.headers },
      })
      expect([target, seen.status, seen.headers.location]).toEqual([target, status, undefined])
    }
})

test('nothing of how the shop is made, and nothing to look into it by, is served', async () => {
  for (const target of [
    '/.env',
    '/.git/config',
    '/package.json',
    '/src/server.ts',
    '/assets/../package.json',
    '/assets/entry.js.map',
    '/@vite/client',
    '/@fs/etc/passwd',
    '/debug',
    '/debug/pprof',
    '/json/list',
    '/metrics',
    '/api/debug',
  ])
    expect([target, (await ask(https.origin, target)).status]).toEqual([target, 404])
})

/** Whatever comes back for bytes sent over a plain connection. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes))
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => (text += part))
      .on('close', () => resolve(text))
      .on('error', reject)
  })
}

test('what is no request, has too long a head or comes too slowly is answered and ended', async () => {
  const server = createServer(
    { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
    (_, res) => void res.end('served'),
  )
  answerBrokenRequests(server, true)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nHost: a\r\nX: slow', 408],
    ['', 408],
  ] as const) {
    const answer = await raw(port, bytes)
    expect([bytes.slice(0, 40), answer.slice(0, 12)]).toEqual([
      bytes.slice(0, 40),
      `HTTP/1.1 ${status}`,
    ])
    expect(answer).toContain('x-content-type-options: nosniff\r\nstrict-transport-security:')
  }
  await new Promise((resolve) => server.close(resolve))
})

test('one address holds a share of what is free, and others still get in', async () => {
  const server = createServer((_, res) => void res.end('served'))
  boundConnections(server, parseProxies(''), 400)
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const open = async (host: string, count: number) => {
    const sockets = await Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect({ port, host: '127.0.0.1', localAddress: host }, () =>
              resolve(socket),
            )
            socket.on('error', () => undefined)
          }),
      ),
    )
    return () => sockets.filter((socket) => !socket.closed && socket.readable)
  }
  const settles = (left: () => readonly unknown[]) =>
    expect.poll(() => left().length, { timeout: 60_000 })
  const first = await open('127.0.0.2', 300)
  await settles(first).toBe(80)
  await settles(await open('127.0.0.3', 300)).toBe(64)
  await settles(await open('127.0.0.4', 10)).toBe(10)
  for (const socket of first()) socket.destroy()
  await expect.poll(async () => (await open('127.0.0.2', 5))().length, { timeout: 60_000 }).toBe(5)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
})
