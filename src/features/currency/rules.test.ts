import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertMinor, rateOf, shownDigits, type Currency } from './rules.ts'

function currency(code: string, minorUnits: number, perUsd: string | null, more: Partial<Currency> = {}): Currency {
  return {
    code, name: code, symbol: code, minorUnits, roundingIncrement: 1n, roundingMode: 'half_up', marginBasisPoints: 0, isCheckout: true,
    perUsd: perUsd === null ? null : rateOf(perUsd), rateObservedAt: null, ...more,
  }
}
const usd = currency('USD', 2, '1')

test.each([
  ['no digits', currency('JPY', 0, '150'), 499n, 749n],
  ['two digits', currency('EUR', 2, '0.92'), 499n, 459n],
  ['three digits', currency('KWD', 3, '0.3072'), 499n, 1533n],
  ['a margin of 2 %', currency('EUR', 2, '0.92', { marginBasisPoints: 200 }), 500n, 469n],
  ['rounding to whole rupiah', currency('IDR', 2, '15750', { roundingIncrement: 10_000n, roundingMode: 'up' }), 499n, 7_860_000n],
])('$4.99 or so in a currency with %s', (_, to, minor, expected) => {
  expect(convertMinor(minor, usd, to)).toBe(expected)
})

test('a price in its own currency is left alone, whatever the margin', () => {
  const eur = currency('EUR', 2, '0.92', { marginBasisPoints: 500, roundingIncrement: 100n })
  expect(convertMinor(1049n, eur, eur)).toBe(1049n)
})

test('without a rate there is no price', () => {
  expect(convertMinor(100n, usd, currency('XAU', 2, null))).toBeNull()
})

test('a dearer price never converts to less', () => {
  const to = currency('IDR', 2, '15750.5', { roundingIncrement: 10_000n, marginBasisPoints: 150 })
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 6n }), (minor, more) => {
    expect((convertMinor(minor + more, usd, to) ?? 0n) >= (convertMinor(minor, usd, to) ?? 0n)).toBe(true)
  }))
})

test('digits that the rounding makes zero are not shown', () => {
  expect([shownDigits(usd), shownDigits(currency('IDR', 2, '1', { roundingIncrement: 10_000n })), shownDigits(currency('CHF', 2, '1', { roundingIncrement: 5n }))]).toEqual([2, 0, 2])
})
