import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { withSandboxes } from './sandbox-gate.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const shop: RequestListener = (_req, res) => void res.writeHead(404).end('shop')

async function gate(sandbox: RequestListener): Promise<string> {
  const port = await listen(sandbox)
  return `http://127.0.0.1:${await listen(withSandboxes(shop, { ports: { mail: port }, publicUrl: 'https://shop.example' }))}`
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

test('a request passes through with its method, path, body and cookies, and tells the public address', async () => {
  const base = await gate(async (req, res) => {
    const {
      host,
      cookie,
      'x-forwarded-host': forwardedHost,
      'x-forwarded-proto': proto,
      'x-forwarded-for': from,
      te,
    } = req.headers
    res.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'content-type': 'application/json' })
    res.end(
      JSON.stringify({
        method: req.method,
        url: req.url,
        body: await bodyOf(req),
        host,
        cookie,
        forwardedHost,
        proto,
        from,
        te,
      }),
    )
  })
  const answer = await fetch(`${base}/sandbox/mail/x?y=1`, {
    method: 'PUT',
    body: 'hello',
    headers: {
      cookie: 'c=3',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      te: 'trailers',
    },
  })
  expect(answer.status).toBe(201)
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await answer.json()).toEqual({
    method: 'PUT',
    url: '/sandbox/mail/x?y=1',
    body: 'hello',
    host: 'shop.example',
    cookie: 'c=3',
    forwardedHost: 'shop.example',
    proto: 'https',
    from: '127.0.0.1',
  })
})

test.each(['/sandbox/mail', '/sandbox/mail.json?to=a', '/sandbox/mail/1'])(
  '%s belongs to the sandbox',
  async (path) => {
    const base = await gate((_req, res) => void res.end('sandbox'))
    expect(await (await fetch(base + path)).text()).toBe('sandbox')
  },
)

test.each([
  '/',
  '/sandbox',
  '/sandbox/',
  '/sandbox/supply',
  '/sandbox/mailbox',
  '/sandbox/constructor',
  '/de/sandbox/mail',
  '//sandbox/mail',
])('%s belongs to the shop', async (path) => {
  const base = await gate((_req, res) => void res.end('sandbox'))
  expect(await (await fetch(base + path)).text()).toBe('shop')
})

test('the port that takes mail is no page', async () => {
  const port = await listen((_req, res) => void res.end('sandbox'))
  const base = `http://127.0.0.1:${await listen(withSandboxes(shop, { ports: { smtp: port }, publicUrl: 'https://shop.example' }))}`
  for (const path of ['/sandbox/smtp', '/sandbox/smtp/x', '/sandbox/smtp.json'])
    expect(await (await fetch(base + path)).text()).toBe('shop')
})

test('a shop without sandboxes keeps its own listener', () => {
  expect(withSandboxes(shop, { ports: {}, publicUrl: 'https://shop.example' })).toBe(shop)
})

test('a body of more than 1 MiB is refused, announced or not', async () => {
  const base = await gate(async (req, res) => void res.end(await bodyOf(req).catch(() => '')))
  const large = 'x'.repeat(1024 * 1024 + 1)
  expect((await fetch(`${base}/sandbox/mail`, { method: 'POST', body: large })).status).toBe(413)
  const unannounced = new ReadableStream({
    start(stream) {
      for (let part = 0; part < 20; part += 1) stream.enqueue(Buffer.alloc(64 * 1024))
      stream.close()
    },
  })
  const answer = await fetch(`${base}/sandbox/mail`, {
    method: 'POST',
    body: unannounced,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    () => 413,
  )
  expect(answer).toBe(413)
})

test('a sandbox that is down gives a page that says so', async () => {
  const port = await listen(shop)
  servers.splice(0).forEach((server) => server.close())
  const base = `http://127.0.0.1:${await listen(withSandboxes(shop, { ports: { mail: port }, publicUrl: 'https://shop.example' }))}`
  const answer = await fetch(`${base}/sandbox/mail`)
  expect(answer.status).toBe(502)
  expect(await answer.text()).toContain('not running')
})
