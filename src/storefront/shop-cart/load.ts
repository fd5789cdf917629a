import { showCart } from '#features/buying/cart/commands.ts'
import type { CartView } from '#features/buying/cart/views.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import { moneyStyle, type MoneyStyle } from '../product/amounts.ts'

export interface ShopCartData {
  readonly money: MoneyStyle
  /** The account's; null for a visitor, whose cart the browser keeps. */
  readonly cart: CartView | null
}

export async function load(page: PersonalPageContext): Promise<ShopCartData> {
  const { shop, language, currency, t, person, ctx, country } = page
  const money = moneyStyle(language.code, currency, shownDigits(currency))
  if (!person) return { money, cart: null }
  const query = {
    shop,
    currency,
    roleId: person.roleId,
    accountId: person.accountId,
    chosenCountry: country,
  }
  return { money, cart: await showCart(ctx, { shop, language: language.code, currency, t }, query) }
}

export function meta(_: ShopCartData, { t }: PersonalPageContext): PageMeta {
  return { title: t('title.shopCart'), description: t('shop-cart.description'), noIndex: true }
}
