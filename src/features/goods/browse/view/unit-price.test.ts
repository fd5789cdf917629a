import { expect, test } from 'vitest'
import type { Item } from '#features/goods/catalogue/rules.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { unitPriceTexts } from './unit-price.ts'

const view = {
  language: 'en',
  currency: { code: 'USD', minorUnits: 2, roundingIncrement: 1n } as Currency,
  t: translatorOf('en'),
} as const
const pack = (units: bigint, bonus: bigint, minor: bigint | null, kind: Item['kind'] = 'pack') => ({
  item: { kind, units, bonus },
  minor,
})

test('what comes on top counts, and the smallest pack is what others are compared with', () => {
  expect(unitPriceTexts([pack(78n, 8n, 149n), pack(468n, 52n, 869n)], 'Diamonds', view)).toEqual([
    'Diamonds: $1.73 per 100',
    'Diamonds: $1.67 per 100, 3% less than in the smallest pack',
  ])
})

test('coins that cost next to nothing are told by the million', () => {
  const texts = unitPriceTexts(
    [pack(1_000_000n, 0n, 99n), pack(10_000_000n, 0n, 1_099n)],
    'Coins',
    view,
  )
  expect(texts).toEqual(['Coins: $9.90 per 10,000,000', 'Coins: $10.99 per 10,000,000'])
})

test('dearer than the smallest pack is not called cheaper', () => {
  expect(unitPriceTexts([pack(100n, 0n, 100n), pack(200n, 0n, 210n)], 'Gems', view)[1]).toBe(
    'Gems: $1.05 per 100',
  )
})

test('what has no units, no price, or nothing to be compared with says nothing', () => {
  const passes = [pack(100n, 0n, 100n, 'pass'), pack(100n, 0n, 100n), pack(200n, 0n, 200n)]
  expect(unitPriceTexts(passes, 'Gems', view)[0]).toBeNull()
  expect(unitPriceTexts([pack(1n, 0n, null), pack(100n, 0n, 100n)], 'Gems', view)).toEqual([
    null,
    null,
  ])
  expect(unitPriceTexts([pack(100n, 0n, 100n), pack(200n, 0n, 190n)], null, view)).toEqual([
    null,
    null,
  ])
})
