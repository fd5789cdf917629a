import { expect, test } from 'vitest'
import type { Currency } from '#features/goods/currency/rules.ts'
import { isBeyond, reachOf } from '#features/goods/price-limit/rules.ts'
import { DEFAULT_PRICE_TERMS, type Pricing } from '../rules.ts'
import { tryTrial, type TrialItem } from './trial.ts'

const currency = (code: string, isOld = false): [string, Currency] => [
  code,
  {
    code,
    minorUnits: 2,
    isCheckout: true,
    perUsd: { numerator: 1n, denominator: 1n },
    rateValidUntil: isOld ? new Date(0) : null,
    roundingIncrement: 1n,
    roundingMode: 'half_up',
    marginBasisPoints: 0,
    spreadBasisPoints: 0,
  } as Currency,
]
const pricing: Pricing = {
  at: new Date(1_000),
  currencies: new Map([currency('USD'), currency('EUR', true)]),
  rules: [],
  terms: DEFAULT_PRICE_TERMS,
  methods: [],
}
const item: TrialItem = {
  id: 'one',
  code: 'card:one',
  product: 'card',
  brand: 'card',
  region: 'us',
  priceMinor: 1_000n,
  priceCurrency: 'USD',
  ownPrices: null,
  cost: null,
  levels: new Map(),
  isOnSale: true,
}
const tried = (after: TrialItem, before = item) =>
  tryTrial(
    {
      before: pricing,
      after: pricing,
      items: [before],
      changed: new Map([[before.id, after]]),
      currencies: ['USD', 'EUR'],
      level: 0,
      sold: [],
    },
    true,
  )

test('a price that is set where no rate makes one is further than anybody with a limit may go', async () => {
  const { moved } = await tried({ ...item, ownPrices: new Map([['EUR', 1n]]) })
  const moves = moved.get(item.id)
  expect([...(moves?.keys() ?? [])]).toEqual(['EUR'])
  expect(isBeyond(reachOf([], moves ?? new Map()), 100_000)).toBe(true)
  expect((await tried({ ...item })).moved.size).toBe(0)
})

test('what is not on sale is counted and not told of', async () => {
  const off = { ...item, isOnSale: false }
  const { moved, effect } = await tried({ ...off, priceMinor: 500n }, off)
  expect(effect).toMatchObject({ items: 0, prices: 0, pricesChanged: 0, moves: null })
  expect([...(moved.get(item.id) ?? [])]).toEqual([['USD', -500_000]])
})
