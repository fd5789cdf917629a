import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import {
  assertSellable,
  convertMinor,
  rateOf,
  rateValidUntil,
  shownDigits,
  usdMinorOf,
  type Currency,
} from './rules.ts'

function currency(
  code: string,
  minorUnits: number,
  perUsd: string | null,
  more: Partial<Currency> = {},
): Currency {
  return {
    code,
    name: code,
    symbol: code,
    minorUnits,
    roundingIncrement: 1n,
    roundingMode: 'half_up',
    marginBasisPoints: 0,
    isCheckout: true,
    perUsd: perUsd === null ? null : rateOf(perUsd),
    rateObservedAt: null,
    rateValidUntil: null,
    ...more,
  }
}
const usd = currency('USD', 2, '1')

test.each([
  ['no digits', currency('JPY', 0, '150'), 499n, 749n],
  ['two digits', currency('EUR', 2, '0.92'), 499n, 459n],
  ['three digits', currency('KWD', 3, '0.3072'), 499n, 1533n],
  ['a margin of 2 %', currency('EUR', 2, '0.92', { marginBasisPoints: 200 }), 500n, 469n],
  [
    'rounding to whole rupiah',
    currency('IDR', 2, '15750', { roundingIncrement: 10_000n, roundingMode: 'up' }),
    499n,
    7_860_000n,
  ],
])('$4.99 or so in a currency with %s', (_, to, minor, expected) => {
  expect(convertMinor(minor, usd, to)).toBe(expected)
})

test('a price in its own currency is left alone, whatever the margin', () => {
  const eur = currency('EUR', 2, '0.92', { marginBasisPoints: 500, roundingIncrement: 100n })
  expect(convertMinor(1049n, eur, eur)).toBe(1049n)
})

test('without a rate there is no price', () => {
  expect(convertMinor(100n, usd, currency('XAU', 2, null))).toBeNull()
})

test('a dearer price never converts to less', () => {
  const to = currency('IDR', 2, '15750.5', { roundingIncrement: 10_000n, marginBasisPoints: 150 })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.bigInt({ min: 0n, max: 10n ** 6n }),
      (minor, more) => {
        expect(
          (convertMinor(minor + more, usd, to) ?? 0n) >= (convertMinor(minor, usd, to) ?? 0n),
        ).toBe(true)
      },
    ),
  )
})

test('digits that the rounding makes zero are not shown', () => {
  expect([
    shownDigits(usd),
    shownDigits(currency('IDR', 2, '1', { roundingIncrement: 10_000n })),
    shownDigits(currency('CHF', 2, '1', { roundingIncrement: 5n })),
  ]).toEqual([2, 0, 2])
})

const noon = new Date('2026-11-20T12:00:00Z')
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000)

function sale(of: Currency, now: Date): string {
  try {
    assertSellable(of, now)
    return 'sold'
  } catch (error) {
    return isAppError(error) ? error.code : 'broken'
  }
}

test.each([
  [
    'a rate as old as it may be',
    currency('EUR', 2, '0.92', { rateValidUntil: hoursLater(48) }),
    'sold',
  ],
  [
    'a rate that is too old',
    currency('EUR', 2, '0.92', { rateValidUntil: hoursLater(47) }),
    'currency_unavailable',
  ],
  ['a rate that stands until it is replaced', currency('EUR', 2, '0.92'), 'sold'],
  ['no rate', currency('XAU', 2, null), 'currency_unavailable'],
  [
    'a currency that is only shown',
    currency('EUR', 2, '0.92', { isCheckout: false }),
    'currency_unavailable',
  ],
])('selling with %s', (_, of, outcome) => {
  expect(sale(of, hoursLater(48))).toBe(outcome)
})

test('rates of feeds age, the dollar and dated tables do not', () => {
  expect(rateValidUntil('EUR', { observedAt: noon, source: 'feed:ecb' }, 48)).toEqual(
    hoursLater(48),
  )
  expect(rateValidUntil('USD', { observedAt: noon, source: 'feed:ecb' }, 48)).toBeNull()
  expect(rateValidUntil('EUR', { observedAt: noon, source: 'catalogue:demo' }, 48)).toBeNull()
})

describe('what an amount counts against limits', () => {
  const known = [
    currency('EUR', 2, '0.92', { marginBasisPoints: 500, roundingIncrement: 100n }),
    currency('VND', 0, '25400', { marginBasisPoints: 500, roundingIncrement: 100n }),
    currency('KWD', 3, '0.307', { marginBasisPoints: 500, roundingIncrement: 100n }),
    currency('JPY', 0, null, { marginBasisPoints: 500, roundingIncrement: 100n }),
  ]

  test.each([
    [10_000n, 'USD', 10_000n],
    [9_200n, 'EUR', 10_000n],
    [9_201n, 'EUR', 10_002n],
    [30_700n, 'KWD', 10_000n],
    // Many small amounts are not nothing.
    [1n, 'VND', 1n],
    [0n, 'VND', 0n],
    [100n, 'JPY', null],
    [100n, 'XXX', null],
  ] as const)(
    '%s of %s are %s US cents, by the rate alone and rounded up',
    (minor, code, cents) => {
      expect(usdMinorOf({ minor, currency: code }, known)).toBe(cents)
    },
  )
})
