/**
 * Money is an integer count of a currency's smallest unit (ISO 4217 exponent), never a floating-point number.
 * Rates are exact fractions; rounding is always said.
 */
export interface Money {
  readonly minor: bigint
  readonly currency: string
}

/** An exact fraction, denominator > 0. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

export type RoundingMode = 'half_up' | 'up' | 'down'

/** Reads a plain decimal ("1.085", "15750") exactly. Throws RangeError on anything else. */
export function parseDecimal(text: string): Ratio {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text)
  if (!match) throw new RangeError(`not a decimal: ${text.slice(0, 40)}`)
  const fraction = match[2] ?? ''
  return { numerator: BigInt(match[1] + fraction), denominator: 10n ** BigInt(fraction.length) }
}

/** Divides non-negative integers with the rounding named. `half_up` rounds a half away from zero. */
export function divide(numerator: bigint, denominator: bigint, mode: RoundingMode): bigint {
  if (numerator < 0n || denominator <= 0n)
    throw new RangeError('divide takes a non-negative number and a positive divisor')
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n || mode === 'down') return quotient
  if (mode === 'up') return quotient + 1n
  return remainder * 2n >= denominator ? quotient + 1n : quotient
}

/** Rounds a non-negative amount to a multiple of `increment` minor units. A positive amount never becomes zero. */
export function roundToIncrement(
  numerator: bigint,
  denominator: bigint,
  increment: bigint,
  mode: RoundingMode,
): bigint {
  const rounded = divide(numerator, denominator * increment, mode) * increment
  return rounded === 0n && numerator > 0n ? increment : rounded
}

/** Minor units from major units as typed by a person ("4.99"); null when it is not an amount of that precision. */
export function parseMajor(text: string, minorUnits: number): bigint | null {
  const match = /^(\d{1,18})(?:[.,](\d{1,8}))?$/.exec(text.trim())
  if (!match) return null
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > minorUnits) return null
  return BigInt(match[1] + fraction.padEnd(minorUnits, '0'))
}

/** Plain decimal of an amount, always with the currency's digits: 499n, 2 → "4.99"; 500n, 0 → "500". */
export function toMajor(minor: bigint, minorUnits: number): string {
  if (minorUnits === 0) return minor.toString()
  const isNegative = minor < 0n
  const digits = (isNegative ? -minor : minor).toString().padStart(minorUnits + 1, '0')
  return `${isNegative ? '-' : ''}${digits.slice(0, -minorUnits)}.${digits.slice(-minorUnits)}`
}
