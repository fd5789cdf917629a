import type { GoodsDetail } from '#features/goods/browse/view/shapes.ts'
import { textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { viewOf } from '../goods/tile.ts'
import type { PageContext } from '../page.ts'
import { moneyStyle } from './money-style.ts'
import { choiceOf, itemChoices, type ChoiceKind, type ItemChoice } from './choices.ts'
import { firstChoice, type FirstChoice } from './first-choice.ts'

/** What a product is chosen among, on its own page and on that of its game. */
export interface Choosing extends FirstChoice {
  readonly choice: ChoiceKind
  readonly items: readonly ItemChoice[]
  /** What the figures of the items count; null where they say it themselves. */
  readonly unit: string | null
}

/** @param asked code of the item that the address asks for */
export function choosingOf(
  page: PageContext,
  product: Product,
  detail: GoodsDetail,
  asked: string | null,
): Choosing {
  const { shop, language, currency } = page
  const money = moneyStyle(language.code, currency, shownDigits(currency))
  const items = itemChoices(product, detail, money, viewOf(page))
  const ids = new Map(product.items.map(({ code, id }) => [code, id]))
  return {
    choice: choiceOf(product),
    items,
    unit:
      product.brand.unit && items.some(({ figure }) => figure !== null)
        ? textIn(product.brand.unit.name, language.code)
        : null,
    ...firstChoice(items, asked, (code) => ids.get(code), shop.recentSales),
  }
}
