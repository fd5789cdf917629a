import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  classOf,
  includedTax,
  NO_TAXES,
  rateOf,
  taxByRate,
  taxOfLines,
  taxOfUnit,
  taxTable,
  type TaxClassRow,
} from './rules.ts'

const CLASSES: readonly TaxClassRow[] = [
  { product: null, country: null, taxClass: 'multi_purpose' },
  { product: null, country: 'FR', taxClass: 'none' },
  { product: 'steam-us', country: null, taxClass: 'service' },
  { product: 'steam-us', country: 'DE', taxClass: 'single_purpose' },
]
const at = (text: string) => new Date(`${text}T00:00:00Z`)

test.each([
  ['steam-us', 'DE', 'single_purpose'],
  ['steam-us', 'FR', 'service'],
  ['steam-us', null, 'service'],
  ['other', 'FR', 'none'],
  ['other', 'DE', 'multi_purpose'],
  ['other', null, 'multi_purpose'],
] as const)('of %s in %s holds what was said of it most closely', (product, country, expected) => {
  expect(classOf(taxTable(CLASSES, []), product, country)).toBe(expected)
})

test('nothing said is no tax, and no line tells one', () => {
  const unit = { product: 'steam-us', country: 'DE', priceMinor: 1_000n, at: at('2026-11-27') }
  expect(taxOfUnit(NO_TAXES, unit)).toBeNull()
  expect(taxOfLines([{ quantity: 3, tax: null }])).toEqual({ minor: 0n, basisPoints: 0 })
})

test('the rate of a moment is the newest that began by then, and of two the one said later', () => {
  const rate = (basisPoints: number, validFrom: Date | null) =>
    ({ country: 'DE', taxClass: 'service', basisPoints, validFrom }) as const
  const table = taxTable(
    [],
    [
      rate(2_000, at('2027-01-01')),
      rate(1_600, null),
      rate(1_900, at('2026-01-01')),
      rate(2_100, at('2027-01-01')),
    ],
  )
  const on = (text: string) => rateOf(table, 'DE', 'service', at(text))
  expect([on('2025-12-31'), on('2026-01-01'), on('2026-12-31'), on('2027-01-01')]).toEqual([
    1_600, 1_900, 1_900, 2_100,
  ])
  expect(rateOf(table, 'DE', 'single_purpose', at('2026-06-01'))).toBe(0)
  expect(rateOf(table, null, 'service', at('2026-06-01'))).toBe(0)
})

test('a multi-purpose voucher holds no tax, whatever rates there are', () => {
  const table = taxTable(CLASSES, [
    { country: 'DE', taxClass: 'service', basisPoints: 1_900, validFrom: null },
  ])
  expect(
    taxOfUnit(table, { product: 'other', country: 'DE', priceMinor: 999n, at: at('2026-11-27') }),
  ).toEqual({ taxClass: 'multi_purpose', basisPoints: 0, minor: 0n })
})

test.each([
  [1_190n, 1_900, 190n],
  [1_000n, 1_900, 160n],
  [1n, 1_900, 0n],
  // 3 × 20 / 120 is a half: up.
  [3n, 2_000, 1n],
  [100n, 0, 0n],
  [100n, 10_000, 50n],
])('%d at %d hundredths of a percent hold %d', (price, rate, tax) => {
  expect(includedTax(price, rate)).toBe(tax)
})

test('the tax of an order is that of its units, by rate and in all, for any lines', () => {
  const lines = fc.array(
    fc.record({
      priceMinor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      quantity: fc.integer({ min: 1, max: 100 }),
      basisPoints: fc.constantFrom(0, 550, 700, 1_900, 2_700),
    }),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(lines, (drawn) => {
      const taxed = drawn.map(({ priceMinor, quantity, basisPoints }) => ({
        quantity,
        tax: {
          taxClass: 'service' as const,
          basisPoints,
          minor: includedTax(priceMinor, basisPoints),
        },
      }))
      const units = taxed.flatMap(({ quantity, tax }) =>
        Array.from({ length: quantity }, () => tax),
      )
      const sum = units.reduce((total, { minor }) => total + minor, 0n)
      expect(taxOfLines(taxed).minor).toBe(sum)
      expect(taxByRate(taxed).reduce((total, { minor }) => total + minor, 0n)).toBe(sum)
    }),
  )
})
