import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertMinor, US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import type { PayMethod } from '#features/goods/pay-method/rules.ts'
import {
  DEFAULT_PRICE_TERMS,
  findRule,
  STEP_KINDS,
  storedSteps,
  type MarginRule,
  type PricedItem,
  type PriceTerms,
  type Pricing,
} from '../rules.ts'
import { priceOf } from './chain.ts'

const AT = new Date('2026-11-27T00:00:00Z')
const EUR: Currency = {
  ...US_DOLLAR,
  code: 'EUR',
  perUsd: { numerator: 9n, denominator: 10n },
  marginBasisPoints: 300,
  spreadBasisPoints: 50,
}
const JPY: Currency = {
  ...US_DOLLAR,
  code: 'JPY',
  minorUnits: 0,
  roundingIncrement: 10n,
  roundingMode: 'up',
  perUsd: { numerator: 150n, denominator: 1n },
}
const rule = (basisPoints: number, more: Partial<MarginRule> = {}): MarginRule => ({
  id: '0',
  brand: null,
  supplier: null,
  region: null,
  currency: null,
  basisPoints,
  validFrom: AT,
  validUntil: null,
  ...more,
})
const method = (basisPoints: number, more: Partial<PayMethod> = {}): PayMethod => ({
  code: `fee-${basisPoints}`,
  provider: 'sandbox',
  group: 'card',
  icon: 'card',
  name: { text: '' },
  text: { text: '' },
  refundText: { text: '' },
  fee: { minor: 0n, currency: 'USD', basisPoints },
  minMinor: null,
  maxMinor: null,
  currencies: null,
  countries: null,
  notFor: [],
  ...more,
})
const pricing = (
  terms: Partial<PriceTerms> = {},
  rules: readonly MarginRule[] = [],
  methods: readonly PayMethod[] = [],
  currencies: readonly Currency[] = [US_DOLLAR, EUR, JPY],
): Pricing => ({
  at: AT,
  currencies: new Map(currencies.map((each) => [each.code, each])),
  rules,
  terms: { ...DEFAULT_PRICE_TERMS, ...terms },
  methods,
})
const item = (more: Partial<PricedItem> = {}): PricedItem => ({
  priceMinor: 1_000n,
  priceCurrency: 'USD',
  ownPrices: null,
  cost: { supplier: 'hook', minor: 800n, currency: 'USD' },
  brand: 'steam',
  region: 'us',
  ...more,
})
const floor = { basisPoints: 200, isAfterFees: true }
const kinds = (of: ReturnType<typeof priceOf>) => of.steps.map(({ kind }) => kind)

describe('a price that was set', () => {
  test('is what it was before there was a chain, in every currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 12n),
        fc.constantFrom(US_DOLLAR, EUR, JPY),
        fc.constantFrom(US_DOLLAR, EUR, JPY),
        (minor, from, to) => {
          const set = item({ priceMinor: minor, priceCurrency: from.code })
          expect(priceOf(pricing(), set, to).minor).toBe(convertMinor(minor, from, to))
        },
      ),
    )
  })

  test('in a currency of its own is left as it was set', () => {
    const own = item({ ownPrices: new Map([['JPY', 1_234n]]) })
    const priced = priceOf(pricing({}, [rule(500)]), own, JPY)
    expect(priced.minor).toBe(1_234n)
    expect(kinds(priced)).toEqual(['own'])
  })

  test('is not sold below the floor, and never changed behind its back', () => {
    const cheap = item({ priceMinor: 810n })
    const priced = priceOf(pricing({ floor }), cheap, US_DOLLAR)
    expect(priced).toMatchObject({ minor: null, withheld: 'below_floor' })
    expect(kinds(priced)).toEqual(['base', 'floor'])
    expect(priceOf(pricing({ floor }), item({ priceMinor: 816n }), US_DOLLAR).minor).toBe(816n)
  })
})

describe('a price of a cost', () => {
  test('goes by the narrowest rule, which takes the place of the margin of the currency', () => {
    const rules = [
      rule(1_000, { id: 'all' }),
      rule(500, { id: 'region', region: 'us' }),
      rule(700, { id: 'brand', brand: 'steam' }),
      rule(900, { id: 'both', supplier: 'hook', currency: 'EUR' }),
      rule(1, { id: 'other', brand: 'steam', supplier: 'another', region: 'us' }),
    ]
    expect(findRule(rules, item(), 'EUR')?.id).toBe('both')
    expect(findRule(rules, item(), 'USD')?.id).toBe('brand')
    expect(findRule(rules, item({ brand: 'psn' }), 'USD')?.id).toBe('region')
    expect(findRule(rules, item({ brand: 'psn', region: 'jp' }), 'USD')?.id).toBe('all')
    expect(findRule(rules.slice(1), item({ brand: 'psn', region: 'jp' }), 'USD')).toBeNull()
    const priced = priceOf(pricing({}, rules), item(), EUR)
    // 8.00 USD × 0.9 × 1.005 × 1.09
    expect(priced.minor).toBe(789n)
    expect(storedSteps(priced.steps)).toEqual([
      { kind: 'cost', minor: '800', currency: 'USD', supplier: 'hook' },
      {
        kind: 'rate',
        minor: '723.6',
        from: 'USD',
        to: 'EUR',
        rate: '9/10',
        spread_basis_points: 50,
      },
      { kind: 'margin', minor: '788.724', basis_points: 900, rule: 'both' },
      {
        kind: 'rounding',
        minor: '789',
        increment: '1',
        mode: 'half_up',
        ending: null,
        every: null,
      },
    ])
  })

  test('is not made by a rate that is missing or too old, be it of the cost or of the base', () => {
    const old = { ...EUR, rateValidUntil: new Date(AT.getTime() - 1) }
    const by = (rules: readonly MarginRule[], currency: Currency) =>
      pricing({}, rules, [], [US_DOLLAR, currency])
    const cost = item({ cost: { supplier: null, minor: 1n, currency: 'EUR' } })
    expect(priceOf(by([rule(0)], old), cost, US_DOLLAR).withheld).toBe('stale_rate')
    expect(priceOf(by([rule(0)], { ...EUR, perUsd: null }), cost, US_DOLLAR).withheld).toBe(
      'no_rate',
    )
    expect(priceOf(by([], old), item({ priceCurrency: 'EUR' }), US_DOLLAR)).toMatchObject({
      minor: null,
      withheld: 'stale_rate',
    })
    expect(priceOf(by([], old), item(), US_DOLLAR).minor).toBe(1_000n)
  })
})

describe('the steps after it', () => {
  test('a level pays less, unless it has a price of its own, and never less than the floor', () => {
    const by = pricing({ levels: { 1: 500, 2: 2_000 }, floor }, [], [])
    expect(priceOf(by, item(), US_DOLLAR, { level: 1, price: null }).minor).toBe(950n)
    const low = priceOf(by, item(), US_DOLLAR, { level: 2, price: null })
    expect(low.minor).toBe(816n)
    expect(kinds(low)).toEqual(['base', 'level', 'floor', 'rounding'])
    const own = { level: 1, price: { minor: 930n, currency: 'USD' } }
    expect(priceOf(by, item(), US_DOLLAR, own).minor).toBe(930n)
    expect(priceOf(by, item(), US_DOLLAR, { level: 3, price: null }).minor).toBe(1_000n)
  })

  test('the floor reckons with the dearest fee among the ways to pay in the currency', () => {
    const methods = [
      method(100),
      method(400),
      method(9_000, { currencies: ['JPY'] }),
      method(0, { code: 'fixed', fee: { minor: 20n, currency: 'USD', basisPoints: 0 } }),
    ]
    const priced = priceOf(pricing({ floor }, [rule(0)], methods), item(), US_DOLLAR)
    // 816 ÷ 0.96
    expect(priced.minor).toBe(850n)
    expect(priced.steps.find(({ kind }) => kind === 'floor')).toMatchObject({ method: 'fee-400' })
    const plain = pricing({ floor: { ...floor, isAfterFees: false } }, [rule(0)], methods)
    expect(priceOf(plain, item(), US_DOLLAR).minor).toBe(816n)
    const both = method(400, { fee: { minor: 48n, currency: 'USD', basisPoints: 400 } })
    // (816 + 48) ÷ 0.96
    expect(priceOf(pricing({ floor }, [rule(0)], [both]), item(), US_DOLLAR).minor).toBe(900n)
  })

  test('endings are the nearest, the next where that were below the floor', () => {
    const charms = { USD: { endingMinor: 99n, everyMinor: 100n } }
    const at = (minor: bigint, terms: Partial<PriceTerms> = {}) =>
      priceOf(
        pricing({ charms, ...terms }, [rule(0)]),
        item({ cost: { supplier: null, minor, currency: 'USD' } }),
        US_DOLLAR,
      ).minor
    expect([at(1n), at(120n), at(149n), at(150n), at(1_000n)]).toEqual([99n, 99n, 199n, 199n, 999n])
    expect(at(1_000n, { floor })).toBe(1_099n)
  })
})

const anyCurrency = fc
  .record({
    perUsd: fc.bigInt(1n, 10n ** 7n),
    minorUnits: fc.constantFrom(0, 2, 3),
    increment: fc.constantFrom(1n, 5n, 100n),
    spread: fc.integer({ min: 0, max: 500 }),
    margin: fc.integer({ min: 0, max: 2_000 }),
    mode: fc.constantFrom('half_up' as const, 'up' as const),
  })
  .map(
    (made): Currency => ({
      ...US_DOLLAR,
      code: 'XTS',
      perUsd: { numerator: made.perUsd, denominator: 1_000n },
      minorUnits: made.minorUnits,
      roundingIncrement: made.increment,
      roundingMode: made.mode,
      spreadBasisPoints: made.spread,
      marginBasisPoints: made.margin,
    }),
  )
const anyTerms = fc.record({
  floor: fc.option(
    fc.record({
      basisPoints: fc.integer({ min: 0, max: 5_000 }),
      isAfterFees: fc.boolean(),
    }),
  ),
  charms: fc.constantFrom({}, { XTS: { endingMinor: 900n, everyMinor: 1_000n } }),
  levels: fc.record({ 1: fc.integer({ min: 0, max: 9_000 }) }),
})
const anyRules = fc
  .array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 3 })
  .map((margins) => margins.map((margin, index) => rule(margin, { id: String(index) })))
const anyMethods = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.bigInt(0n, 100n)), { maxLength: 3 })
  .map((fees) =>
    fees.map(([basisPoints, minor]) =>
      method(basisPoints, { fee: { basisPoints, minor, currency: 'USD' } }),
    ),
  )
const world = fc.tuple(anyCurrency, anyTerms, anyRules, anyMethods)

describe('whatever the owner wants', () => {
  test('nothing is sold below the floor, steps come in order, and rounding is once and last', () => {
    fc.assert(
      fc.property(
        world,
        fc.bigInt(1n, 10n ** 7n),
        fc.bigInt(0n, 10n ** 7n),
        fc.constantFrom(0, 1),
        ([currency, terms, rules, methods], price, cost, level) => {
          const by = pricing(terms, rules, methods, [US_DOLLAR, currency])
          const goods = item({
            priceMinor: price,
            cost: { supplier: 'hook', minor: cost, currency: 'USD' },
          })
          const priced = priceOf(by, goods, currency, { level, price: null })
          const places = kinds(priced).map((kind) => STEP_KINDS.indexOf(kind))
          expect(places).toEqual(places.toSorted((a, b) => a - b))
          expect(new Set(places).size).toBe(places.length)
          const kept = priced.steps.find(({ kind }) => kind === 'floor')
          if (priced.minor === null || kept?.kind !== 'floor') return
          expect(priced.minor * kept.floor.denominator).toBeGreaterThanOrEqual(kept.floor.numerator)
          // What is left after the cost's share is the share that was asked for.
          const { spreadBasisPoints, minorUnits, perUsd } = currency
          const least =
            (cost *
              (perUsd?.numerator ?? 0n) *
              10n ** BigInt(minorUnits) *
              BigInt(10_000 + spreadBasisPoints) *
              BigInt(10_000 + (terms.floor?.basisPoints ?? 0))) /
            (1_000n * 100n * 10n ** 8n)
          expect(priced.minor).toBeGreaterThanOrEqual(least)
        },
      ),
    )
  })

  test('what costs more is never sold for less', () => {
    fc.assert(
      fc.property(
        world,
        fc.bigInt(0n, 10n ** 7n),
        fc.bigInt(0n, 10n ** 7n),
        ([currency, terms, rules, methods], cost, more) => {
          const by = pricing(terms, [rule(100), ...rules], methods, [US_DOLLAR, currency])
          const at = (minor: bigint) =>
            priceOf(by, item({ cost: { supplier: null, minor, currency: 'USD' } }), currency).minor
          const [low, high] = [at(cost), at(cost + more)]
          expect(low).not.toBeNull()
          expect(high ?? -1n).toBeGreaterThanOrEqual(low ?? 0n)
        },
      ),
    )
  })
})

describe('an amount of what is sold at any', () => {
  const part = (numerator: bigint, denominator = 1_000n) => ({ numerator, denominator })

  test('costs its share of what the face does, rounded once', () => {
    // 10.33 for 10: 26.3415 for 25.50, and 26.35 would be a cent too many.
    const priced = priceOf(
      pricing(),
      { ...item({ priceMinor: 1_033n }), part: part(2_550n) },
      US_DOLLAR,
    )
    expect(priced.minor).toBe(2_634n)
    expect(priced.steps.map(({ kind }) => kind)).toEqual(['base', 'amount', 'rounding'])
    expect(storedSteps(priced.steps)[1]).toEqual({
      kind: 'amount',
      minor: '2634.15',
      part: '2550/1000',
    })
  })
  test('of what is worth less than a minor unit is not multiplied by nothing', () => {
    const cheap = item({ priceMinor: 1n })
    const whole = priceOf(pricing(), item({ priceMinor: 30_000n }), EUR).minor
    expect(priceOf(pricing(), { ...cheap, part: part(30_000n, 1n) }, EUR).minor).toBe(whole)
  })
  test('follows own prices, levels and costs, and keeps the floor of its share', () => {
    const own = { ...item({ ownPrices: new Map([['EUR', 900n]]) }), part: part(500n) }
    expect(priceOf(pricing(), own, EUR).minor).toBe(450n)
    const level = { level: 2, price: { minor: 800n, currency: 'USD' } }
    expect(priceOf(pricing(), { ...item(), part: part(500n) }, US_DOLLAR, level).minor).toBe(400n)
    const cost = { supplier: 'airtime', minor: 700n, currency: 'USD' }
    const costing = { ...item({ cost }), part: part(500n) }
    expect(priceOf(pricing({}, [rule(1_000)]), costing, US_DOLLAR).minor).toBe(385n)
    const floor = { basisPoints: 2_000, isAfterFees: false }
    expect(priceOf(pricing({ floor }, [rule(1_000)]), costing, US_DOLLAR).minor).toBe(420n)
  })
  test('costs no less where it is greater, and never nothing', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 7n),
        fc.bigInt(0n, 10n ** 5n),
        fc.constantFrom(US_DOLLAR, EUR, JPY),
        (amount, more, currency) => {
          const cost = (of: bigint) =>
            priceOf(pricing(), { ...item(), part: part(of, 10_000n) }, currency).minor ?? 0n
          expect(cost(amount) > 0n).toBe(true)
          expect(cost(amount + more) >= cost(amount)).toBe(true)
        },
      ),
    )
  })
})
