import type { Catalogue, Game, Product, RedirectKind } from '#features/goods/catalogue/rules.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import type { Content } from '#features/goods/content/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { pictureUrl, type PictureStyle } from '#features/goods/picture/rules.ts'
import { drawnVersion, FIGURE_PREFIX, FLAG_PREFIX } from '#features/goods/picture/queries.ts'
import { searchRanked } from '#features/goods/search/engine/search.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { categoryIds, offerFilter } from './engine/filter.ts'
import { gameHits } from './engine/games.ts'
import { orderedProducts, remember } from './engine/order.ts'
import { pageOf, type GoodsQuery, type Paged } from './rules.ts'
import type { ShopSnapshot } from './snapshot.ts'

export { categoriesOf, onlyKnown, type CategorisedGoods } from './engine/filter.ts'
export {
  FOUND_KINDS,
  searchEverything,
  type Found,
  type FoundGoods,
  type FoundKind,
} from './engine/found.ts'
export { countGameFacets, listGames } from './engine/games.ts'

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
  const fits = offerFilter(snapshot, query, currency)
  return order.filter((id) => {
    const product = products[id] as Product
    const { brand } = product
    if (query.type !== null && product.type !== query.type) return false
    if (query.isHot && !(brand.isHot && product.isLeading)) return false
    if (query.isHome && !product.isLeading) return false
    if (
      query.platforms.length > 0 &&
      !query.platforms.some((code) => brand.platforms.includes(code))
    )
      return false
    if (categories && !brand.categoryIds.some((category) => categories.has(category))) return false
    return fits === null || fits(product)
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
    followRedirects(catalogue, 'product', code, productByCode) ??
    brandByCode.get(code)?.products[0] ??
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
  const isDrawn = code.startsWith(FLAG_PREFIX) || code.startsWith(FIGURE_PREFIX)
  const version = isDrawn ? drawnVersion(code) : snapshot.pictures.get(code)?.version
  return pictureUrl(style, code, { ...options, ...(version ? { version } : {}) })
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
