import {
  GOODS_TYPE,
  type Brand,
  type Game,
  type GoodsType,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { searchRanked } from '#features/goods/search/engine/search.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { GoodsSort } from '../rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'
import { gameHits, orderGames } from './games.ts'
import { orderedProducts } from './order.ts'

/** 0 is games, the others are goods types (specification §3, "Search classification"). */
export type FoundKind = 0 | GoodsType

/** In the order in which they are shown. */
export const FOUND_KINDS = [
  0,
  GOODS_TYPE.topUp,
  GOODS_TYPE.card,
  GOODS_TYPE.gameProduct,
  GOODS_TYPE.recharge,
] as const satisfies readonly FoundKind[]

/** A product that was found, once: the regions of it that match, the best first. */
export interface FoundGoods {
  readonly brand: Brand
  readonly products: readonly Product[]
}

/** Everything that keywords find: games, and of each kind of goods the products, each once with its regions. */
export interface Found {
  readonly games: readonly Game[]
  readonly goods: ReadonlyMap<GoodsType, readonly FoundGoods[]>
  /** Games and products, each counted once. */
  readonly total: number
}

/** @param sort null: by match */
export function searchEverything(
  snapshot: ShopSnapshot,
  keywords: string,
  sort: GoodsSort | null,
  language: LanguageCode,
  currency: Currency,
): Found {
  const { catalogue } = snapshot
  const games = orderGames(
    snapshot,
    // The search engine gives away what it works with: the next search writes over it.
    gameHits(snapshot, keywords, language).slice(),
    sort,
    language,
    currency,
  )
  const hits = searchRanked(snapshot.productSearch, keywords, language).ids
  const byBrand = new Map<Brand, Product[]>()
  for (const id of inOrder(snapshot, hits, sort, language, currency)) {
    const product = catalogue.products[id] as Product
    const known = byBrand.get(product.brand)
    if (known) known.push(product)
    else byBrand.set(product.brand, [product])
  }
  const goods = Map.groupBy(
    Array.from(byBrand, ([brand, products]): FoundGoods => ({ brand, products })),
    ({ brand }) => brand.type,
  )
  return {
    games: Array.from(games, (id) => catalogue.games[id] as Game),
    goods,
    total: games.length + byBrand.size,
  }
}

function inOrder(
  snapshot: ShopSnapshot,
  hits: Uint32Array,
  sort: GoodsSort | null,
  language: LanguageCode,
  currency: Currency,
): Iterable<number> {
  if (sort === null || sort === 'popular') return hits
  const matched = new Set(hits)
  return orderedProducts(snapshot, sort, language, currency).filter((id) => matched.has(id))
}
