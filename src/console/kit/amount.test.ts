import { expect, test } from 'vitest'
import { minorOf } from './amount.ts'

test.each([
  ['150', 2, '15000'],
  ['150.5', 2, '15050'],
  ['0,05', 2, '5'],
  [' 1200 ', 0, '1200'],
  ['1.234', 3, '1234'],
  ['0', 2, null],
  ['1.234', 2, null],
  ['1.5', 0, null],
  ['-5', 2, null],
  ['5 EUR', 2, null],
  ['', 2, null],
])('%s of a currency with %i places is %s', (typed, places, minor) => {
  expect(minorOf(typed, places)).toBe(minor)
})
