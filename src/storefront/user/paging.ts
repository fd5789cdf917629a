import { formatCount } from '#platform/i18n/format.ts'
import { pageNumbers } from '../goods/list-address.ts'
import type { PersonalPageContext } from '../page.ts'

/** Links to the pages of a list; none while it is one page. Paths are without language prefix. */
export interface PagingData {
  readonly pages: readonly ({
    readonly text: string
    readonly label: string
    readonly path: string
    readonly current?: true
  } | null)[]
  readonly previous: string | null
  readonly next: string | null
}

/** The page asked for, at least 1. */
export function pageAsked({ query }: Pick<PersonalPageContext, 'query'>): number {
  const asked = Number(query.get('page'))
  return Number.isSafeInteger(asked) && asked > 1 ? Math.min(asked, 10_000) : 1
}

export function pagingData(
  { language, t }: PersonalPageContext,
  path: string,
  current: number,
  last: number,
): PagingData {
  if (last <= 1) return { pages: [], previous: null, next: null }
  const address = (page: number): string =>
    page === 1 ? path : `${path}${path.includes('?') ? '&' : '?'}page=${page}`
  return {
    pages: pageNumbers(current, last).map((page) => {
      if (page === null) return null
      const text = formatCount(language.code, page)
      return {
        text,
        label: t('list.page', { page: text }),
        path: address(page),
        ...(page === current ? { current: true as const } : {}),
      }
    }),
    previous: current > 1 ? address(current - 1) : null,
    next: current < last ? address(current + 1) : null,
  }
}
