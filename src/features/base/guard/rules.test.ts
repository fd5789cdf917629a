import { expect, test } from 'vitest'
import { pauseAfter } from './rules.ts'

test('pauses begin at 15 minutes after five wrong tries, double, and never pass a day', () => {
  expect([1, 4, 5, 6, 9, 10, 15, 20].map((failures) => pauseAfter(failures) / 60_000)).toEqual([
    0, 0, 15, 0, 0, 30, 60, 120,
  ])
  expect(pauseAfter(35) / 60_000).toBe(960)
  for (const failures of [40, 500, 1_000_000, 2_147_483_645])
    expect(pauseAfter(failures)).toBe(86_400_000)
})
