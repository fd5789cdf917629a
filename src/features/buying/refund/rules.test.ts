import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canBeShared, refundAmount, reversalParts } from './rules.ts'

const roundedUp = (minor: bigint, step: bigint) => ((minor + step - 1n) / step) * step

/** Gives an order back in parts of so many units, and checks that each is given back and all of them are what was paid. */
function giveBackInParts(
  prices: readonly bigint[],
  sizes: readonly number[],
  paidMinor: bigint,
  step: bigint,
): void {
  let priceLeftMinor = prices.reduce((sum, price) => sum + price, 0n)
  let leftMinor = paidMinor
  let feeLeftMinor = paidMinor - priceLeftMinor
  for (let from = 0, part = 0; from < prices.length; part += 1) {
    const chosen = prices.slice(from, from + (sizes[part] ?? 1))
    from += chosen.length
    const priceMinor = chosen.reduce((sum, price) => sum + price, 0n)
    const isLast = from === prices.length
    const wish = { priceMinor, feeLeftMinor, priceLeftMinor, isLast, leftMinor, step }
    const made = refundAmount(wish)
    if (made === null) throw new Error('a part that cannot be given back')
    expect(made.amountMinor % step).toBe(0n)
    expect(made.amountMinor).toBe(priceMinor + made.feeMinor - made.restMinor)
    expect(made.feeMinor === 0n || made.restMinor === 0n).toBe(true)
    leftMinor -= made.amountMinor
    feeLeftMinor -= made.feeMinor - made.restMinor
    priceLeftMinor -= priceMinor
  }
  expect([leftMinor, feeLeftMinor]).toEqual([0n, 0n])
}

const steps = fc.constantFrom(1n, 10n, 100n)
const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 })

test('whatever is given back first, each part is what the service moves, and all of them are what was paid', () => {
  fc.assert(
    fc.property(
      steps,
      fc.array(fc.bigInt({ min: 1_000n, max: 9_999n }), { minLength: 1, maxLength: 8 }),
      fc.bigInt({ min: 0n, max: 500n }),
      sizes,
      (step, prices, surcharge, parts) => {
        const goodsMinor = prices.reduce((sum, price) => sum + price, 0n)
        giveBackInParts(prices, parts, roundedUp(goodsMinor + surcharge, step), step)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('where less was taken for the whole, each part bears its share, and all of them are what was paid', () => {
  fc.assert(
    fc.property(
      steps,
      fc.array(fc.bigInt({ min: 1n, max: 9_999n }), { minLength: 1, maxLength: 8 }),
      fc.bigInt({ min: 1n, max: 999n }),
      sizes,
      (step, prices, promille, parts) => {
        const goodsMinor = prices.reduce((sum, price) => sum + price, 0n)
        const paidMinor = roundedUp((goodsMinor * promille) / 1_000n, step)
        fc.pre(canBeShared(paidMinor, prices, step))
        giveBackInParts(prices, parts, paidMinor, step)
      },
    ),
    { numRuns: 2_000 },
  )
  expect(canBeShared(1_000n, [1_000n, 1_000n], 1n)).toBe(true)
  expect(canBeShared(1n, [1_000n, 1_000n], 1n)).toBe(false)
  expect(canBeShared(3n, [100n, 1n, 1n], 1n)).toBe(false)
})

test('a part that waits to be given back anew keeps its share of what was paid', () => {
  const half = {
    priceMinor: 1_000n,
    feeLeftMinor: -1_000n,
    priceLeftMinor: 2_000n,
    leftMinor: 1_000n,
    step: 1n,
  }
  expect(refundAmount({ ...half, isLast: true })?.amountMinor).toBe(500n)
})

test('a bank that takes what was given back already keeps no unit back', () => {
  const taken = { minor: 1_000n, restMinor: 0n, goodsMinor: 0n, undeliveredMinor: 1_000n }
  expect(reversalParts(taken)).toEqual({
    heldMinor: 0n,
    ordersMinor: 0n,
    lossMinor: 0n,
    beyondMinor: 1_000n,
    sparedMinor: 0n,
  })
})

test('where a bank has taken some of it, a part that is no longer there is not given back', () => {
  const wish = {
    priceMinor: 1_255n,
    feeLeftMinor: 5n,
    priceLeftMinor: 3_765n,
    isLast: false,
    step: 10n,
  }
  expect(refundAmount({ ...wish, leftMinor: 1_260n })?.amountMinor).toBe(1_260n)
  expect(refundAmount({ ...wish, leftMinor: 1_250n })).toBeNull()
})
