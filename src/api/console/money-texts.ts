import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import { formatMoney } from '#platform/i18n/format.ts'

/** Writes amounts as the operator's language does, each in its own currency. */
export async function moneyTexts(
  db: Db,
  language: LanguageCode,
): Promise<(money: Money) => string> {
  const digits = new Map((await listCurrencies(db)).map((one) => [one.code, one.minorUnits]))
  return ({ minor, currency }) => {
    const places = digits.get(currency) ?? 0
    return formatMoney(language, currency, minor, places, places)
  }
}
