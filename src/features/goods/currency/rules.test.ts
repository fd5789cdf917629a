import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import {
  assertSellable,
  changeOf,
  convertMinor,
  crossRate,
  rateOf,
  rateText,
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
    spreadBasisPoints: 0,
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

test('a spread is added once, to what comes out in the currency, before its margin', () => {
  const [eur, thb] = [
    currency('EUR', 2, '0.5', { spreadBasisPoints: 100 }),
    currency('THB', 2, '30', { spreadBasisPoints: 50, marginBasisPoints: 200 }),
  ]
  expect(convertMinor(10_000n, usd, eur)).toBe(5_050n)
  expect(convertMinor(10_000n, eur, thb)).toBe(615_060n)
  expect(convertMinor(10_000n, eur, usd)).toBe(20_000n)
})

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 9 }))
  .map(([digits, point]) => {
    const text = digits.toString().padStart(point + 1, '0')
    return point === 0 ? text : `${text.slice(0, -point)}.${text.slice(-point)}`
  })

test('crossing through any base is exact: there and back is where one was', () => {
  fc.assert(
    fc.property(decimal, decimal, decimal, (eur, jpy, usdPerBase) => {
      const [a, b] = [crossRate(eur, usdPerBase), crossRate(jpy, usdPerBase)]
      // What the two stand to each other at is what the base says, whatever it says of the dollar.
      const direct = crossRate(eur, jpy)
      expect(a.numerator * b.denominator * direct.denominator).toBe(
        a.denominator * b.numerator * direct.numerator,
      )
      expect(crossRate(usdPerBase, usdPerBase)).toEqual({ numerator: 1n, denominator: 1n })
    }),
  )
})

test('how far a rate is from another is exact, up and down', () => {
  fc.assert(
    fc.property(decimal, fc.integer({ min: 1, max: 9_999 }), (text, basisPoints) => {
      const from = rateOf(text)
      const by = (points: bigint) => ({
        numerator: from.numerator * (10_000n + points),
        denominator: from.denominator * 10_000n,
      })
      for (const sign of [1n, -1n]) {
        const to = by(sign * BigInt(basisPoints))
        expect(changeOf(from, to).isBeyond(basisPoints)).toBe(false)
        expect(changeOf(from, to).isBeyond(basisPoints - 1)).toBe(true)
        expect(changeOf(from, to).basisPoints).toBe(sign * BigInt(basisPoints))
      }
    }),
  )
})

test('a rate as text has twelve digits and is never nothing', () => {
  expect([
    rateText(rateOf('0.92')),
    rateText(crossRate('1', '3')),
    rateText(crossRate('1', '9'.repeat(14))),
  ]).toEqual(['0.920000000000', '0.333333333333', '0.000000000001'])
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
