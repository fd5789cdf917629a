import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOrderNumber, normaliseOrderNumber, orderNumber } from './order-number.ts'

const mac = (text: string) => createHmac('sha256', 'key of a test').update(text).digest()

test('no two orders share a number, and every number is one of ours', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => orderNumber(BigInt(index), mac))
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.every(isOrderNumber)).toBe(true)
})

test('neighbours tell nothing of each other: their numbers are half the range apart on average, as random ones are', () => {
  const numbers = Array.from(
    { length: 4_000 },
    (_, index) => Number(orderNumber(BigInt(index), mac).slice(0, 12)) / 1e12,
  )
  const distances = numbers
    .slice(1)
    .map((number, index) => Math.abs(number - (numbers[index] ?? 0)))
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length
  expect(mean).toBeGreaterThan(0.31)
  expect(mean).toBeLessThan(0.36)
})

test('another key gives other numbers', () => {
  expect(orderNumber(1n, mac)).not.toBe(
    orderNumber(1n, (text) => createHmac('sha256', 'another').update(text).digest()),
  )
})

test('one wrong digit, or two neighbours swapped, is no number of ours', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 999_999_999_999n }),
      fc.nat(12),
      fc.integer({ min: 1, max: 9 }),
      (sequence, place, shift) => {
        const digits = [...orderNumber(sequence, mac)]
        const wrong = digits.with(place, String((Number(digits[place]) + shift) % 10)).join('')
        expect(isOrderNumber(wrong)).toBe(false)
        const swapped =
          place < 12
            ? digits
                .with(place, digits[place + 1] ?? '')
                .with(place + 1, digits[place] ?? '')
                .join('')
            : null
        if (swapped !== null && swapped !== digits.join(''))
          expect(isOrderNumber(swapped)).toBe(false)
      },
    ),
  )
})

test('a number may be typed with blanks and hyphens', () => {
  expect(normaliseOrderNumber(' 1234-5678 90123 ')).toBe('1234567890123')
})

test('a sequence beyond twelve digits is refused', () => {
  expect(() => orderNumber(10n ** 12n, mac)).toThrow(RangeError)
})
