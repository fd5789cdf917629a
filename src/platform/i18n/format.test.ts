import bidiFactory from 'bidi-js'
import { expect, test } from 'vitest'
import { formatMoney } from './format.ts'

/** The package gives the function itself; its types put it one step further in. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** What stands on a page written from right to left, by an implementation of Unicode's rules for it. */
function seen(text: string): string {
  const levels = bidi.getEmbeddingLevels(text, 'rtl')
  return bidi
    .getReorderedString(text, levels)
    .replace(/[\u200e\u200f]/g, '')
    .replace(/\u00a0/g, ' ')
}

test('in Arabic what went back has its minus at its left, and its currency where that of other amounts is', () => {
  expect(seen(formatMoney('ar', 'USD', 455n, 2, 2))).toBe('US$ 4.55')
  expect(seen(formatMoney('ar', 'USD', -455n, 2, 2))).toBe('US$ −4.55')
  expect(seen(formatMoney('ar', 'EUR', -123_455n, 2, 2))).toBe('€ −1,234.55')
})

test('elsewhere the minus stands where the language has it', () => {
  expect(formatMoney('en', 'USD', -455n, 2, 2)).toBe('−$4.55')
  expect(formatMoney('de', 'EUR', -455n, 2, 2)).toBe('−4,55\u00a0€')
})
