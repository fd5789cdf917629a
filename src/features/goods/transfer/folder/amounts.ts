import { parseMajor, toMajor, type Money } from '#kernel/money.ts'

/** Fraction digits of each known currency. */
export type MinorUnits = ReadonlyMap<string, number>

/**
 * Reads "4.99" (in the currency of the place it stands at) or "EUR 4.99".
 * @returns what is wrong with it, where it is no amount of that currency
 */
export function readAmount(text: string, currency: string, digits: MinorUnits): Money | string {
  const [own, figure] = text.includes(' ')
    ? (text.split(' ') as [string, string])
    : [currency, text]
  const minorUnits = digits.get(own)
  if (minorUnits === undefined) return `unknown currency ${own}`
  const minor = parseMajor(figure, minorUnits)
  if (minor === null) return `${own} has ${minorUnits} digits after the point`
  return { minor, currency: own }
}

/** The inverse: whole amounts without zeros behind the point, the currency only where it is another one. */
export function writeAmount(
  minor: string,
  of: string,
  currency: string,
  digits: MinorUnits,
): string {
  const figure = trimDecimal(toMajor(BigInt(minor), digits.get(of) ?? 0), 'fraction')
  return of === currency ? figure : `${of} ${figure}`
}

/** "5.00" → "5"; with 'zeros' also "0.8600" → "0.86". */
export function trimDecimal(text: string, what: 'fraction' | 'zeros'): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const kept = what === 'zeros' || /^0*$/.test(fraction) ? fraction.replace(/0+$/, '') : fraction
  return kept ? `${whole}.${kept}` : whole
}
