import { expect, test } from 'vitest'
import { bodyIn, encodeBody } from './http/encoding.ts'
import { ownBytes } from './own-bytes.ts'

const isAlone = (bytes: Uint8Array | null) => bytes?.buffer.byteLength === bytes?.byteLength

test('bytes that are kept hold no more memory than their length', () => {
  const pooled = Buffer.from('a page')
  expect(isAlone(pooled)).toBe(false)
  expect(ownBytes(pooled).equals(pooled)).toBe(true)
  expect(isAlone(ownBytes(pooled))).toBe(true)
  expect(ownBytes(ownBytes(pooled)).equals(pooled)).toBe(true)
})

test('pages that are kept hold no more memory than their length', async () => {
  const page = await encodeBody('<p>原神</p>'.repeat(500))
  expect(isAlone(page.br)).toBe(true)
  expect(isAlone(bodyIn(page, 'gzip'))).toBe(true)
})
