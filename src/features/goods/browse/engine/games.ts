import { textIn, type Game, type Product } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { searchRanked } from '#features/goods/search/engine/search.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { pageOf, type GameQuery, type Paged } from '../rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'
import { categoryIds, offerFilter } from './filter.ts'
import { pricesIn, remember } from './order.ts'

/** A page of the games that fit a query, in its order. A page past the end is empty. */
export function listGames(
  snapshot: ShopSnapshot,
  query: GameQuery,
  language: LanguageCode,
  currency: Currency,
): Paged<Game> {
  const { games } = snapshot.catalogue
  const ids =
    query.keywords === ''
      ? remember(snapshot, listKey(query, language, currency), () =>
          filterGames(
            snapshot,
            query,
            orderedGames(snapshot, query.sort, language, currency),
            currency,
          ),
        )
      : filterGames(
          snapshot,
          query,
          orderGames(
            snapshot,
            gameHits(snapshot, query.keywords, language),
            query.sort,
            language,
            currency,
          ),
          currency,
        )
  return pageOf(ids, query.page, query.limit, (id) => games[id] as Game)
}

/** How many games of some categories there are on each platform, and with goods for each region. */
export function countGameFacets(snapshot: ShopSnapshot, categories: readonly string[]) {
  const wanted = categories.length === 0 ? null : categoryIds(snapshot, categories)
  const platforms = new Map<string, number>()
  const regions = new Map<string, number>()
  const count = (counts: Map<string, number>, code: string) =>
    counts.set(code, (counts.get(code) ?? 0) + 1)
  let total = 0
  for (const game of snapshot.catalogue.games) {
    if (wanted && !(game.categoryId !== null && wanted.has(game.categoryId))) continue
    total += 1
    for (const code of game.platforms) count(platforms, code)
    for (const code of new Set(game.products.map((product) => product.region.code)))
      count(regions, code)
  }
  return { total, platforms, regions }
}

/** The product whose price stands for a game: the cheapest of those that have one. */
export function cheapestOf(
  snapshot: ShopSnapshot,
  game: Pick<Game, 'products'>,
  currency: Currency,
): Product | undefined {
  const prices = pricesIn(snapshot, currency)
  let best: Product | undefined
  for (const product of game.products) {
    const price = prices[product.index] as number
    if (!Number.isNaN(price) && !(best && (prices[best.index] as number) <= price)) best = product
  }
  return best
}

function listKey(query: GameQuery, language: LanguageCode, currency: Currency): string {
  const { regions, platforms, categories, priceMin, priceMax, inStock, sort } = query
  const isByPrice =
    priceMin !== null || priceMax !== null || sort === 'price_asc' || sort === 'price_desc'
  return [
    'games',
    regions.join(),
    platforms.join(),
    categories.join(),
    priceMin,
    priceMax,
    inStock,
    sort,
    isByPrice ? currency.code : '',
    sort === 'name' ? language : '',
  ].join('|')
}

/** A game fits where one of its goods does in all of region, price and stock. */
function filterGames(
  snapshot: ShopSnapshot,
  query: GameQuery,
  order: Uint32Array,
  currency: Currency,
): Uint32Array {
  const { platforms, categories } = query
  const fits = offerFilter(snapshot, query, currency)
  if (platforms.length === 0 && categories.length === 0 && fits === null) return order
  const wanted = categories.length === 0 ? null : categoryIds(snapshot, categories)
  return order.filter((id) => {
    const game = snapshot.catalogue.games[id] as Game
    if (wanted && !(game.categoryId !== null && wanted.has(game.categoryId))) return false
    if (platforms.length > 0 && !platforms.some((code) => game.platforms.includes(code)))
      return false
    return fits === null || game.products.some(fits)
  })
}

/** The catalogue keeps games by popularity, so that only the other orders are made. */
function orderedGames(
  snapshot: ShopSnapshot,
  sort: GameQuery['sort'],
  language: LanguageCode,
  currency: Currency,
): Uint32Array {
  const { games } = snapshot.catalogue
  const ids = Uint32Array.from(games, (_, id) => id)
  if (sort === null || sort === 'popular') return ids
  if (sort === 'new') {
    const yearOf = (id: number) => games[id]?.releasedYear ?? 0
    return ids.sort((a, b) => yearOf(b) - yearOf(a) || a - b)
  }
  if (sort === 'name') {
    const collator = new Intl.Collator(getLanguage(language).intl)
    const nameOf = (id: number) => textIn((games[id] as Game).name, language)
    return ids.sort((a, b) => collator.compare(nameOf(a), nameOf(b)))
  }
  const column = pricesIn(snapshot, currency)
  const direction = sort === 'price_asc' ? 1 : -1
  const prices = games.map((game) => {
    const cheapest = cheapestOf(snapshot, game, currency)
    return cheapest ? (column[cheapest.index] as number) * direction : Infinity
  })
  // Games without a price come last in both directions.
  return ids.sort((a, b) => compare(prices[a] as number, prices[b] as number) || a - b)
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The games that a search found, best first, or as the sort says. */
export function orderGames(
  snapshot: ShopSnapshot,
  hits: Uint32Array,
  sort: GameQuery['sort'],
  language: LanguageCode,
  currency: Currency,
): Uint32Array {
  if (sort === null || sort === 'popular') return hits
  const matched = new Set(hits)
  return orderedGames(snapshot, sort, language, currency).filter((id) => matched.has(id))
}

/** Below lie typing errors and words that only sound alike, above words met as they were typed (search/engine/ranking.ts). */
const AS_TYPED_SCORE = 500

/** Games for a search, best first. Where goods carry the words as typed, games that need a correction were not meant. */
export function gameHits(
  snapshot: ShopSnapshot,
  keywords: string,
  language: LanguageCode,
): Uint32Array {
  const { ids, scores } = searchRanked(snapshot.gameSearch, keywords, language)
  if (ids.length === 0 || (scores[0] ?? 0) >= AS_TYPED_SCORE) return ids
  const goods = searchRanked(snapshot.productSearch, keywords, language)
  return (goods.scores[0] ?? 0) >= AS_TYPED_SCORE ? ids.subarray(0, 0) : ids
}
