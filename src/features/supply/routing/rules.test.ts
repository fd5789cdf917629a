import { describe, expect, test } from 'vitest'
import {
  affords,
  chooseOffer,
  PRICE_TRIES,
  ranked,
  restsUntil,
  TROUBLE_FROM,
  type Offer,
  type OfferMeasures,
  type RouteCriterion,
} from './rules.ts'

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
  place: priority,
  measures: { costMinor: 700n, failures: 0, p50Ms: null, affords: null },
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

describe('ranked', () => {
  const measured = (supplier: string, more: Partial<OfferMeasures>, priority = 0) =>
    offer(supplier, priority, {
      measures: { costMinor: 700n, failures: 0, p50Ms: 900, affords: 10, ...more },
    })
  test.each<[RouteCriterion[], Offer[], string[]]>([
    [['cost'], [measured('a', { costMinor: 701n }), measured('b', {})], ['b', 'a']],
    [['cost'], [measured('a', { costMinor: null }), measured('b', {})], ['b', 'a']],
    [
      ['cost'],
      [measured('a', { costMinor: null }, 1), measured('b', { costMinor: null }, 0)],
      ['b', 'a'],
    ],
    [
      ['health', 'cost'],
      [measured('a', { failures: 1, costMinor: 1n }), measured('b', {})],
      ['b', 'a'],
    ],
    [
      ['health', 'cost'],
      [measured('a', {}), measured('b', { costMinor: 1n })],
      ['b', 'a'],
    ],
    [['time'], [measured('a', { p50Ms: null }), measured('b', { p50Ms: 5_000 })], ['b', 'a']],
    [
      ['balance'],
      [
        measured('a', { affords: null }),
        measured('b', { affords: 1 }),
        measured('c', { affords: 9 }),
      ],
      ['c', 'b', 'a'],
    ],
    [['priority'], [measured('a', {}, 2), measured('b', { costMinor: 900n }, 1)], ['b', 'a']],
    [['cost'], [measured('b', {}), measured('a', {})], ['a', 'b']],
  ])('by %j', (rule, offers, expected) => {
    expect(ranked(offers, rule).map(({ supplier }) => supplier)).toEqual(expected)
  })
})

test('who has less left than one unit costs is not asked, and waited for only where nobody else is there', () => {
  const empty = offer('empty', 0, {
    measures: { costMinor: 700n, failures: 0, p50Ms: null, affords: affords(699n, 700n) },
  })
  expect(chooseOffer([empty, offer('other', 1)], NOW)).toMatchObject({
    kind: 'offer',
    offer: { supplier: 'other' },
    why: { offers: [{ supplier: 'empty', not: 'no_balance', measures: { affords: 0 } }, {}] },
  })
  expect(chooseOffer([empty], NOW)).toEqual({ kind: 'later', at: LATER, supplier: 'empty' })
  expect([affords(700n, 700n), affords(null, 700n), affords(0n, 0n)]).toEqual([1, null, 1_000])
})
