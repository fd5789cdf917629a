import { expect, test } from 'vitest'
import { latinDigits, wholeNumber } from './digits.ts'

test('digits of every script become 0–9, and nothing else changes', () => {
  const zeros = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) =>
      /^\p{Nd}$/u.test(String.fromCodePoint(code)) &&
      // The mathematical ones are five runs without a gap.
      (!/^\p{Nd}$/u.test(String.fromCodePoint(code - 1)) ||
        (code >= 0x1d7ce && (code - 0x1d7ce) % 10 === 0 && code <= 0x1d7ff)),
  )
  expect(zeros.length).toBeGreaterThan(60)
  for (const zero of zeros) {
    const all = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(zero + value)).join(
      '',
    )
    expect([zero.toString(16), latinDigits(`a${all}-½²`)]).toEqual([
      zero.toString(16),
      'a0123456789-½²',
    ])
  }
})

test.each([
  ['3', 3],
  [' 12 ', 12],
  ['٣', 3],
  ['１０', 10],
  ['0x10', Number.NaN],
  ['1e2', Number.NaN],
  ['-1', Number.NaN],
  ['1.5', Number.NaN],
  ['', Number.NaN],
  ['9'.repeat(16), Number.NaN],
])('the whole number %j is %d', (typed, number) => {
  expect(wholeNumber(typed)).toBe(number)
})
