import { convertMinor, type Currency } from '#features/goods/currency/rules.ts'
import type { Money } from '#kernel/money.ts'

/** A price by the plain rate: neither margin, spread nor rounding to prices. Null where there is none. */
export function inCurrency(
  price: Money,
  currency: string,
  known: readonly Currency[],
): bigint | null {
  if (price.currency === currency) return price.minor
  const from = known.find(({ code }) => code === price.currency)
  const to = known.find(({ code }) => code === currency)
  if (!from || !to) return null
  const plain = {
    marginBasisPoints: 0,
    spreadBasisPoints: 0,
    roundingIncrement: 1n,
    roundingMode: 'half_up',
  } as const
  return convertMinor(price.minor, from, { ...to, ...plain })
}
