import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMajor } from '#kernel/money.ts'
import { shownAmount } from '#sandbox/stripe/books.ts'
import { ProviderRefusal } from '../provider.ts'
import { fromStripe, stripeLimits, toStripe } from './amounts.ts'

const catalogue = JSON.parse(readFileSync('catalogue/currencies.json', 'utf8')) as {
  currencies: { code: string; minor_units: number; checkout?: boolean }[]
}
const checkout = catalogue.currencies.filter((currency) => currency.checkout)

test('every currency of the shop but one can be charged', () => {
  expect(checkout).toHaveLength(66)
  expect(
    checkout.filter(({ code }) => stripeLimits(code) === null).map(({ code }) => code),
  ).toEqual(['GHS'])
})

test('an amount in any currency comes back as it went, and the payer is asked for the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...catalogue.currencies),
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      ({ code, minor_units: minorUnits }, steps) => {
        const limits = stripeLimits(code)
        if (!limits)
          return void expect(() => toStripe({ minor: 100_000n, currency: code })).toThrow(
            ProviderRefusal,
          )
        const minor =
          ((limits.min + limits.step - 1n) / limits.step) * limits.step + steps * limits.step
        const amount = toStripe({ minor, currency: code })
        expect(fromStripe(amount, code.toLowerCase())).toEqual({ minor, currency: code })
        expect(Number(shownAmount({ amount, currency: code.toLowerCase() }))).toBe(
          Number(toMajor(minor, minorUnits)),
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  ['JPY', 500n, 500],
  ['KRW', 1_000n, 1_000],
  ['USD', 499n, 499],
  ['KWD', 5_120n, 5_120],
  ['ISK', 5n, 500],
  ['UGX', 5n, 500],
  ['MGA', 500n, 5],
  ['HUF', 20_000n, 20_000],
  ['TWD', 80_045n, 80_045],
] as const)('%s %s is %s units', (currency, minor, amount) => {
  expect(toStripe({ minor, currency })).toBe(amount)
})

test.each([
  ['KWD', 5_125n],
  ['USD', 49n],
  ['USD', 10n ** 12n],
  ['EUR', 0n],
  ['EUR', -5n],
  ['MGA', 550n],
  ['GHS', 1_000n],
  ['XXX', 1_000n],
] as const)('%s %s is refused', (currency, minor) => {
  expect(() => toStripe({ minor, currency })).toThrow(ProviderRefusal)
})

test('a part may be less than the least payment', () => {
  expect(toStripe({ minor: 1n, currency: 'USD' }, true)).toBe(1)
})

test('units that cannot be are no money', () => {
  for (const [amount, currency] of [
    [550, 'isk'],
    [0.5, 'usd'],
    [2 ** 53, 'usd'],
  ] as const)
    expect(() => fromStripe(amount, currency)).toThrow('makes no sense')
})
