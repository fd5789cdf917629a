import { parseDecimal, roundToIncrement, type Ratio, type RoundingMode } from '#kernel/money.ts'

/** A currency as the shop uses it: ISO 4217 digits, its rounding rule, the shop's margin and the rate in force. */
export interface Currency {
  readonly code: string
  readonly name: string
  readonly symbol: string
  /** ISO 4217 exponent: digits of a minor unit (0, 2, 3). */
  readonly minorUnits: number
  /** Shown prices are multiples of this many minor units. */
  readonly roundingIncrement: bigint
  readonly roundingMode: RoundingMode
  readonly marginBasisPoints: number
  /** Whether shoppers may choose it. */
  readonly isCheckout: boolean
  /** Units of this currency for one US dollar; null while no rate is known (then nothing is sold in it). */
  readonly perUsd: Ratio | null
  readonly rateObservedAt: Date | null
}

/** What a shop without currencies shows: nothing is sold in it yet. */
export const US_DOLLAR: Currency = {
  code: 'USD', name: 'US Dollar', symbol: '$', minorUnits: 2, roundingIncrement: 1n, roundingMode: 'half_up', marginBasisPoints: 0,
  isCheckout: true, perUsd: { numerator: 1n, denominator: 1n }, rateObservedAt: null,
}

/** Fraction digits shown: those of the minor unit, less what the rounding increment makes zero anyway (IDR, VND). */
export function shownDigits(currency: Pick<Currency, 'minorUnits' | 'roundingIncrement'>): number {
  let digits = currency.minorUnits
  for (let step = currency.roundingIncrement; digits > 0 && step % 10n === 0n; step /= 10n) digits -= 1
  return digits
}

/**
 * A price of one currency in another, in minor units: the rate in force, the target's margin, then the target's rounding
 * rule, in that order and only here. In its own currency a price is left as it was set. Null when a rate is missing.
 */
export function convertMinor(minor: bigint, from: Currency, to: Currency): bigint | null {
  if (from.code === to.code) return minor
  if (!from.perUsd || !to.perUsd) return null
  const margin = BigInt(10_000 + to.marginBasisPoints)
  const numerator = minor * to.perUsd.numerator * from.perUsd.denominator * 10n ** BigInt(to.minorUnits) * margin
  const denominator = to.perUsd.denominator * from.perUsd.numerator * 10n ** BigInt(from.minorUnits) * 10_000n
  return roundToIncrement(numerator, denominator, to.roundingIncrement, to.roundingMode)
}

/** A stored decimal ("0.920000000000") as an exact fraction in lowest terms. */
export function rateOf(text: string): Ratio {
  const ratio = parseDecimal(text)
  const divisor = greatestCommonDivisor(ratio.numerator, ratio.denominator)
  return { numerator: ratio.numerator / divisor, denominator: ratio.denominator / divisor }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b > 0n) [a, b] = [b, a % b]
  return a
}
