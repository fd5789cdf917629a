import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptedEncoding, bodyIn, encodeBody } from './encoding.ts'

test('a body reads the same in every encoding, and gzip is made once', async () => {
  const text = '<p>原神</p>'.repeat(500)
  const body = await encodeBody(text)
  expect(bodyIn(body, 'identity').toString()).toBe(text)
  expect(brotliDecompressSync(bodyIn(body, 'br')).toString()).toBe(text)
  expect(gunzipSync(bodyIn(body, 'gzip')).toString()).toBe(text)
  expect(bodyIn(body, 'gzip')).toBe(bodyIn(body, 'gzip'))
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['gzip;q=0', 'identity'],
  ['*', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('a client that accepts %j gets %s', (header, expected) => {
  expect(acceptedEncoding(header)).toBe(expected)
})
