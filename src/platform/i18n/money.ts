import type { Language } from '#kernel/language.ts'
import { toMajor } from '#kernel/money.ts'

/** What of a language amounts are written by. */
export type MoneyLanguage = Pick<Language, 'intl' | 'dir'>

const formats = new Map<string, Intl.NumberFormat>()

/**
 * An amount for people: "$4.99", "4,99 €", "￥500". `digits` are the fraction digits shown.
 * The decimal goes to `Intl` as text, so that no amount passes through floating point.
 */
export function writeMoney(
  { intl, dir }: MoneyLanguage,
  currency: string,
  minor: bigint,
  minorUnits: number,
  digits: number,
): string {
  const key = `${intl} ${currency} ${digits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(intl, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(key, format)
  }
  // The sign's place is the language's: before the amount, but for a reader from right to left at its left.
  const text = format
    .format(toMajor(minor, minorUnits) as Intl.StringNumericLiteral)
    .replace('-', '−')
  return dir === 'rtl'
    ? text
        .replace(LETTERED_SIGN, `$&${LEFT_TO_RIGHT_MARK}`)
        .replace(NEGATIVE_FIGURE, `$&${RIGHT_TO_LEFT_MARK}`)
    : text
}

/** Whose mark from left to right would reach over the sign of the currency, and put it on the other side than that of other amounts. */
const NEGATIVE_FIGURE = /\u200e−[\d.,]+/
const RIGHT_TO_LEFT_MARK = '\u200f'

/** "US$": between right-to-left text its sign would jump before its letters. */
const LETTERED_SIGN = /\p{Script=Latin}\p{Sc}/u
const LEFT_TO_RIGHT_MARK = '\u200e'
