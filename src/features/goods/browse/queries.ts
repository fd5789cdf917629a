import type { Catalogue, Game, Product, RedirectKind } from '#features/goods/catalogue/rules.ts'
import { GOODS_TYPE, textIn } from '#features/goods/catalogue/rules.ts'
import type { Content } from '#features/goods/content/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { pictureUrl, type PictureStyle } from '#features/goods/picture/rules.ts'
import { flagVersion, FLAG_PREFIX } from '#features/goods/picture/queries.ts'
import { searchRanked } from '#features/goods/search/engine/search.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { getLanguage } from '#kernel/language.ts'
import { orderedProducts, pricesIn, remember } from './engine/order.ts'
import { pageOf, type GoodsQuery, type Paged } from './rules.ts'
import type { ShopSnapshot } from './snapshot.ts'

/** A page of the products that fit a query, in its order. A page past the end is empty. */
export function listProducts(
  snapshot: ShopSnapshot,
  query: GoodsQuery,
  language: LanguageCode,
  currency: Currency,
): Paged<Product> {
  const ids = matchingProducts(snapshot, query, language, currency)
  return pageOf(ids, query.page, query.limit, (id) => snapshot.catalogue.products[id] as Product)
}

/** What a list of games takes. */
export interface GameQuery {
  readonly keywords: string
  /** Any of these; empty means all. */
  readonly platforms?: readonly string[]
  readonly categories?: readonly string[]
  /** Null: by match when there are keywords, else by popularity. Games have no price of their own. */
  readonly sort?: 'popular' | 'new' | 'name' | null
  readonly page: number
  readonly limit: number
}

/** A page of the games that fit a query, in its order. A page past the end is empty. */
export function listGames(
  snapshot: ShopSnapshot,
  query: GameQuery,
  language: LanguageCode,
): Paged<Game> {
  const { games } = snapshot.catalogue
  const { keywords, platforms = [], categories = [], sort = null } = query
  const key = `games|${platforms.join()}|${categories.join()}|${sort}|${sort === 'name' ? language : ''}`
  const ids =
    keywords === ''
      ? remember(snapshot, key, () =>
          filterGames(snapshot, orderedGames(snapshot, sort, language), platforms, categories),
        )
      : filterGames(snapshot, gameHits(snapshot, keywords, language), platforms, categories)
  return pageOf(ids, query.page, query.limit, (id) => games[id] as Game)
}

function filterGames(
  snapshot: ShopSnapshot,
  order: Uint32Array,
  platforms: readonly string[],
  categories: readonly string[],
): Uint32Array {
  if (platforms.length === 0 && categories.length === 0) return order
  const wanted = categories.length === 0 ? null : categoryIds(snapshot, categories)
  return order.filter((id) => {
    const game = snapshot.catalogue.games[id] as Game
    if (wanted && !(game.categoryId !== null && wanted.has(game.categoryId))) return false
    return platforms.length === 0 || platforms.some((code) => game.platforms.includes(code))
  })
}

/** The catalogue keeps games by popularity, so that only the other orders are made. */
function orderedGames(
  { catalogue: { games } }: ShopSnapshot,
  sort: GameQuery['sort'],
  language: LanguageCode,
): Uint32Array {
  const ids = Uint32Array.from(games, (_, id) => id)
  const yearOf = (id: number) => games[id]?.releasedYear ?? 0
  if (sort === 'new') return ids.sort((a, b) => yearOf(b) - yearOf(a) || a - b)
  if (sort !== 'name') return ids
  const collator = new Intl.Collator(getLanguage(language).intl)
  const nameOf = (id: number) => textIn((games[id] as Game).name, language)
  return ids.sort((a, b) => collator.compare(nameOf(a), nameOf(b)))
}

/** How many products of a query carry each platform and lie in each region: the figures beside the filters. */
export function countFacets(
  snapshot: ShopSnapshot,
  query: GoodsQuery,
  language: LanguageCode,
  currency: Currency,
) {
  const base = {
    ...query,
    regions: [],
    platforms: [],
    priceMin: null,
    priceMax: null,
    inStock: false,
    sort: null,
  }
  const platforms = new Map<string, number>()
  const regions = new Map<string, number>()
  for (const id of matchingProducts(snapshot, base, language, currency)) {
    const product = snapshot.catalogue.products[id] as Product
    regions.set(product.region.code, (regions.get(product.region.code) ?? 0) + 1)
    for (const platform of product.brand.platforms)
      platforms.set(platform, (platforms.get(platform) ?? 0) + 1)
  }
  return { platforms, regions }
}

/** Positions of all products that fit, in the query's order, good until the next search. Lists without keywords are made once a snapshot. */
function matchingProducts(
  snapshot: ShopSnapshot,
  query: GoodsQuery,
  language: LanguageCode,
  currency: Currency,
): Uint32Array {
  if (query.keywords !== '')
    return filterProducts(
      snapshot,
      query,
      orderByMatch(snapshot, query, language, currency),
      currency,
    )
  return remember(snapshot, listKey(query, language, currency), () =>
    filterProducts(
      snapshot,
      query,
      orderedProducts(snapshot, query.sort ?? 'popular', language, currency),
      currency,
    ),
  )
}

function listKey(query: GoodsQuery, language: LanguageCode, currency: Currency): string {
  const byPrice =
    query.priceMin !== null ||
    query.priceMax !== null ||
    query.sort === 'price_asc' ||
    query.sort === 'price_desc'
  return [
    'list',
    query.type,
    query.isHot,
    query.isHome,
    query.inStock,
    query.regions.join(),
    query.platforms.join(),
    query.categories.join(),
    query.priceMin,
    query.priceMax,
    query.sort,
    byPrice ? currency.code : '',
    query.sort === 'name' ? language : '',
  ].join('|')
}

function filterProducts(
  snapshot: ShopSnapshot,
  query: GoodsQuery,
  order: Uint32Array,
  currency: Currency,
): Uint32Array {
  if (!hasFilter(query)) return order
  const { products } = snapshot.catalogue
  const categories = query.categories.length === 0 ? null : categoryIds(snapshot, query.categories)
  const prices =
    query.priceMin === null && query.priceMax === null ? null : pricesIn(snapshot, currency)
  const min = query.priceMin === null ? -Infinity : Number(query.priceMin)
  const max = query.priceMax === null ? Infinity : Number(query.priceMax)
  return order.filter((id) => {
    const product = products[id] as Product
    const { brand } = product
    if (query.type !== null && product.type !== query.type) return false
    if (query.isHot && !(brand.isHot && product.isLeading)) return false
    if (query.isHome && !product.isLeading) return false
    if (query.regions.length > 0 && !query.regions.includes(product.region.code)) return false
    if (
      query.platforms.length > 0 &&
      !query.platforms.some((code) => brand.platforms.includes(code))
    )
      return false
    if (categories && !brand.categoryIds.some((category) => categories.has(category))) return false
    if (prices && !((prices[id] as number) >= min && (prices[id] as number) <= max)) return false
    return !query.inStock || product.items.some((item) => item.stock !== 0)
  })
}

function hasFilter(query: GoodsQuery): boolean {
  const { type, isHot, isHome, inStock, regions, platforms, categories, priceMin, priceMax } = query
  return (
    type !== null ||
    isHot ||
    isHome ||
    inStock ||
    regions.length + platforms.length + categories.length > 0 ||
    priceMin !== null ||
    priceMax !== null
  )
}

/** Ids of the named categories and all below them; unknown codes name nothing. */
function categoryIds(snapshot: ShopSnapshot, codes: readonly string[]): Set<number> {
  const ids = new Set<number>()
  for (const code of codes) {
    const category = snapshot.catalogue.categoryByCode.get(code)
    if (!category) continue
    ids.add(category.id)
    for (const child of category.children) ids.add(child.id)
  }
  return ids
}

function orderByMatch(
  snapshot: ShopSnapshot,
  query: GoodsQuery,
  language: LanguageCode,
  currency: Currency,
): Uint32Array {
  const hits = searchRanked(snapshot.productSearch, query.keywords, language).ids
  if (query.sort === null || query.sort === 'popular') return hits
  const matched = new Set(hits)
  return orderedProducts(snapshot, query.sort, language, currency).filter((id) => matched.has(id))
}

/** The product of a code, which may be a brand's (then its leading one) or one it had before. */
export function findProduct(
  { catalogue }: Pick<ShopSnapshot, 'catalogue'>,
  code: string,
): Product | null {
  const { productByCode, brandByCode } = catalogue
  return (
    productByCode.get(code) ??
    brandByCode.get(code)?.products[0] ??
    followRedirects(catalogue, 'product', code, productByCode) ??
    followRedirects(catalogue, 'brand', code, brandByCode)?.products[0] ??
    null
  )
}

export function findGame(
  { catalogue }: Pick<ShopSnapshot, 'catalogue'>,
  code: string,
): Game | null {
  return (
    catalogue.gameByCode.get(code) ?? followRedirects(catalogue, 'game', code, catalogue.gameByCode)
  )
}

const RENAMES_MAX = 10

/** What a former code is called now; renames may follow one another. */
function followRedirects<T>(
  catalogue: Pick<Catalogue, 'redirects'>,
  kind: RedirectKind,
  code: string,
  byCode: ReadonlyMap<string, T>,
): T | null {
  let current: string | undefined = code
  for (let step = 0; step < RENAMES_MAX; step += 1) {
    current = catalogue.redirects.get(`${kind} ${current}`)
    if (current === undefined) return null
    const found = byCode.get(current)
    if (found) return found
  }
  return null
}

/** How many games, cards and direct charges keywords find; without keywords, how many there are. */
export function countMatches(
  snapshot: ShopSnapshot,
  keywords: string,
  language: LanguageCode,
): { games: number; cards: number; topUps: number } {
  const { games } = snapshot.catalogue
  const types = typesOf(snapshot)
  const counts = new Uint32Array(5)
  if (keywords === '') for (const type of types) counts[type]! += 1
  else
    for (const id of searchRanked(snapshot.productSearch, keywords, language).ids)
      counts[types[id]!]! += 1
  return {
    games: keywords === '' ? games.length : gameHits(snapshot, keywords, language).length,
    cards: counts[GOODS_TYPE.card]!,
    topUps: counts[GOODS_TYPE.topUp]!,
  }
}

const typeColumns = new WeakMap<ShopSnapshot, Uint8Array>()

/** The type of every product, closely packed: a short word finds half the shop, and each product object is a cache miss. */
function typesOf(snapshot: ShopSnapshot): Uint8Array {
  let column = typeColumns.get(snapshot)
  if (!column)
    typeColumns.set(
      snapshot,
      (column = Uint8Array.from(snapshot.catalogue.products, (product) => product.type)),
    )
  return column
}

/** Address of a picture, with its content's version so that it may be kept for ever. */
export function pictureLink(
  snapshot: Pick<ShopSnapshot, 'pictures'>,
  style: PictureStyle,
  code: string,
  options: { readonly width?: number; readonly extension?: 'webp' | 'svg' } = {},
): string {
  const version = code.startsWith(FLAG_PREFIX)
    ? flagVersion(code)
    : snapshot.pictures.get(code)?.version
  return pictureUrl(style, code, { ...options, ...(version ? { version } : {}) })
}

/** Below lie typing errors and words that only sound alike, above words met as they were typed (search/engine/ranking.ts). */
const AS_TYPED_SCORE = 500

/** Games for a search, best first. Where goods carry the words as typed, games that need a correction were not meant. */
function gameHits(snapshot: ShopSnapshot, keywords: string, language: LanguageCode): Uint32Array {
  const { ids, scores } = searchRanked(snapshot.gameSearch, keywords, language)
  if (ids.length === 0 || (scores[0] ?? 0) >= AS_TYPED_SCORE) return ids
  const goods = searchRanked(snapshot.productSearch, keywords, language)
  return (goods.scores[0] ?? 0) >= AS_TYPED_SCORE ? ids.subarray(0, 0) : ids
}

/** News, questions and pages as they read in a language. */
export function contentIn(shop: Pick<ShopSnapshot, 'contents'>, language: LanguageCode): Content {
  return shop.contents.get(language) ?? NO_CONTENT
}

const NO_CONTENT: Content = {
  news: [],
  faq: [],
  pageByCode: new Map(),
  newsByCode: new Map(),
  categories: [],
}
