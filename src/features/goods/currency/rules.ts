import { AppError } from '#kernel/error.ts'
import {
  divide,
  parseDecimal,
  roundToIncrement,
  type Money,
  type Ratio,
  type RoundingMode,
} from '#kernel/money.ts'

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
  /** Nothing is sold by the rate after that moment; null for a rate that stands until it is replaced. */
  readonly rateValidUntil: Date | null
}

/** Whether shoppers may choose it and something is sold in it. */
export function isOffered({
  isCheckout,
  perUsd,
}: Pick<Currency, 'isCheckout' | 'perUsd'>): boolean {
  return isCheckout && perUsd !== null
}

/** What a shop without currencies shows: nothing is sold in it yet. */
export const US_DOLLAR: Currency = {
  code: 'USD',
  name: 'US Dollar',
  symbol: '$',
  minorUnits: 2,
  roundingIncrement: 1n,
  roundingMode: 'half_up',
  marginBasisPoints: 0,
  isCheckout: true,
  perUsd: { numerator: 1n, denominator: 1n },
  rateObservedAt: null,
  rateValidUntil: null,
}

/** Hours after which a rate is too old to sell by, where the shop's setting says nothing else. */
export const RATE_MAX_AGE_HOURS = 48

const HOUR_MS = 3_600_000

/**
 * Until when a rate may be sold by. The US dollar needs none, and a table that a catalogue folder brought is dated by its
 * author: both stand until they are replaced.
 */
export function rateValidUntil(
  code: string,
  rate: { readonly observedAt: Date; readonly source: string },
  maxAgeHours: number,
): Date | null {
  if (code === US_DOLLAR.code || rate.source.startsWith('catalogue:')) return null
  return new Date(rate.observedAt.getTime() + maxAgeHours * HOUR_MS)
}

/** Throws 'currency_unavailable' where nothing may be sold in a currency now: it is not offered, or its rate is missing or too old. */
export function assertSellable(currency: Currency, now: Date): void {
  const isTooOld = currency.rateValidUntil !== null && currency.rateValidUntil < now
  if (!currency.isCheckout || currency.perUsd === null || isTooOld)
    throw new AppError('currency_unavailable', { currency: currency.code })
}

/** Fraction digits shown: those of the minor unit, less what the rounding increment makes zero anyway (IDR, VND). */
export function shownDigits(currency: Pick<Currency, 'minorUnits' | 'roundingIncrement'>): number {
  let digits = currency.minorUnits
  for (let step = currency.roundingIncrement; digits > 0 && step % 10n === 0n; step /= 10n)
    digits -= 1
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
  const numerator =
    minor * to.perUsd.numerator * from.perUsd.denominator * 10n ** BigInt(to.minorUnits) * margin
  const denominator =
    to.perUsd.denominator * from.perUsd.numerator * 10n ** BigInt(from.minorUnits) * 10_000n
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

/**
 * What an amount counts against limits, in US cents: by the rate itself, rounded up, so that many small amounts are not nothing. Null
 * where no rate is known.
 */
export function usdMinorOf(
  { minor, currency }: Money,
  currencies: readonly Currency[],
): bigint | null {
  if (currency === US_DOLLAR.code) return minor
  const from = currencies.find(({ code }) => code === currency)
  if (!from?.perUsd) return null
  return divide(
    minor * from.perUsd.denominator * 10n ** BigInt(US_DOLLAR.minorUnits),
    from.perUsd.numerator * 10n ** BigInt(from.minorUnits),
    'up',
  )
}
