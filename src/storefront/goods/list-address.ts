import type { GoodsSort } from '#features/goods/browse/rules.ts'

/** Where the lists of one family live. All without language prefix. */
export interface ListFamily {
  readonly hub: string
  /** Before the code of a category; null when a category is a query of the hub. */
  readonly categoryPath: string | null
  readonly platformPath: string | null
}

export const LIST_FAMILIES = {
  cards: { hub: '/cards', categoryPath: '/cards-category', platformPath: '/card/platform' },
  topUp: { hub: '/top-up', categoryPath: '/top-up-category', platformPath: null },
  product: { hub: '/product', categoryPath: null, platformPath: null },
  game: { hub: '/game', categoryPath: '/game-category', platformPath: '/game/platform' },
} as const satisfies Record<string, ListFamily>

export type FamilyName = keyof typeof LIST_FAMILIES

/** Everything a list can be asked for; what is at its default is null, empty or false. */
export interface ListFilter {
  readonly categories: readonly string[]
  readonly platforms: readonly string[]
  readonly regions: readonly string[]
  /** Major units of the shown currency, plain decimal: "4.99". */
  readonly priceMin: string | null
  readonly priceMax: string | null
  readonly inStock: boolean
  readonly sort: GoodsSort | null
  readonly page: number
  readonly limit: number | null
}

export const NO_FILTER: ListFilter = {
  categories: [],
  platforms: [],
  regions: [],
  priceMin: null,
  priceMax: null,
  inStock: false,
  sort: null,
  page: 1,
  limit: null,
}

/**
 * The one address of a filtered list: a single category, or else a single platform, stands in the path where the family
 * has such paths; everything else in the query, in a fixed order, without defaults.
 */
export function listAddress(family: ListFamily, filter: ListFilter): string {
  const path = listPath(family, filter)
  const query = new URLSearchParams()
  for (const region of filter.regions) query.append('region', region)
  if (!path.hasPlatform) for (const platform of filter.platforms) query.append('platform', platform)
  if (!path.hasCategory)
    for (const category of filter.categories) query.append('category', category)
  if (filter.priceMin !== null) query.set('price_min', filter.priceMin)
  if (filter.priceMax !== null) query.set('price_max', filter.priceMax)
  if (filter.inStock) query.set('in_stock', '1')
  if (filter.sort !== null) query.set('sort', filter.sort)
  if (filter.page > 1) query.set('page', String(filter.page))
  if (filter.limit !== null) query.set('limit', String(filter.limit))
  const text = query.toString()
  return text === '' ? path.path : `${path.path}?${text}`
}

/**
 * What search engines should keep of a list: it and its pages as they are without any choice. What somebody filters, sorts or wants
 * more of at once is the same goods over again.
 */
export function canonicalList(family: ListFamily, filter: ListFilter): string {
  const { hasCategory, hasPlatform } = listPath(family, filter)
  const plain: ListFilter = {
    ...NO_FILTER,
    categories: hasCategory ? filter.categories : [],
    platforms: hasPlatform ? filter.platforms : [],
  }
  const whole = listAddress(family, plain)
  const paged = listAddress(family, { ...plain, page: filter.page })
  return listAddress(family, filter) === paged ? paged : whole
}

function listPath(family: ListFamily, { categories, platforms }: ListFilter) {
  if (family.categoryPath !== null && categories.length === 1) {
    return {
      path: `${family.categoryPath}/${categories[0]}`,
      hasCategory: true,
      hasPlatform: false,
    }
  }
  if (family.platformPath !== null && categories.length === 0 && platforms.length === 1) {
    return { path: `${family.platformPath}/${platforms[0]}`, hasCategory: false, hasPlatform: true }
  }
  return { path: family.hub, hasCategory: false, hasPlatform: false }
}

/** The same list with other filters, from its first page. */
export function changedAddress(
  family: ListFamily,
  filter: ListFilter,
  change: Partial<ListFilter>,
): string {
  return listAddress(family, { ...filter, page: 1, ...change })
}

/**
 * Where the filter form leads, and what it must carry beside its own fields. Platforms are always fields of the form, so
 * a platform in the path gives way to the hub.
 */
export function formTarget(
  family: ListFamily,
  filter: ListFilter,
): { readonly action: string; readonly hidden: readonly (readonly [string, string])[] } {
  const isInPath = family.categoryPath !== null && filter.categories.length === 1
  return {
    action: isInPath ? `${family.categoryPath}/${filter.categories[0]}` : family.hub,
    hidden: [
      ...(isInPath ? [] : filter.categories.map((code) => ['category', code] as const)),
      ...(filter.limit === null ? [] : [['limit', String(filter.limit)] as const]),
    ],
  }
}

/** How many filters are set, for the button that opens them. The category has a row of its own. */
export function countFilters(filter: ListFilter): number {
  return (
    filter.platforms.length +
    filter.regions.length +
    Number(filter.priceMin !== null) +
    Number(filter.priceMax !== null) +
    Number(filter.inStock)
  )
}

/** The page numbers to offer: first, last, the current one and its neighbours; null where some are left out. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  const wanted = [1, current - 1, current, current + 1, last].filter(
    (page) => page >= 1 && page <= last,
  )
  const numbers: (number | null)[] = []
  let previous = 0
  for (const page of [...new Set(wanted)].sort((a, b) => a - b)) {
    if (page - previous === 2) numbers.push(page - 1)
    else if (page - previous > 2) numbers.push(null)
    numbers.push(page)
    previous = page
  }
  return numbers
}
