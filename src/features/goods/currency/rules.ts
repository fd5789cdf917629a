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
  /** What changing money costs at the rate's source, added once: to prices that come out in this currency. */
  readonly spreadBasisPoints: number
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
  spreadBasisPoints: 0,
  isCheckout: true,
  perUsd: { numerator: 1n, denominator: 1n },
  rateObservedAt: null,
  rateValidUntil: null,
}

/** Hours after which a rate that no known source brought is too old to sell by, where the shop's setting says nothing else. */
export const RATE_MAX_AGE_HOURS = 48

/** The table that a catalogue folder brought, and rates that an operator typed: sources that nobody has to ask. */
export const CATALOGUE_RATES = 'catalogue'
export const RATES_BY_HAND = 'by-hand'

/** What an owner says of rates of exchange. */
export interface RatePolicy {
  /** In this order, for currencies that have none of their own. */
  readonly sources: readonly string[]
  /** Basis points by source. */
  readonly spreads: Readonly<Partial<Record<string, number>>>
  readonly currencies: Readonly<
    Record<
      string,
      {
        readonly sources?: readonly string[] | undefined
        readonly spreadBasisPoints?: number | undefined
      }
    >
  >
  /** How many of its days of publication a source may leave out before somebody is told, and before nothing is sold by its rate. */
  readonly staleDays: number
  readonly stopDays: number
  /** A rate that is further than that from the one in force waits for a person. */
  readonly jumpBasisPoints: number
}

/** Nobody is asked before the owner says so. */
export const DEFAULT_RATE_POLICY: RatePolicy = {
  sources: [RATES_BY_HAND, CATALOGUE_RATES],
  spreads: {},
  currencies: {},
  staleDays: 2,
  stopDays: 5,
  jumpBasisPoints: 1_000,
}

export const rateSourcesOf = (policy: RatePolicy, currency: string): readonly string[] =>
  policy.currencies[currency]?.sources ?? policy.sources

export const rateSpreadOf = (policy: RatePolicy, currency: string, source: string): number =>
  policy.currencies[currency]?.spreadBasisPoints ?? policy.spreads[source] ?? 0

/** Whether a source is to be asked for anything. */
export function isRateSourceUsed(policy: RatePolicy, source: string): boolean {
  return [policy.sources, ...Object.values(policy.currencies).map((own) => own.sources ?? [])].some(
    (sources) => sources.includes(source),
  )
}

/** A rate as a row of the history of rates in force. */
export interface DatedRate {
  readonly source: string
  readonly observedAt: Date
  /** Null for a row that was not chosen from sources. */
  readonly publishedAt: Date | null
}

/** A rate that may come in force for a currency. */
export interface RateCandidate {
  readonly source: string
  /** Null for a row of a catalogue folder. */
  readonly quoteId: string | null
  readonly perUsd: Ratio
  readonly publishedAt: Date
  /** A person has said so, or brought it: however far it is from the one in force. */
  readonly isAccepted: boolean
}

export interface RateChoice {
  /** Null: there is none; what is in force stays. */
  readonly chosen: RateCandidate | null
  /** What a person has to look at first. */
  readonly held: readonly RateCandidate[]
}

/** How far a rate is from another one, exactly. */
export function changeOf(
  from: Ratio,
  to: Ratio,
): {
  readonly isBeyond: (basisPoints: number) => boolean
  /** Of the old rate, rounded down to a whole basis point; less than zero where it fell. */
  readonly basisPoints: bigint
} {
  const before = from.numerator * to.denominator
  const difference = to.numerator * from.denominator - before
  const size = difference < 0n ? -difference : difference
  return {
    isBeyond: (basisPoints) => size * 10_000n > before * BigInt(basisPoints),
    basisPoints: (difference * 10_000n) / before,
  }
}

/** Units of a currency for one US dollar, by what one base says of both. */
export function crossRate(perBase: string, usdPerBase: string): Ratio {
  const [to, usd] = [parseDecimal(perBase), parseDecimal(usdPerBase)]
  return lowestTerms({
    numerator: to.numerator * usd.denominator,
    denominator: to.denominator * usd.numerator,
  })
}

/** As many digits as the column has that releases before read; no rate is nothing. */
const RATE_DIGITS = 12

/** A rate as a decimal, rounded half up. */
export function rateText({ numerator, denominator }: Ratio): string {
  const rounded = divide(numerator * 10n ** BigInt(RATE_DIGITS), denominator, 'half_up')
  const digits = (rounded === 0n ? 1n : rounded).toString().padStart(RATE_DIGITS + 1, '0')
  return `${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`
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
 * A price of one currency in another, in minor units: the rate in force, the target's spread and margin, then the target's
 * rounding rule, in that order and only here. In its own currency a price is left as it was set. Null when a rate is missing.
 */
export function convertMinor(minor: bigint, from: Currency, to: Currency): bigint | null {
  if (from.code === to.code) return minor
  if (!from.perUsd || !to.perUsd) return null
  const added = BigInt(10_000 + to.spreadBasisPoints) * BigInt(10_000 + to.marginBasisPoints)
  const numerator =
    minor * to.perUsd.numerator * from.perUsd.denominator * 10n ** BigInt(to.minorUnits) * added
  const denominator =
    to.perUsd.denominator * from.perUsd.numerator * 10n ** BigInt(from.minorUnits) * 100_000_000n
  return roundToIncrement(numerator, denominator, to.roundingIncrement, to.roundingMode)
}

/** A stored decimal ("0.920000000000") as an exact fraction in lowest terms. */
export function rateOf(text: string): Ratio {
  return lowestTerms(parseDecimal(text))
}

function lowestTerms({ numerator, denominator }: Ratio): Ratio {
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
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
