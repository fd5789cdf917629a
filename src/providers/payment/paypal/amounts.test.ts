import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMajor } from '#kernel/money.ts'
import { faultOfAmount } from '#sandbox/paypal/books.ts'
import { ProviderRefusal } from '../provider.ts'
import { fromPaypal, paypalLimits, toPaypal } from './amounts.ts'

const { currencies } = JSON.parse(readFileSync('catalogue/currencies.json', 'utf8')) as {
  currencies: { code: string; minor_units: number; checkout?: boolean }[]
}

test('an amount in any currency comes back as it went, means the same to the payer, and is one that PayPal takes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.bigInt({ min: 0n, max: 99_999n }),
      ({ code, minor_units: minorUnits }, steps) => {
        const limits = paypalLimits(code)
        if (!limits)
          return void expect(() => toPaypal({ minor: 100_000n, currency: code })).toThrow(
            ProviderRefusal,
          )
        const minor = limits.min + steps * limits.step
        const amount = toPaypal({ minor, currency: code })
        expect(fromPaypal(amount)).toEqual({ minor, currency: code })
        expect(Number(amount.value)).toBe(Number(toMajor(minor, minorUnits)))
        expect(faultOfAmount(amount)).toBeNull()
      },
    ),
    { numRuns: 2_000 },
  )
})

test("22 of the shop's currencies can be paid in", () => {
  expect(
    currencies
      .filter(({ code, checkout }) => checkout && paypalLimits(code))
      .map(({ code }) => code),
  ).toHaveLength(22)
})

test.each([
  ['USD', 499n, '4.99'],
  ['USD', 5n, '0.05'],
  ['JPY', 500n, '500'],
  ['TWD', 31_000n, '310'],
  ['HUF', 500_500n, '5005'],
] as const)('%s %s is "%s"', (currency, minor, value) => {
  expect(toPaypal({ minor, currency })).toEqual({ currency_code: currency, value })
})

test.each([
  ['TWD', 31_050n],
  ['HUF', 5n],
  ['USD', 0n],
  ['USD', -5n],
  ['USD', 10n ** 10n],
  ['KWD', 1_000n],
  ['BRL', 1_000n],
] as const)('%s %s is refused', (currency, minor) => {
  expect(() => toPaypal({ minor, currency })).toThrow(ProviderRefusal)
})

test.each(['1.005', '-1.00', '', '1,5e3', 'NaN'])('"%s" is no money', (value) => {
  expect(() => fromPaypal({ currency_code: 'USD', value })).toThrow('makes no sense')
})
