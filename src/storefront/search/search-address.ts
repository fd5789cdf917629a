import type { FoundKind } from '#features/goods/browse/queries.ts'
import type { GoodsSort } from '#features/goods/browse/rules.ts'

export type SearchType = FoundKind

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
