import { leadItem, discountPercent } from '#features/goods/browse/rules.ts'
import type { Product } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'

/** Favourites of one account. */
export const FAVOURITES_MAX = 500

/** The figures beside the favourites entry (specification §3, `ext`). */
export interface CollectFigures {
  /** Favourites on sale now. */
  readonly collect_num: number
  /** Whole percent of the largest running discount among them; 0 when there is none. */
  readonly collect_max_discount: number
}

/** The running discount of a product as its card shows it: of the item whose price stands for it. */
export function runningDiscount(
  product: Pick<Product, 'items'>,
  currencyByCode: ReadonlyMap<string, Currency>,
): number {
  const item = leadItem(product, currencyByCode)
  return discountPercent(item.priceMinor, item.marketMinor)
}
