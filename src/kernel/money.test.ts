import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divide, parseDecimal, parseMajor, roundToIncrement, toMajor } from './money.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n })
const positive = fc.bigInt({ min: 1n, max: 10n ** 20n })

test('an amount written in major units reads back as the same amount', () => {
  fc.assert(
    fc.property(
      amount.filter((value) => value < 10n ** 18n),
      fc.integer({ min: 0, max: 4 }),
      (minor, digits) => {
        expect(parseMajor(toMajor(minor, digits), digits)).toBe(minor)
      },
    ),
  )
})

test('rounding up is never below and less than one above the exact quotient', () => {
  fc.assert(
    fc.property(amount, positive, (numerator, denominator) => {
      const up = divide(numerator, denominator, 'up')
      expect(
        up * denominator >= numerator && (up === 0n || (up - 1n) * denominator < numerator),
      ).toBe(true)
      expect(up - divide(numerator, denominator, 'down')).toBeLessThanOrEqual(1n)
    }),
  )
})

test('half up rounds to the nearest, a half away from zero', () => {
  expect(divide(5n, 2n, 'half_up')).toBe(3n)
  expect(divide(7n, 3n, 'half_up')).toBe(2n)
  fc.assert(
    fc.property(amount, positive, (numerator, denominator) => {
      const distance = divide(numerator, denominator, 'half_up') * denominator - numerator
      expect((distance < 0n ? -distance : distance) * 2n).toBeLessThanOrEqual(denominator)
    }),
  )
})

test('rounding to an increment gives a multiple and never makes a price free', () => {
  fc.assert(
    fc.property(
      positive,
      positive,
      fc.constantFrom(1n, 5n, 100n, 10_000n),
      (numerator, denominator, increment) => {
        const rounded = roundToIncrement(numerator, denominator, increment, 'half_up')
        expect(rounded % increment).toBe(0n)
        expect(rounded).toBeGreaterThan(0n)
      },
    ),
  )
})

test('decimals are read exactly and nothing else is', () => {
  expect(parseDecimal('15750.0850')).toEqual({ numerator: 157500850n, denominator: 10000n })
  for (const text of ['', '-1', '1e3', '0x10', ' 1', '1,5', 'NaN', '1.'])
    expect(() => parseDecimal(text)).toThrow(RangeError)
})

test.each([
  ['4.99', 2, 499n],
  ['4,9', 2, 490n],
  ['500', 0, 500n],
  ['1.0', 0, 1n],
  ['1.005', 2, null],
  ['', 2, null],
  ['-1', 2, null],
  ['1e9', 2, null],
  ['9'.repeat(40), 2, null],
])('a typed amount %j with %i digits is %s', (text, digits, expected) => {
  expect(parseMajor(text, digits)).toBe(expected)
})
