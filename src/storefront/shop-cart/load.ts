import { shownDigits } from '#features/currency/rules.ts'
import type { PageContext, PageMeta } from '../page.ts'
import type { MoneyStyle } from '../product/amounts.ts'

/** The cart is the browser's: the page itself is the same for everyone. */
export interface ShopCartData {
  readonly money: MoneyStyle
}

export function load({ language, currency }: PageContext): ShopCartData {
  return { money: { language: language.code, currency: currency.code, minorUnits: currency.minorUnits, digits: shownDigits(currency) } }
}

export function meta(_: ShopCartData, { t }: PageContext): PageMeta {
  return { title: t('title.shopCart'), description: t('shop-cart.description'), noIndex: true }
}
