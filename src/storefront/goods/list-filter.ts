import {
  categoriesOf as categoriesOfKind,
  onlyKnown,
  type CategorisedGoods,
} from '#features/goods/browse/queries.ts'
import { readGoodsQuery } from '#features/goods/browse/schema.ts'
import type { GoodsQuery } from '#features/goods/browse/rules.ts'
import { GOODS_TYPE, type Category } from '#features/goods/catalogue/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { PageNotFound, PageRedirect, type PageContext } from '../page.ts'
import {
  listAddress,
  LIST_FAMILIES,
  NO_FILTER,
  type FamilyName,
  type ListFamily,
  type ListFilter,
} from './list-address.ts'

export const LIST_PAGE_SIZE = 48
/** A page is read by people: longer lists are for callers of the API. */
const LIST_PAGE_SIZE_MAX = 96

/** The family of lists a route belongs to, by the beginning of its path. */
export function familyOf(path: string): FamilyName {
  if (path.startsWith('/card')) return 'cards'
  if (path.startsWith('/top-up')) return 'topUp'
  return path.startsWith('/game') ? 'game' : 'product'
}

const KINDS: Readonly<Record<FamilyName, CategorisedGoods>> = {
  cards: GOODS_TYPE.card,
  topUp: GOODS_TYPE.topUp,
  product: GOODS_TYPE.gameProduct,
  game: 'game',
}

/** The categories of a family. */
export function categoriesOf({ shop }: PageContext, name: FamilyName): readonly Category[] {
  return categoriesOfKind(shop, KINDS[name])
}

/**
 * What an address asks of a list. A code in the path must exist (a renamed one leads to its new address; none at all to
 * the hub); in the query, what is unknown counts for nothing.
 */
export function readListFilter(
  page: PageContext,
  name: FamilyName,
): { readonly filter: ListFilter; readonly query: GoodsQuery } {
  const family: ListFamily = LIST_FAMILIES[name]
  const asked = onlyKnown(
    page.shop,
    readGoodsQuery(page.query, page.currency, LIST_PAGE_SIZE),
    KINDS[name],
  )
  const categories = categoriesOf(page, name)
  const inPath = readPath(page, family, categories)
  const { currency } = page
  const limit = Math.min(asked.limit, LIST_PAGE_SIZE_MAX)
  const query: GoodsQuery = {
    ...asked,
    limit,
    isHot: false,
    isHome: false,
    keywords: '',
    sort: asked.sort === 'popular' ? null : asked.sort,
    platforms: united(inPath.platform, asked.platforms),
    categories: inPath.category === null ? asked.categories : [inPath.category],
  }
  const majorOf = (minor: bigint | null) =>
    minor === null ? null : toMajor(minor, currency.minorUnits).replace(/\.0+$/, '')
  const filter: ListFilter = {
    categories: query.categories,
    platforms: query.platforms,
    regions: query.regions,
    priceMin: majorOf(query.priceMin),
    priceMax: majorOf(query.priceMax),
    inStock: query.inStock,
    sort: query.sort,
    page: query.page,
    limit: limit === LIST_PAGE_SIZE ? null : limit,
  }
  return { filter, query }
}

function united(first: string | null, codes: readonly string[]): readonly string[] {
  return first === null ? codes : [...new Set([first, ...codes])]
}

function readPath(
  page: PageContext,
  family: ListFamily,
  categories: readonly Category[],
): { category: string | null; platform: string | null } {
  const { path, params, shop } = page
  if (path === family.hub) return { category: null, platform: null }
  const segment = params['code'] ?? params['id']
  if (segment === undefined) throw new PageRedirect(family.hub, 302)
  if (family.platformPath !== null && path.startsWith(`${family.platformPath}/`)) {
    if (!shop.catalogue.platforms.some(({ code }) => code === segment)) throw new PageNotFound()
    return { category: null, platform: segment }
  }
  if (categories.some(({ code }) => code === segment)) return { category: segment, platform: null }
  const renamed = shop.catalogue.redirects.get(`category ${segment}`)
  if (renamed === undefined || !categories.some(({ code }) => code === renamed))
    throw new PageNotFound()
  const query = page.query.toString()
  throw new PageRedirect(
    listAddress(family, { ...NO_FILTER, categories: [renamed] }) +
      (query === '' ? '' : `?${query}`),
    301,
  )
}
