import type { GoodsChange } from '#features/goods/browse/engine/changed.ts'
import { listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS } from '#features/goods/browse/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { relatedProducts } from '#features/goods/browse/view/detail.ts'
import { productPath, type Brand, type Product } from '#features/goods/catalogue/rules.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { familyOf } from '../goods/list-filter.ts'
import { POPULAR_COUNT, POPULAR_TYPES } from '../shell/load.ts'
import { LIST_TYPES } from '../goods-list/load.ts'
import { matchRoute } from './match.ts'

/** Pages of texts and settings, which say nothing of single goods. */
const WITHOUT_GOODS: ReadonlySet<string> = new Set([
  'article',
  'contact-us',
  'support',
  'support-answer',
  'pay-type',
  'language-currency',
])

/** Whether the page at a path (without language) may say something else after a change of goods. */
export type Touches = (path: string) => boolean

/** Null: every page may. What is not known to be left alone is touched. */
export function touchedBy(change: GoodsChange): Touches | null {
  const { after, products: codes } = change
  const products = [...codes].flatMap((code) => after.catalogue.productByCode.get(code) ?? [])
  if (products.some((product) => isInMenu(after, product))) return null
  const touchesBrand = rememberBrand((brand) => showsAny(after, brand, codes))
  const types = new Set(products.map(({ type }) => type))
  const games = new Set(products.map(({ brand }) => brand.game))
  const hasGames = products.some(({ brand }) => brand.game !== null)
  return (path) => {
    const match = matchRoute(path)
    if (!match || products.length === 0) return products.length > 0
    const { page } = match.route
    const code = match.params['code'] ?? ''
    if (WITHOUT_GOODS.has(page)) return false
    switch (page) {
      case 'product': {
        const product = after.catalogue.productByCode.get(code)
        return product === undefined || touchesBrand(product.brand)
      }
      case 'game':
        return games.has(code)
      case 'goods-list': {
        const family = familyOf(path)
        return family === 'game' || types.has(LIST_TYPES[family])
      }
      case 'game-list':
        return hasGames
      default:
        return true
    }
  }
}

/** The page of a product shows its siblings of other regions, and what goes with its brand. */
function showsAny(shop: ShopSnapshot, brand: Brand, codes: ReadonlySet<string>): boolean {
  const shown: readonly Product[] = [...brand.products, ...relatedProducts({ shop }, brand)]
  return shown.some(({ code }) => codes.has(code))
}

/** The header of every page shows the best of some kinds by name and picture; the order is the same in every currency. */
function isInMenu(shop: ShopSnapshot, { code, type }: Product): boolean {
  if (!POPULAR_TYPES.has(type)) return false
  const currency = shop.currencyByCode.get('USD') ?? US_DOLLAR
  const query = { ...ALL_GOODS, type, limit: POPULAR_COUNT }
  return listProducts(shop, query, 'en', currency).list.some((product) => product.code === code)
}

function rememberBrand(look: (brand: Brand) => boolean): (brand: Brand) => boolean {
  const known = new Map<Brand, boolean>()
  return (brand) => {
    const before = known.get(brand)
    if (before !== undefined) return before
    const found = look(brand)
    known.set(brand, found)
    return found
  }
}

/** Pages that say how many of a product are at hand: its own, and its game's, which offers it as that does. */
export function pathsWithStock(product: Pick<Product, 'type' | 'code' | 'brand'>): string[] {
  const own = productPath(product).split('?', 1)[0] ?? ''
  return product.brand.game === null ? [own] : [own, `/game/${product.brand.game}`]
}
