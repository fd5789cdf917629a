import { expect, test } from 'vitest'
import type { Product } from '#features/goods/catalogue/rules.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { creditTime, promisesOf } from './promises.ts'

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

type Told = Pick<Product, 'pace' | 'typicalMinutes'> & {
  readonly brand: Pick<Product['brand'], 'measuredMinutes' | 'typicalMinutes'>
}

const product = (own: number | null, brand: Told['brand'], pace: Product['pace'] = null): Product =>
  ({ typicalMinutes: own, brand, pace }) satisfies Told as Product

const measured = { measuredMinutes: { half: 20, most: 60 }, typicalMinutes: 10 }
const unmeasured = { measuredMinutes: null, typicalMinutes: 10 }

test.each([
  ['nothing', product(null, { measuredMinutes: null, typicalMinutes: null }), null],
  [
    'an estimate of the brand',
    product(null, unmeasured),
    'Usually delivered in about 10 minutes (our estimate)',
  ],
  [
    'an estimate of its own',
    product(1_440, unmeasured),
    'Usually delivered within 24 hr (our estimate)',
  ],
  [
    'an estimate of days',
    product(2_881, unmeasured),
    'Usually delivered within 3 days (our estimate)',
  ],
  [
    'an estimate beyond what its brand takes',
    product(150, measured),
    'Usually delivered within 3 hr (our estimate)',
  ],
  [
    'an estimate that flatters',
    product(5, measured),
    'Recent deliveries: half within 20 min, 95% within 60 min',
  ],
  [
    'a measurement of the product',
    product(1_440, measured, { half: 9, most: 30, now: null }),
    'Usually 9 sec; 95% within 30 sec',
  ],
] as const)('with %s known, what is credited is told truthfully', (_, of, text) => {
  expect(creditTime(of, translatorOf('en'), 'en')?.text ?? null).toBe(text)
})
