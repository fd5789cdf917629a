import { expect, test } from 'vitest'
import type { TableDiff } from './diff.ts'
import { priceMoves } from './price-moves.ts'

const row = { id: 'one', code: 'card:one' }
const beyond = { before: 1n, after: 1_000n }

test('prices that an import sets where none of their kind was are further than a limit goes, and those of levels count', () => {
  const change = {
    before: { own_prices: { EUR: '900' } },
    after: { own_prices: { EUR: '800', JPY: '1' } },
    row,
  }
  const items = { spec: { name: 'item' }, changes: [change] } as unknown as TableDiff
  const price = (level: number, minor: string, currency = 'USD') => ({
    level,
    price_minor: minor,
    price_currency: currency,
  })
  const levels = [
    {
      owner: 'card:one',
      before: [price(1, '900'), price(3, '700')],
      after: [price(1, '450'), price(2, '1'), price(3, '700')],
    },
    { owner: 'card:new', before: [], after: [price(1, '1')] },
  ]
  expect(priceMoves([items], levels, [row])).toEqual([
    { item: 'one', price: 'EUR', before: 900n, after: 800n },
    { item: 'one', price: 'JPY', ...beyond },
    { item: 'one', price: 'USD@1', before: 900n, after: 450n },
    { item: 'one', price: 'USD@2', ...beyond },
  ])
})
