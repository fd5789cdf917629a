import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRateLimits } from '#platform/http/rate-limiter.ts'
import { parseProxies, visitorOf } from '#platform/http/visitor.ts'
import { createLogger } from '#platform/log.ts'
import { withReadLimit } from './limit-gate.ts'

const clock = { ms: 0 }
const log: string[] = []
const proxies = parseProxies('127.0.0.1')
let server: Server
let origin: string

beforeAll(async () => {
  const takeShare = createRateLimits({ isOn: true, now: () => clock.ms })
  server = createServer(
    withReadLimit((_, res) => res.end('served'), {
      takeShare,
      visitorOf: (req) => visitorOf(req, proxies),
      isFile: (path) => path === '/assets/app.js',
      log: createLogger({ level: 'info', write: (line) => log.push(line) }),
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  clock.ms += 3_600_000
})

const get = (path: string, address = '203.0.113.9', method = 'GET') =>
  fetch(origin + path, { method, headers: { 'x-forwarded-for': address } })

async function exhaust(address: string): Promise<void> {
  for (let n = 0; n < 2_000; n += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await get('/', address)).text()))
}

test('who asks too often is told when to come back, in the language and form of what was asked', async () => {
  await exhaust('203.0.113.9')
  const page = await get('/de/cards')
  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
    event: 'limit.refused',
    limit: 'read',
    network: '203.0.113.0/24',
  })
  expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual(
    [429, '1', 'no-store'],
  )
  expect(await page.text()).toMatch(/Sekunde/)
  expect(await (await get('/')).text()).toBe('Too many requests. Try again in 1 second.')
  const call = await get('/api/goods/index?lang=ja&token=x')
  expect([call.status, call.headers.get('retry-after'), call.headers.get('content-type')]).toEqual([
    429,
    '1',
    'application/json; charset=utf-8',
  ])
  expect(await call.json()).toMatchObject({
    code: 429,
    data: null,
    msg: expect.stringContaining('秒'),
  })
  expect(await (await get('/cards', '203.0.113.9', 'HEAD')).text()).toBe('')
})

test('others, files of the program and health checks are answered meanwhile, and soon the caller too', async () => {
  await exhaust('203.0.113.9')
  expect((await get('/')).status).toBe(429)
  for (const path of ['/assets/app.js', '/assets/app.js?1', '/healthz', '/readyz?x'])
    expect((await get(path)).status).toBe(200)
  for (const path of ['/healthzz', '/assets/nothing.js']) expect((await get(path)).status).toBe(429)
  expect((await get('/', '203.0.113.10')).status).toBe(200)
  clock.ms += 10
  expect((await get('/')).status).toBe(200)
})
