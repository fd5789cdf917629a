import type { LanguageCode } from '#kernel/language.ts'
import { toMajor } from '#kernel/money.ts'
import { writeMoney, type MoneyLanguage } from '#platform/i18n/money.ts'

/** How amounts are written on a page. */
export interface MoneyStyle extends MoneyLanguage {
  readonly language: LanguageCode
  readonly currency: string
  readonly minorUnits: number
  /** Fraction digits shown. */
  readonly digits: number
  /** Nothing, as the server writes it: "0.00 US$". */
  readonly sample: string
}

/**
 * Writes an amount of minor units. In the browser only in answer to something the visitor did: the server's text comes first.
 * A browser that does not know the language (Chromium and Burmese) would write it as its own; it gets its figures as in English,
 * which is how Burmese groups them, and its sign from the sample.
 */
export function writeAmount(style: MoneyStyle, minor: bigint): string {
  const { currency, minorUnits, digits, sample, intl } = style
  if (Intl.NumberFormat.supportedLocalesOf(intl).length > 0)
    return writeMoney(style, currency, minor, minorUnits, digits)
  const figures = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const text = sample.replace(
    /\d[\d.]*/,
    figures.format(toMajor(minor < 0n ? -minor : minor, minorUnits) as Intl.StringNumericLiteral),
  )
  return minor < 0n ? `−${text}` : text
}

/** Price of several units in minor units. */
export function totalMinor(unitMinor: string, quantity: number): bigint {
  return BigInt(unitMinor) * BigInt(quantity)
}
