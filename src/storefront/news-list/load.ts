import { contentIn } from '#features/goods/browse/queries.ts'
import { searchArticles } from '#features/goods/content/queries.ts'
import type { Article } from '#features/goods/content/rules.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { readKeywords, readPaging } from '#features/goods/browse/schema.ts'
import type { Crumb } from '../goods/crumb.ts'
import { pageNumbers } from '../goods/list-address.ts'
import { breadcrumbNode, graphOf, itemListNode } from '../goods/structured-data.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import { leadTile, newsTile, type LeadTile, type NewsTile } from '../text/news-tile.ts'

/** On the first page one that leads and four rows of three. */
const PER_PAGE = 13

export interface NewsListData {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Null outside the search. */
  readonly keywords: string | null
  readonly categories: readonly {
    readonly name: string
    readonly path: string
    readonly current?: true
  }[]
  readonly total: number
  /** The newest, on the first page of a list; null elsewhere. */
  readonly lead: LeadTile | null
  readonly tiles: readonly NewsTile[]
  /** Pages of the list, null where some are left out; empty when there is one. */
  readonly pages: readonly ({
    readonly number: number
    readonly path: string
    readonly current?: true
  } | null)[]
  readonly previous: string | null
  readonly next: string | null
}

/** `/news`, `/news-category/{code}` and `/news/search`. */
export function load(page: PageContext): NewsListData {
  const { shop, language, t, params, query } = page
  const { news, categories } = contentIn(shop, language.code)
  const category =
    params['code'] === undefined
      ? null
      : categories.find(({ kind, code }) => kind === 'news' && code === params['code'])
  if (category === undefined) throw new PageNotFound()
  const keywords = page.path === '/news/search' ? readKeywords(query.get('keywords')) : null
  const found = articlesOf(page, category?.code ?? null, keywords)
  const last = Math.max(1, Math.ceil(found.length / PER_PAGE))
  const current = Math.min(readPaging(query).page, last)
  const shown = found.slice((current - 1) * PER_PAGE, current * PER_PAGE)
  const [first] = shown
  const lead = keywords === null && current === 1 && first ? first : null
  const address = (number: number) => pageAddress(page.path, keywords, number)
  const name = category ? textIn(category.name, language.code) : t('news.title')
  return {
    title: keywords === null ? name : t('news.searchTitle'),
    crumbs: crumbsOf(page, category ? name : null, keywords !== null),
    keywords,
    categories: [
      {
        name: t('news.all'),
        path: '/news',
        ...(category === null && keywords === null ? { current: true as const } : {}),
      },
      ...categories
        .filter(
          ({ kind, code }) => kind === 'news' && news.some((article) => article.category === code),
        )
        .map((entry) => ({
          name: textIn(entry.name, language.code),
          path: `/news-category/${entry.code}`,
          ...(entry === category ? { current: true as const } : {}),
        })),
    ],
    total: found.length,
    lead: lead && leadTile(page, lead),
    tiles: shown.filter((article) => article !== lead).map((article) => newsTile(page, article)),
    pages:
      last === 1
        ? []
        : pageNumbers(current, last).map((number) =>
            number === null
              ? null
              : {
                  number,
                  path: address(number),
                  ...(number === current ? { current: true as const } : {}),
                },
          ),
    previous: current > 1 ? address(current - 1) : null,
    next: current < last ? address(current + 1) : null,
  }
}

function articlesOf(
  { shop, language }: PageContext,
  category: string | null,
  keywords: string | null,
): readonly Article[] {
  const { news } = contentIn(shop, language.code)
  if (keywords !== null) return keywords === '' ? [] : searchArticles(news, keywords)
  return category === null ? news : news.filter((article) => article.category === category)
}

function pageAddress(path: string, keywords: string | null, number: number): string {
  const query = new URLSearchParams()
  if (keywords !== null) query.set('keywords', keywords)
  if (number > 1) query.set('page', String(number))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

function crumbsOf({ t }: PageContext, category: string | null, isSearch: boolean): Crumb[] {
  if (isSearch) return [{ text: t('news.title'), path: '/news' }, { text: t('news.searchTitle') }]
  return category === null
    ? [{ text: t('news.title') }]
    : [{ text: t('news.title'), path: '/news' }, { text: category }]
}

export function meta(data: NewsListData, page: PageContext): PageMeta {
  const current = data.pages.find((entry) => entry?.current)?.number ?? 1
  const [news, part] = data.crumbs
  // A topic may be called as a part of the shop is.
  const title =
    news && part && data.keywords === null
      ? page.t('list.titlePart', { part: data.title, whole: news.text })
      : data.title
  return {
    title,
    description: page.t('list.description', { title, intro: page.t('news.lead') }),
    canonical: pageAddress(page.path, null, current),
    noIndex: data.keywords !== null,
    structuredData: graphOf(
      breadcrumbNode(page, data.crumbs),
      itemListNode(
        page,
        [...(data.lead ? [data.lead] : []), ...data.tiles].map((tile) => tile.path),
        (current - 1) * PER_PAGE,
      ),
    ),
  }
}
