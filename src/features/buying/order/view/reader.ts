import type { ShopView } from '#features/goods/browse/views.ts'
import type { Price } from '#features/goods/browse/view/shapes.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { formatMoney } from '#platform/i18n/format.ts'

/** For whom an order is shown. Its amounts stay in its own currency. */
export type OrderReader = Pick<ShopView, 'shop' | 'language' | 't'> & {
  readonly now: Date
  /** The shop's: days and hours are its own. */
  readonly timeZone: string
}

/** An amount in its own currency, as shoppers read it. */
export function moneyView(
  { shop, language }: Pick<OrderReader, 'shop' | 'language'>,
  code: string,
  minor: bigint,
): Price {
  const currency = currencyOf({ shop }, code)
  const digits = shownDigits(currency)
  // What came from a payer need not be a multiple of the shop's rounding.
  const isShown = minor % 10n ** BigInt(currency.minorUnits - digits) === 0n
  return {
    amount: toMajor(minor, currency.minorUnits),
    minor: minor.toString(),
    currency: code,
    text: formatMoney(
      language,
      code,
      minor,
      currency.minorUnits,
      isShown ? digits : currency.minorUnits,
    ),
  }
}

export function currencyOf({ shop }: Pick<OrderReader, 'shop'>, code: string) {
  const currency = shop.currencyByCode.get(code)
  if (!currency) throw new Error(`an order in ${code}, which the shop does not know`)
  return currency
}
