import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refundAmount } from './rules.ts'

const roundedUp = (minor: bigint, step: bigint) => ((minor + step - 1n) / step) * step

test('whatever is given back first, each part is what the service moves, and all of them are what was paid', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1n, 10n, 100n),
      fc.array(fc.bigInt({ min: 1_000n, max: 9_999n }), { minLength: 1, maxLength: 8 }),
      fc.bigInt({ min: 0n, max: 500n }),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
      (step, prices, surcharge, sizes) => {
        const goodsMinor = prices.reduce((sum, price) => sum + price, 0n)
        const paidMinor = roundedUp(goodsMinor + surcharge, step)
        let leftMinor = paidMinor
        let feeLeftMinor = paidMinor - goodsMinor
        for (let from = 0, part = 0; from < prices.length; part += 1) {
          const chosen = prices.slice(from, from + (sizes[part] ?? 1))
          from += chosen.length
          const priceMinor = chosen.reduce((sum, price) => sum + price, 0n)
          const isLast = from === prices.length
          const made = refundAmount({ priceMinor, feeLeftMinor, isLast, leftMinor, step })
          if (made === null) throw new Error('a part that cannot be given back')
          expect(made.amountMinor % step).toBe(0n)
          expect(made.amountMinor).toBe(priceMinor + made.feeMinor - made.restMinor)
          expect(made.feeMinor === 0n || made.restMinor === 0n).toBe(true)
          leftMinor -= made.amountMinor
          feeLeftMinor -= made.feeMinor - made.restMinor
        }
        expect([leftMinor, feeLeftMinor]).toEqual([0n, 0n])
      },
    ),
    { numRuns: 2_000 },
  )
})

test('where a bank has taken some of it, a part that is no longer there is not given back', () => {
  const wish = { priceMinor: 1_255n, feeLeftMinor: 5n, isLast: false, step: 10n }
  expect(refundAmount({ ...wish, leftMinor: 1_260n })?.amountMinor).toBe(1_260n)
  expect(refundAmount({ ...wish, leftMinor: 1_250n })).toBeNull()
})
