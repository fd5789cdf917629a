import { expect, test } from 'vitest'
import { promisesOf } from './promises.ts'

test.each([
  [['card_key'], ['cashier.instant']],
  [['direct_charge'], ['cashier.byHand']],
  [
    ['direct_charge', 'card_key', 'card_key'],
    ['cashier.instant', 'cashier.byHand'],
  ],
  [['store_credit'], []],
] as const)('an order of %j promises %j', (kinds, promises) => {
  expect(promisesOf(kinds.map((delivery) => ({ delivery })))).toEqual(promises)
})
