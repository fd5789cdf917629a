import type { Category, GoodsType, Product } from '#features/goods/catalogue/rules.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { GameQuery } from '../rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'
import { pricesIn } from './order.ts'

/** What is sorted by categories of its own: a kind of goods, or games. */
export type CategorisedGoods = GoodsType | 'game'

/** The root of each kind's categories; those of games also sort the game products. */
const ROOTS: Readonly<Record<CategorisedGoods, string>> = {
  [GOODS_TYPE.card]: '/cards',
  [GOODS_TYPE.topUp]: '/top-up',
  [GOODS_TYPE.recharge]: '/mobile-recharge',
  [GOODS_TYPE.gameProduct]: '/game',
  game: '/game',
}

/** The categories of a kind. */
export function categoriesOf(
  { catalogue }: Pick<ShopSnapshot, 'catalogue'>,
  kind: CategorisedGoods,
): readonly Category[] {
  return catalogue.categories.find((category) => category.path === ROOTS[kind])?.children ?? []
}

/**
 * A query without the codes that its list does not know: an unknown code means no filter, on pages and in calls alike (decisions,
 * "Settled after the first review"). Without a kind every category of the shop is known.
 */
export function onlyKnown<Query extends Pick<GameQuery, 'regions' | 'platforms' | 'categories'>>(
  shop: Pick<ShopSnapshot, 'catalogue'>,
  query: Query,
  kind: CategorisedGoods | null,
): Query {
  const { regions, platforms, categoryByCode } = shop.catalogue
  const isCategory = (code: string) =>
    kind === null
      ? categoryByCode.has(code)
      : categoriesOf(shop, kind).some((category) => category.code === code)
  return {
    ...query,
    regions: query.regions.filter((code) => regions.has(code)),
    platforms: query.platforms.filter((code) => platforms.some((known) => known.code === code)),
    categories: query.categories.filter(isCategory),
  }
}

/** Ids of the named categories and all below them; unknown codes name nothing. */
export function categoryIds(snapshot: ShopSnapshot, codes: readonly string[]): Set<number> {
  const ids = new Set<number>()
  for (const code of codes) {
    const category = snapshot.catalogue.categoryByCode.get(code)
    if (!category) continue
    ids.add(category.id)
    for (const child of category.children) ids.add(child.id)
  }
  return ids
}

/** Whether a product lies in the regions, within the prices and at hand as asked; null when nothing of that is asked. */
export function offerFilter(
  snapshot: ShopSnapshot,
  query: Pick<GameQuery, 'regions' | 'priceMin' | 'priceMax' | 'inStock'>,
  currency: Currency,
): ((product: Product) => boolean) | null {
  const { regions, priceMin, priceMax, inStock } = query
  const isPriced = priceMin !== null || priceMax !== null
  if (regions.length === 0 && !isPriced && !inStock) return null
  const prices = isPriced ? pricesIn(snapshot, currency) : null
  const min = priceMin === null ? -Infinity : Number(priceMin)
  const max = priceMax === null ? Infinity : Number(priceMax)
  return (product) => {
    if (regions.length > 0 && !regions.includes(product.region.code)) return false
    const price = prices?.[product.index]
    if (price !== undefined && !(price >= min && price <= max)) return false
    return !inStock || product.items.some((item) => item.stock !== 0)
  }
}
