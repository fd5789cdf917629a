import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addUp,
  bucketEnd,
  changeOf,
  LAST_BUCKET,
  NO_FIGURES,
  quantile,
  shareOf,
  timesUpTo,
} from './rules.ts'

/** As the database does it (`write/hour.ts`). */
const bucketOf = (seconds: number) =>
  seconds < 1 ? 0 : Math.min(LAST_BUCKET, 1 + Math.floor(4 * Math.log2(seconds)))

const timesOf = (all: readonly number[]) => {
  const times = Array.from({ length: LAST_BUCKET + 1 }, () => 0)
  for (const seconds of all) times[bucketOf(seconds)] = (times[bucketOf(seconds)] ?? 0) + 1
  return times
}

test('a time read from buckets is off by less than a fifth, however many days are added up', () => {
  const seconds = fc.double({ min: 1, max: 1_000_000, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(seconds, { minLength: 1, maxLength: 50 }),
      fc.array(seconds),
      (one, other) => {
        const { times } = addUp([
          { ...NO_FIGURES, times: timesOf(one) },
          { ...NO_FIGURES, times: timesOf(other) },
        ])
        const all = [...one, ...other].toSorted((a, b) => a - b)
        for (const part of [0.5, 0.95]) {
          const exact = all[Math.ceil(all.length * part) - 1] ?? 0
          const read = quantile(times, part) ?? 0
          expect(read / exact).toBeGreaterThan(1 / 1.2)
          expect(read / exact).toBeLessThan(1.2)
        }
      },
    ),
  )
})

test('nothing delivered has no time, and what took less than a second is told as that', () => {
  expect(quantile([], 0.5)).toBeNull()
  expect(quantile([0, 0], 0.5)).toBeNull()
  expect(quantile([4], 0.5)).toBe(0.5)
})

test('each unit stands in one column, those above the last in the one after it', () => {
  const times = timesOf([0.2, 3, 3, 40, 4_000_000])
  expect(timesUpTo(times, [5, 60, 3_600])).toEqual([3, 1, 0, 1])
  expect(bucketEnd(8)).toBe(4)
})

test('shares and changes are whole hundredths of a percent, rounded, and none of nothing', () => {
  expect(shareOf(1n, 3n)).toBe(3333)
  expect(shareOf(2n, 3n)).toBe(6667)
  expect(shareOf(-1n, 3n)).toBe(-3333)
  expect(shareOf(1n, 0n)).toBeNull()
  expect(changeOf(150n, 100n)).toBe(5000)
  expect(changeOf(50n, 100n)).toBe(-5000)
  expect(changeOf(50n, -100n)).toBe(15_000)
  expect(changeOf(1n, 0n)).toBeNull()
})
