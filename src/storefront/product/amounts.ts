import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { toMajor } from '#kernel/money.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'

/** How amounts are written on a page. */
export interface MoneyStyle {
  readonly language: LanguageCode
  readonly currency: string
  readonly minorUnits: number
  /** Fraction digits shown. */
  readonly digits: number
  /** Nothing, as the server writes it: "0.00 US$". */
  readonly sample: string
}

/** @param digits fraction digits shown */
export function moneyStyle(
  language: LanguageCode,
  currency: { readonly code: string; readonly minorUnits: number },
  digits: number,
): MoneyStyle {
  const { code, minorUnits } = currency
  return {
    language,
    currency: code,
    minorUnits,
    digits,
    sample: formatMoney(language, code, 0n, minorUnits, digits),
  }
}

/**
 * Writes an amount of minor units. In the browser only in answer to something the visitor did: the server's text comes first.
 * A browser that does not know the language (Chromium and Burmese) would write it as its own; it gets its figures as in English,
 * which is how Burmese groups them, and its sign from the sample.
 */
export function writeAmount(
  { language, currency, minorUnits, digits, sample }: MoneyStyle,
  minor: bigint,
): string {
  if (Intl.NumberFormat.supportedLocalesOf(getLanguage(language).intl).length > 0)
    return formatMoney(language, currency, minor, minorUnits, digits)
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

/** Most units of an item in one go. */
export function quantityLimit(stock: number | null): number {
  return Math.max(1, Math.min(QUANTITY_MAX, stock ?? QUANTITY_MAX))
}

/** What a quantity field says, kept within 1 and the limit. */
export function readQuantity(text: string, limit: number): number {
  const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 1
  return Math.min(limit, Math.max(1, quantity))
}

/** Price of several units in minor units. */
export function totalMinor(unitMinor: string, quantity: number): bigint {
  return BigInt(unitMinor) * BigInt(quantity)
}
