import { expect, test } from 'vitest'
import { canonicalAddress } from './load-page.ts'
import { matchRoute } from './match.ts'

const addressOf = (path: string, query: string) =>
  canonicalAddress(path, matchRoute(path), new URLSearchParams(query), 'https://shop.example')

test('an address keeps the parameters of its page and no others', () => {
  expect(addressOf('/order/detail', 'do=problem&utm=x&order=abc&token=secret')).toBe(
    '/order/detail?order=abc&do=problem',
  )
})

test.each(['/order/cashier', '/order/pay', '/order/detail'])(
  '%s: what is no text to the database counts as not given',
  (path) => {
    expect(addressOf(path, 'order=a%00b')).toBe(path)
  },
)
