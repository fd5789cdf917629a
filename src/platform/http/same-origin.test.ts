import { expect, test } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const HTTPS = 'https://shop.example'
const PLAIN = 'http://127.0.0.1:3000'
const from = (
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
  fetchSite?: string,
) => isSameOrigin({ fetchSite, origin, host }, publicUrl)

test('what the browser says of the sender counts before anything else', () => {
  for (const site of ['same-origin', 'none'])
    expect(from('https://evil.example', 'shop.example', HTTPS, site)).toBe(true)
  for (const site of ['cross-site', 'same-site', '', 'same-origin, none'])
    expect(from(HTTPS, 'shop.example', HTTPS, site)).toBe(false)
})

test('an older browser is known by its Origin', () => {
  expect(from(HTTPS, 'shop.example', HTTPS)).toBe(true)
  expect(from('http://localhost:3000', 'localhost:3000', PLAIN)).toBe(true)
  expect(from(undefined, 'shop.example', HTTPS)).toBe(true)
})

test('another site, the plain twin of a shop under https and what is no origin are refused', () => {
  const others = [
    'null',
    '',
    'https://evil.example',
    'https://sub.shop.example',
    'https://shop.example.evil.example',
    'https://shop.example:444',
    'http://shop.example',
    'https://evil.example@shop.example',
    'https://shop.example/',
    'shop.example',
  ]
  for (const origin of others)
    expect([origin, from(origin, 'shop.example', HTTPS)]).toEqual([origin, false])
  for (const origin of [
    'null',
    'http://127.0.0.1:3001',
    'http://localhost:3000',
    'http://evil.example@127.0.0.1:3000',
  ])
    expect([origin, from(origin, '127.0.0.1:3000', PLAIN)]).toEqual([origin, false])
})
