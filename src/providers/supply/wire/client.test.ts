import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openSupplyClient } from './client.ts'
import { isOutside, lookupOutside } from './outside.ts'

let server: Server | null = null
afterEach(() => server?.close())

/** Answers every connection with these bytes, as they are. */
async function serve(bytes: string): Promise<string> {
  const opened = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(bytes))
  })
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}/`
}
const client = openSupplyClient({ timeoutMs: 500, maxBytes: 100 })

test('a redirect is an answer and is not followed', async () => {
  const url = await serve(
    'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 2\r\n\r\n{}',
  )
  expect(await client({ method: 'GET', url })).toMatchObject({
    kind: 'answer',
    status: 302,
    json: {},
  })
})

test.each([
  ['an answer that ends within itself', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":1}'],
  ['an answer that is too large', `HTTP/1.1 200 OK\r\n\r\n${' '.repeat(101)}`],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['nothing', ''],
])('%s breaks the exchange', async (_, bytes) => {
  expect((await client({ method: 'GET', url: await serve(bytes) })).kind).toBe('broken')
})

test('numbers stay as they came, whatever their length', async () => {
  const body = '{"id":123456789012345678901,"amount":0.10}'
  const url = await serve(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect(await client({ method: 'GET', url })).toMatchObject({
    json: { id: '123456789012345678901', amount: '0.10' },
  })
})

test('what is no JSON is none', async () => {
  const url = await serve('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{"a"')
  expect(await client({ method: 'GET', url })).toMatchObject({ kind: 'answer', json: undefined })
})

test('a name that leads inside is not connected to', async () => {
  const guarded = openSupplyClient({ timeoutMs: 500, lookup: lookupOutside })
  expect(await guarded({ method: 'GET', url: 'http://localhost:9/' })).toEqual({
    kind: 'not_sent',
    why: 'EINSIDE',
  })
})

test('addresses of the world are outside', () => {
  expect(['8.8.8.8', '1.1.1.1', '2606:4700::1111'].every(isOutside)).toBe(true)
})
