import type { GoodsSort } from '#features/goods/browse/rules.ts'
import type { GoodsType } from '#features/goods/catalogue/rules.ts'

/** 0 is games, the others are goods types (specification §3, "Search classification"). */
export type SearchType = 0 | GoodsType

/** In the order in which they are shown. */
export const SEARCH_TYPES = [0, 2, 1, 4, 3] as const satisfies readonly SearchType[]

export interface SearchState {
  readonly keywords: string
  /** Null: all kinds. */
  readonly type?: SearchType | null
  readonly sort?: GoodsSort | null
  readonly page?: number
}

/** The address of a search, without defaults and without language prefix. */
export function searchAddress({
  keywords,
  type = null,
  sort = null,
  page = 1,
}: SearchState): string {
  const query = new URLSearchParams()
  if (keywords !== '') query.set('keywords', keywords)
  if (type !== null) query.set('type', String(type))
  if (sort !== null && sort !== 'popular') query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  return text === '' ? '/search' : `/search?${text}`
}
