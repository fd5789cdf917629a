import { expect, test } from 'vitest'
import { chooseOffer, PRICE_TRIES, restsUntil, TROUBLE_FROM, type Offer } from './rules.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const LATER = new Date('2026-11-26T12:05:00Z')
const offer = (supplier: string, priority: number, more: Partial<Offer> = {}): Offer => ({
  supplier,
  priority,
  kind: 'topup',
  product: 'sku',
  face: null,
  costMinor: 700n,
  costCurrency: 'USD',
  maxMinor: 1_000n,
  fields: {},
  fixed: {},
  restsUntil: null,
  hasFailed: false,
  priceRefusals: 0,
  ...more,
})

test('the first by priority that can deliver within the limit is chosen, and why is kept', () => {
  const route = chooseOffer(
    [
      offer('failed', 0, { hasFailed: true }),
      offer('resting', 1, { restsUntil: LATER }),
      offer('dear', 2, { costMinor: 1_001n }),
      offer('good', 3),
      offer('other', 4),
    ],
    NOW,
  )
  expect(route).toMatchObject({
    kind: 'offer',
    offer: { supplier: 'good' },
    why: {
      chosen: 'good',
      offers: [
        { supplier: 'failed', not: 'failed' },
        { supplier: 'resting', not: 'resting' },
        { supplier: 'dear', not: 'too_dear' },
        { supplier: 'good' },
        { supplier: 'other' },
      ],
    },
  })
})

test('what only rests is waited for, what is only too dear is a person’s to decide', () => {
  expect(chooseOffer([offer('a', 0, { restsUntil: LATER })], NOW)).toEqual({
    kind: 'later',
    at: LATER,
    supplier: 'a',
  })
  expect(chooseOffer([offer('a', 0, { maxMinor: null })], NOW)).toEqual({ kind: 'too_dear' })
  expect(chooseOffer([offer('a', 0, { hasFailed: true })], NOW)).toEqual({ kind: 'none' })
})

test('a supplier rests longer the longer it fails, and never more than ten minutes', () => {
  const seconds = (failures: number) =>
    ((restsUntil(failures, NOW)?.getTime() ?? NOW.getTime()) - NOW.getTime()) / 1_000
  expect([TROUBLE_FROM - 1, TROUBLE_FROM, TROUBLE_FROM + 1, 900].map(seconds)).toEqual([
    0, 60, 120, 600,
  ])
})

test('who has refused a unit too often as too cheap is asked no more, and after the last a person is', () => {
  const refused = offer('refused', 0, { priceRefusals: PRICE_TRIES })
  expect(chooseOffer([refused, offer('other', 1)], NOW)).toMatchObject({
    kind: 'offer',
    offer: { supplier: 'other' },
  })
  expect(chooseOffer([refused], NOW)).toEqual({ kind: 'too_dear' })
})
