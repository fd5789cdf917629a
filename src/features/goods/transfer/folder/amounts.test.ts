import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmount, trimDecimal, writeAmount } from './amounts.ts'

const digits = new Map([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
])

test('an amount is in the currency of its place, or in the one it names', () => {
  expect(readAmount('4.99', 'USD', digits)).toEqual({ minor: 499n, currency: 'USD' })
  expect(readAmount('JPY 500', 'USD', digits)).toEqual({ minor: 500n, currency: 'JPY' })
})

test('too many digits and unknown currencies are told', () => {
  expect(readAmount('4.999', 'USD', digits)).toBe('USD has 2 digits after the point')
  expect(readAmount('1.5', 'JPY', digits)).toBe('JPY has 0 digits after the point')
  expect(readAmount('XXX 1', 'USD', digits)).toBe('unknown currency XXX')
})

test('writing and reading an amount gives the same amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
      fc.constantFrom('USD', 'JPY', 'KWD'),
      fc.constantFrom('USD', 'JPY'),
      (minor, of, place) => {
        expect(readAmount(writeAmount(String(minor), of, place, digits), place, digits)).toEqual({
          minor,
          currency: of,
        })
      },
    ),
  )
})

test('whole amounts lose their zeros, others keep both digits', () => {
  expect(trimDecimal('5.00', 'fraction')).toBe('5')
  expect(trimDecimal('4.50', 'fraction')).toBe('4.50')
  expect(trimDecimal('0.860000', 'zeros')).toBe('0.86')
})
