import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import type { MoneyStyle } from './amounts.ts'

/**
 * What a page needs to write amounts by itself; on the server, which knows all languages.
 * @param digits fraction digits shown
 */
export function moneyStyle(
  language: LanguageCode,
  currency: { readonly code: string; readonly minorUnits: number },
  digits: number,
): MoneyStyle {
  const { code, minorUnits } = currency
  const { intl, dir } = getLanguage(language)
  return {
    language,
    intl,
    dir,
    currency: code,
    minorUnits,
    digits,
    sample: formatMoney(language, code, 0n, minorUnits, digits),
  }
}
