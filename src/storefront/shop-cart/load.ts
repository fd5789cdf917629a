import { showCart } from '#features/buying/cart/commands.ts'
import type { CartView } from '#features/buying/cart/views.ts'
import { phraseIn, productPath } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { formatParts } from '#platform/i18n/format.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import { moneyStyle, type MoneyStyle } from '../product/amounts.ts'

/** What a product's page asked for without script, and why it was not taken. */
export interface RefusedGoods {
  readonly path: string | null
  readonly problems: readonly string[]
}

export interface ShopCartData {
  readonly money: MoneyStyle
  /** The account's; null for a visitor, whose cart the browser keeps. */
  readonly cart: CartView | null
  readonly refused: RefusedGoods | null
}

export async function load(page: PersonalPageContext): Promise<ShopCartData> {
  const { shop, language, currency, t, person, ctx, country } = page
  const money = moneyStyle(language.code, currency, shownDigits(currency))
  const refused = refusedGoods(page)
  if (!person) return { money, cart: null, refused }
  const query = {
    shop,
    currency,
    roleId: person.roleId,
    accountId: person.accountId,
    chosenCountry: country,
  }
  const view = { shop, language: language.code, currency, t }
  return { money, cart: await showCart(ctx, view, query), refused }
}

function refusedGoods({ outcome, shop, language }: PersonalPageContext): RefusedGoods | null {
  if (!outcome || outcome.isDone || (outcome.form !== 'add' && outcome.form !== 'buyNow'))
    return null
  const code = outcome.values['item'] ?? ''
  const product = shop.catalogue.products.find(({ items }) =>
    items.some((item) => item.code === code),
  )
  const problems = Object.entries(outcome.faults).map(([at, text]) => {
    const key = at.split('fields.')[1]
    const field = product?.brand.fields.find((known) => known.key === key)
    const label = field && phraseIn(shop.catalogue, language.code, field.label)
    return label === undefined ? text : formatParts(language.code, [label, text])
  })
  return {
    path: product ? `${productPath(product)}?item=${encodeURIComponent(code)}` : null,
    problems: outcome.message === null ? problems : [outcome.message],
  }
}

export function meta(_: ShopCartData, { t }: PersonalPageContext): PageMeta {
  return { title: t('title.shopCart'), description: t('shop-cart.description'), noIndex: true }
}
