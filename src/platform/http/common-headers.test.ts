import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withCommonHeaders } from './common-headers.ts'

/** As a kept page's: one list, sent again and again. */
const KEPT = ['content-type', 'text/html', 'content-security-policy', "default-src 'self'"]
const server = createServer(
  withCommonHeaders((req, res) => {
    if (req.url === '/with-cookie') res.setHeader('set-cookie', 'a=1')
    res.writeHead(200, KEPT)
    res.end('x')
  }, true),
)

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise<unknown>((resolve) => void server.close(resolve)))

const ask = async (path: string) =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).headers

test('a list of headers that is sent again keeps its own, has what all have once, and another id each time', async () => {
  const answers = [await ask('/'), await ask('/'), await ask('/with-cookie'), await ask('/')]
  for (const headers of answers) {
    expect(headers.get('content-security-policy')).toBe("default-src 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  }
  expect(new Set(answers.map((headers) => headers.get('x-request-id'))).size).toBe(answers.length)
  expect(answers.map((headers) => headers.get('set-cookie'))).toEqual([null, null, 'a=1', null])
  expect(KEPT).toHaveLength(4)
})
