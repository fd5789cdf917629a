import {
  FOUND_KINDS,
  listProducts,
  searchEverything,
  type Found,
  type FoundGoods,
} from '#features/goods/browse/queries.ts'
import { ALL_GOODS } from '#features/goods/browse/rules.ts'
import { readKeywords, readPaging, readSort } from '#features/goods/browse/schema.ts'
import {
  foundGame,
  foundGoods,
  kindTitle,
  type FoundEntry,
} from '#features/goods/browse/view/found.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import type { Game } from '#features/goods/catalogue/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { pageNumbers } from '../goods/list-address.ts'
import { sortOptions, type ListData } from '../goods/list-data.ts'
import { markMatch } from '../goods/matched-part.ts'
import { pictureAddress } from '../goods/picture.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { searchAddress, type SearchType } from './search-address.ts'

/** One view of the results: everything, or one kind. */
export interface SearchTab {
  readonly text: string
  readonly count: string
  readonly path: string
  readonly isCurrent: boolean
}

/** A game, or a product once with the regions of it that were found. */
export interface SearchResult {
  readonly path: string
  readonly image: string
  /** In three parts where the middle one is what was searched for. */
  readonly name: GoodsTile['name']
  readonly lang?: string
  readonly note?: string
  readonly rating?: GoodsTile['rating']
  readonly delivery?: string
  readonly from?: true
  readonly price?: string
  readonly regions: readonly { readonly text: string; readonly path: string }[]
  /** How many more there are than are listed. */
  readonly more: { readonly text: string; readonly label: string } | null
}

export interface SearchData {
  readonly keywords: string
  readonly type: string
  /** "17 results for “steam”"; null before anything is searched for. */
  readonly total: string | null
  readonly tabs: readonly SearchTab[]
  /** The first of each kind. */
  readonly sections: readonly {
    readonly title: string
    readonly results: readonly SearchResult[]
    /** Where the rest of them is; null where there is none. */
    readonly more: string | null
  }[]
  /** All of one kind, by pages. */
  readonly list:
    | (Pick<ListData, 'pages' | 'previous' | 'next' | 'sort' | 'sorts'> & {
        readonly results: readonly SearchResult[]
      })
    | null
  /** What is in demand, while there are no results. */
  readonly hot: readonly GoodsTile[]
}

const SECTION_COUNT = 4
const REGION_COUNT = 6
const HOT_COUNT = 10
const PAGE_SIZE = 24

/** What a search found, by kind. The search runs once; the kinds are cut from its one list. */
export function load(page: PageContext): SearchData {
  const { shop, language, currency, query, t } = page
  const keywords = readKeywords(query.get('keywords'))
  const sort = readSort(query.get('sort'))
  const found = searchEverything(shop, keywords, sort, language.code, currency)
  if (found.total === 0) return nothing(page, keywords)
  const type = FOUND_KINDS.find((known) => String(known) === query.get('type')) ?? null
  return {
    keywords,
    type: type === null ? '' : String(type),
    total: t('search.total', { count: found.total, keywords }),
    tabs: tabsOf(page, keywords, type, found),
    sections: type === null ? sectionsOf(page, keywords, found) : [],
    list: type === null ? null : listOf(page, keywords, type, found),
    hot: [],
  }
}

function nothing(page: PageContext, keywords: string): SearchData {
  const { shop, language, currency } = page
  if (keywords !== '') page.missed?.(keywords)
  const hot = listProducts(
    shop,
    { ...ALL_GOODS, isHot: true, limit: HOT_COUNT },
    language.code,
    currency,
  ).list.map((product) => goodsTile(viewOf(page), product))
  return { keywords, type: '', total: null, tabs: [], sections: [], list: null, hot }
}

export function meta(data: SearchData, { t }: PageContext): PageMeta {
  return {
    title:
      data.keywords === '' ? t('title.search') : t('search.titleFor', { keywords: data.keywords }),
    description: t('search.description'),
    canonical: '/search',
    ...(data.keywords === '' ? {} : { noIndex: true }),
  }
}

type Hit =
  | { readonly kind: 'game'; readonly game: Game }
  | { readonly kind: 'goods'; readonly goods: FoundGoods }

function hitsOf(found: Found, type: SearchType): readonly Hit[] {
  return type === 0
    ? found.games.map((game) => ({ kind: 'game', game }))
    : (found.goods.get(type) ?? []).map((goods) => ({ kind: 'goods', goods }))
}

function resultOf(page: PageContext, keywords: string, hit: Hit): SearchResult {
  const { language, t } = page
  const view = viewOf(page)
  const entry = hit.kind === 'game' ? foundGame(view, hit.game) : foundGoods(view, hit.goods)
  const named = hit.kind === 'game' ? hit.game.name : hit.goods.brand.name
  const rest = entry.regions.length - REGION_COUNT
  return {
    path: entry.path,
    image: pictureAddress(page, 'goods_thumb_3_4', pictureOf(hit), { isSmall: true }),
    name: markMatch(entry.name, keywords) ?? entry.name,
    ...(named[language.code] === undefined ? { lang: 'en' } : {}),
    ...noteOf(page, entry),
    ...factsOf(view, hit),
    ...(entry.price === null ? {} : { price: entry.price.text }),
    ...(entry.price !== null && entry.is_from ? { from: true as const } : {}),
    regions: entry.regions.slice(0, REGION_COUNT).map(({ name, path }) => ({ text: name, path })),
    more:
      rest > 0
        ? {
            text: `+${formatCount(language.code, rest)}`,
            label: t('shell.searchMoreRegions', { count: rest }),
          }
        : null,
  }
}

/** Of the region that the line leads to, as its tile tells them. */
function factsOf(view: ShopView, hit: Hit): Pick<SearchResult, 'rating' | 'delivery'> {
  const best = hit.kind === 'game' ? undefined : hit.goods.products[0]
  if (best === undefined) return {}
  const { rating, delivery } = goodsTile(view, best)
  return { ...(rating ? { rating } : {}), ...(delivery === undefined ? {} : { delivery }) }
}

function pictureOf(hit: Hit): string | null {
  if (hit.kind === 'game') return hit.game.picture
  return hit.goods.products[0]?.picture ?? hit.goods.brand.picture
}

/** How many regions there are, or the one; of what cannot be bought now, that. */
function noteOf({ t }: PageContext, entry: FoundEntry): { note?: string } {
  const { price, regions, note } = entry
  if (price === null) return { note: t(entry.is_stopped ? 'goods.stopped' : 'goods.soldOut') }
  if (regions.length > 0) return { note: t('shell.searchRegions', { count: regions.length }) }
  return note === '' ? {} : { note }
}

/** The three kinds of the wire contract always, the others when they hold something. */
function tabsOf(
  page: PageContext,
  keywords: string,
  current: SearchType | null,
  found: Found,
): SearchTab[] {
  const { language, t } = page
  const tab = (type: SearchType | null, text: string, count: number): SearchTab => ({
    text,
    count: formatCount(language.code, count),
    path: searchAddress({ keywords, type }),
    isCurrent: type === current,
  })
  const counted = FOUND_KINDS.map((type) => ({ type, count: hitsOf(found, type).length }))
  return [
    tab(null, t('search.all'), found.total),
    ...counted
      .filter(({ type, count }) => type <= 2 || count > 0)
      .map(({ type, count }) => tab(type, kindTitle(page, type), count)),
  ]
}

function sectionsOf(page: PageContext, keywords: string, found: Found): SearchData['sections'] {
  return FOUND_KINDS.flatMap((type) => {
    const hits = hitsOf(found, type)
    if (hits.length === 0) return []
    const title = kindTitle(page, type)
    const results = hits.slice(0, SECTION_COUNT).map((hit) => resultOf(page, keywords, hit))
    const more = hits.length > results.length ? searchAddress({ keywords, type }) : null
    return { title, results, more }
  })
}

function listOf(
  page: PageContext,
  keywords: string,
  type: SearchType,
  found: Found,
): SearchData['list'] {
  const { query, language, t } = page
  const hits = hitsOf(found, type)
  const sort = readSort(query.get('sort'))
  const pages = Math.ceil(hits.length / PAGE_SIZE)
  const current = Math.min(readPaging(query).page, Math.max(pages, 1))
  const pathOf = (number: number) => searchAddress({ keywords, type, sort, page: number })
  return {
    results: hits
      .slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)
      .map((hit) => resultOf(page, keywords, hit)),
    pages:
      pages <= 1
        ? []
        : pageNumbers(current, pages).map((number) => {
            if (number === null) return null
            const text = formatCount(language.code, number)
            return {
              text,
              label: t('list.page', { page: text }),
              path: pathOf(number),
              isCurrent: number === current,
            }
          }),
    previous: current > 1 ? pathOf(current - 1) : null,
    next: current < pages ? pathOf(current + 1) : null,
    sort: sort === null || sort === 'popular' ? '' : sort,
    sorts: sortOptions(page),
  }
}
