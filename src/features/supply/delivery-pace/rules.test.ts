import { expect, test } from 'vitest'
import { paceOf, roundedSeconds } from './rules.ts'

test.each([
  [0, 1],
  [0.4, 1],
  [8.2, 9],
  [10.1, 15],
  [59, 60],
  [61, 120],
  [600, 600],
  [601, 1_200],
  [7_201, 10_800],
  [200_000, 259_200],
])('%d seconds are told as %d', (seconds, told) => {
  expect(roundedSeconds(seconds)).toBe(told)
})

const measured = { product: 'p', supplier: null, deliveries: 20, p50: 8.5, p95: 20 }

test.each([
  ['no more than usual', 9, null],
  ['longer, but not for long', 25, null],
  ['much longer', 118, 120],
  ['unknown', null, null],
])('what it takes now, %s, is %d and told as %d', (_, now, told) => {
  expect(paceOf({ ...measured, now })).toEqual({
    product: 'p',
    supplier: null,
    deliveries: 20,
    p50Seconds: 9,
    p95Seconds: 20,
    nowSeconds: told,
  })
})

test('95 of 100 never took less than half, also as it is told', () => {
  for (let p50 = 0; p50 < 10_000; p50 += 7)
    expect(roundedSeconds(p50 * 1.01)).toBeGreaterThanOrEqual(roundedSeconds(p50))
})
