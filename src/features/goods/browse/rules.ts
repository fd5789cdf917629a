import type { GoodsType } from '#features/goods/catalogue/rules.ts'

export const GOODS_SORTS = ['popular', 'price_asc', 'price_desc', 'new', 'name'] as const
export type GoodsSort = (typeof GOODS_SORTS)[number]

/** What every list page and its call take (decisions, "Kinds of goods"). Prices are minor units of the shown currency. */
export interface GoodsQuery {
  readonly type: GoodsType | null
  readonly isHot: boolean
  readonly isHome: boolean
  readonly inStock: boolean
  /** Any of these; empty means all. */
  readonly regions: readonly string[]
  readonly platforms: readonly string[]
  readonly categories: readonly string[]
  readonly priceMin: bigint | null
  readonly priceMax: bigint | null
  readonly keywords: string
  /** Null: by match when there are keywords, else by popularity. */
  readonly sort: GoodsSort | null
  readonly page: number
  readonly limit: number
}

/** What a list of games and its call take: the same but for what only goods have. */
export type GameQuery = Omit<GoodsQuery, 'type' | 'isHot' | 'isHome'>

export const LIST_LIMIT_DEFAULT = 20
export const LIST_LIMIT_MAX = 9_999

export const ALL_GOODS: GoodsQuery = {
  type: null,
  isHot: false,
  isHome: false,
  inStock: false,
  regions: [],
  platforms: [],
  categories: [],
  priceMin: null,
  priceMax: null,
  keywords: '',
  sort: null,
  page: 1,
  limit: LIST_LIMIT_DEFAULT,
}

export interface Paged<T> {
  readonly list: readonly T[]
  readonly total: number
  readonly page: number
  readonly limit: number
  readonly pages: number
}

/** One page of a list; past the end it is empty. */
export function pageOf<Entry, Shown>(
  all: { readonly length: number; readonly [index: number]: Entry },
  page: number,
  limit: number,
  show: (entry: Entry) => Shown,
): { list: Shown[]; total: number; page: number; limit: number; pages: number } {
  const list: Shown[] = []
  const end = Math.min(all.length, page * limit)
  for (let index = (page - 1) * limit; index < end; index += 1) list.push(show(all[index] as Entry))
  return { list, total: all.length, page, limit, pages: Math.ceil(all.length / limit) }
}

/** Whole percent off the compared price, 0 when there is none. */
export function discountPercent(priceMinor: bigint, marketMinor: bigint | null): number {
  if (marketMinor === null || marketMinor <= priceMinor) return 0
  return Number(((marketMinor - priceMinor) * 100n + marketMinor / 2n) / marketMinor)
}
