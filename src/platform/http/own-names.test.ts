import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withOwnNames } from './own-names.ts'

const server = createServer(
  withOwnNames((req, res) => void res.end('the shop'), 'http://127.0.0.1:3000'),
)
const publicDemo = createServer(
  withOwnNames((req, res) => void res.end('the shop'), 'https://demo.example'),
)
beforeAll(async () => {
  for (const one of [server, publicDemo])
    await new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const one of [server, publicDemo]) one.close()
})

function statusFor(
  host: string,
  path = '/sandbox/mail.json',
  at = server,
): Promise<number | undefined> {
  const { port } = at.address() as AddressInfo
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

test.each([
  'localhost',
  'localhost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  '[::1]',
  'a.localhost:1',
])('the demo answers %s', async (host) => {
  expect(await statusFor(host)).toBe(200)
})

test.each([
  'shop.example',
  'shop.example:3000',
  '192.168.0.7:3000',
  'localhost.shop.example',
  '[::1.example',
  'localhost:80:shop.example',
  '127.0.0.1@shop.example',
])('the demo answers nobody who calls it %s', async (host) => {
  expect([await statusFor(host), await statusFor(host, '/healthz')]).toEqual([421, 421])
})

test('a sandbox of a public demo answers the name of its shop, and no other', async () => {
  const statuses = ['Demo.example', 'demo.example:443', 'localhost', 'other.example'].map((host) =>
    statusFor(host, '/', publicDemo),
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 421])
})
