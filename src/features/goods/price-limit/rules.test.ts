import { expect, test } from 'vitest'
import { ALL_PRICES, isBeyond, moveOf, priceName, reachOf, type ItemMoves } from './rules.ts'

const moves = (...pairs: readonly (readonly [string, number])[]): ItemMoves => new Map(pairs)

test('a move is told in millionths, exactly ten percent is ten percent, and none is too small to be one', () => {
  expect(moveOf({ before: 1_000n, after: 900n })).toBe(-100_000)
  expect(moveOf({ before: 1_000n, after: 1_100n })).toBe(100_000)
  expect(moveOf({ before: 10_000_000_000n, after: 9_999_999_999n })).toBe(-1)
  expect(moveOf({ before: 1n, after: 10n ** 18n })).toBe(2_000_000_000)
  expect(moveOf({ before: 5n, after: 5n })).toBe(0)
})

test('what somebody does to one price multiplies up, and going back is going back', () => {
  const down = moves(['EUR', -60_000])
  expect(reachOf([down], down).fall).toBeCloseTo(-1_164)
  const back = moves(['EUR', moveOf({ before: 940_000n, after: 1_000_000n })])
  const { fall, rise } = reachOf([down], back)
  expect(Math.abs(fall) + rise).toBeLessThan(1)
})

test('prices of one item count each by itself, and its base price counts for all of them', () => {
  const euro = moves(['EUR', -80_000])
  expect(reachOf([euro], moves(['USD', -80_000])).fall).toBeCloseTo(-800)
  expect(reachOf([euro], moves([ALL_PRICES, -80_000])).fall).toBeCloseTo(-1_536)
  expect(reachOf([moves([ALL_PRICES, -80_000])], euro).fall).toBeCloseTo(-1_536)
  expect(reachOf([euro], moves([priceName('EUR', 2), -80_000])).fall).toBeCloseTo(-800)
})

test('the limit itself may be reached, down and up, and without one nothing is beyond it', () => {
  expect(isBeyond({ fall: -1_000, rise: 0 }, 1_000)).toBe(false)
  expect(isBeyond({ fall: -1_000.01, rise: 0 }, 1_000)).toBe(true)
  expect(isBeyond({ fall: 0, rise: 1_001 }, 1_000)).toBe(true)
  expect(isBeyond({ fall: -9_999, rise: 99_999 }, null)).toBe(false)
  expect(isBeyond({ fall: -1, rise: 0 }, 0)).toBe(true)
})
