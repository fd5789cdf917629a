import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withOriginForm } from './origin-form.ts'

const server = createServer(
  withOriginForm((req, res) => void res.end(`${req.headers.host} ${req.url}`)),
)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const ask = (target: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    request({ host: '127.0.0.1', port, path: target, headers: { host: 'header.example' } }, (res) =>
      res.setEncoding('utf8').on('data', resolve),
    )
      .on('error', reject)
      .end()
  })

test.each([
  ['/cards?x=http://a.example/', 'header.example /cards?x=http://a.example/'],
  ['http://shop.example/cards?x=1', 'shop.example /cards?x=1'],
  ['HTTPS://shop.example:3000', 'shop.example:3000 /'],
  ['http://shop.example?x', 'shop.example /?x'],
])('%s is %s', async (target, seen) => {
  expect(await ask(target)).toBe(seen)
})
