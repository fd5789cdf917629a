import { listGames, listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, GOODS_SORTS, type GoodsSort } from '#features/goods/browse/rules.ts'
import { readKeywords, readPaging, readSort } from '#features/goods/browse/schema.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import type { Game, Product } from '#features/goods/catalogue/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { pageNumbers } from '../goods/list-address.ts'
import { sortOptions, type ListData } from '../goods/list-data.ts'
import { markMatch } from '../goods/matched-part.ts'
import { gameTile, goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { SEARCH_TYPES, searchAddress, type SearchType } from './search-address.ts'

/** One view of the results: everything, or one kind. */
export interface SearchTab {
  readonly text: string
  readonly count: string
  readonly path: string
  readonly isCurrent: boolean
}

export interface SearchData {
  readonly keywords: string
  readonly type: string
  /** "37 results for “steam”"; null before anything is searched for. */
  readonly total: string | null
  readonly tabs: readonly SearchTab[]
  /** The best of everything, with the kind in words. */
  readonly best: readonly GoodsTile[]
  /** The first of each kind. */
  readonly sections: readonly {
    readonly title: string
    readonly tiles: readonly GoodsTile[]
    readonly more: { readonly path: string; readonly label: string } | null
  }[]
  /** All of one kind, by pages. */
  readonly list: Pick<ListData, 'tiles' | 'pages' | 'previous' | 'next' | 'sort' | 'sorts'> | null
  /** What is in demand: beside the results, and instead of them when there are none. */
  readonly hot: readonly GoodsTile[]
}

const BEST_COUNT = 5
const SECTION_COUNT = 8
const HOT_COUNT = 10
const PAGE_SIZE = 48

/** What a search found, by kind. The search runs once; the kinds are cut from its one list. */
export function load(page: PageContext): SearchData {
  const { shop, language, currency, t, query } = page
  const view = viewOf(page)
  const keywords = readKeywords(query.get('keywords'))
  const hot = listProducts(
    shop,
    { ...ALL_GOODS, isHot: true, limit: HOT_COUNT },
    language.code,
    currency,
  ).list.map((product) => goodsTile(view, product))
  if (keywords === '')
    return { keywords, type: '', total: null, tabs: [], best: [], sections: [], list: null, hot }
  const found = findAll(page, keywords)
  const type = SEARCH_TYPES.find((known) => String(known) === query.get('type')) ?? null
  const isOneKind = type !== null && found.total > 0
  return {
    keywords,
    type: isOneKind ? String(type) : '',
    total: found.total === 0 ? null : t('search.total', { count: found.total, keywords }),
    tabs: found.total === 0 ? [] : tabsOf(page, keywords, isOneKind ? type : null, found),
    best: isOneKind
      ? []
      : oneOfEach(found.all)
          .slice(0, BEST_COUNT)
          .map((hit) => hitTile(page, view, keywords, hit)),
    sections: isOneKind ? [] : sectionsOf(page, view, keywords, found),
    list: isOneKind ? listOf(page, view, keywords, type, found) : null,
    hot,
  }
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
  | { readonly kind: 'product'; readonly product: Product }

interface Found {
  readonly total: number
  /** Best first; a game that is named stands before its goods. */
  readonly all: readonly Hit[]
  readonly byType: (type: SearchType) => readonly Hit[]
}

/** A game leads the list when it is what was asked for: when one of the first goods is its own. */
const NEAR_THE_TOP = 5

function isOfGame(goods: Hit, game: Hit): boolean {
  return (
    goods.kind === 'product' && game.kind === 'game' && goods.product.brand.game === game.game.code
  )
}

function findAll({ shop, language, currency, query }: PageContext, keywords: string): Found {
  const sort = readSort(query.get('sort'))
  const everything = { page: 1, limit: Number.MAX_SAFE_INTEGER }
  const products = listProducts(
    shop,
    { ...ALL_GOODS, keywords, sort, ...everything },
    language.code,
    currency,
  ).list.map((product): Hit => ({ kind: 'product', product }))
  const games = listGames(shop, { keywords, ...everything }, language.code).list.map(
    (game): Hit => ({ kind: 'game', game }),
  )
  const named = games
    .slice(0, 1)
    .filter(
      (hit) =>
        products.length === 0 ||
        products.slice(0, NEAR_THE_TOP).some((other) => isOfGame(other, hit)),
    )
  const byType = Map.groupBy(products, (hit) => (hit.kind === 'product' ? hit.product.type : 0))
  return {
    total: products.length + games.length,
    all: [...named, ...products],
    byType: (type) => (type === 0 ? games : (byType.get(type) ?? [])),
  }
}

/** The best region of each brand: a short list should not hold the same name eight times. */
function oneOfEach(hits: readonly Hit[]): readonly Hit[] {
  const brands = new Set<string>()
  return hits.filter(
    (hit) =>
      hit.kind === 'game' ||
      (!brands.has(hit.product.brand.code) && brands.add(hit.product.brand.code)),
  )
}

function tileOf(view: ShopView, keywords: string, hit: Hit): GoodsTile {
  const tile = hit.kind === 'game' ? gameTile(view, hit.game) : goodsTile(view, hit.product)
  const marked = typeof tile.name === 'string' ? markMatch(tile.name, keywords) : null
  return marked ? { ...tile, name: marked } : tile
}

/** A tile of the mixed list says of what kind it is. */
function hitTile(page: PageContext, view: ShopView, keywords: string, hit: Hit): GoodsTile {
  const tile = tileOf(view, keywords, hit)
  const kind = titleOf(page, hit.kind === 'game' ? 0 : hit.product.type)
  return {
    ...tile,
    note: tile.note === undefined ? kind : page.t('search.note', { kind, region: tile.note }),
  }
}

function titleOf({ t }: PageContext, type: SearchType): string {
  switch (type) {
    case 0:
      return t('goods.typeGames')
    case 1:
      return t('goods.typeCards')
    case 2:
      return t('goods.typeTopUps')
    case 3:
      return t('search.typeRecharge')
    case 4:
      return t('search.typeProducts')
    default:
      return type satisfies never
  }
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
  const kinds = SEARCH_TYPES.filter((type) => type <= 2 || found.byType(type).length > 0)
  return [
    tab(null, t('search.all'), found.total),
    ...kinds.map((type) => tab(type, titleOf(page, type), found.byType(type).length)),
  ]
}

function sectionsOf(
  page: PageContext,
  view: ShopView,
  keywords: string,
  found: Found,
): SearchData['sections'] {
  return SEARCH_TYPES.flatMap((type) => {
    const hits = found.byType(type)
    if (hits.length === 0) return []
    const title = titleOf(page, type)
    const shown = hits.length <= SECTION_COUNT ? hits : oneOfEach(hits).slice(0, SECTION_COUNT)
    return {
      title,
      tiles: shown.map((hit) => tileOf(view, keywords, hit)),
      more:
        hits.length > shown.length
          ? {
              path: searchAddress({ keywords, type }),
              label: page.t('search.allOfKind', { kind: title }),
            }
          : null,
    }
  })
}

function listOf(
  page: PageContext,
  view: ShopView,
  keywords: string,
  type: SearchType,
  found: Found,
): SearchData['list'] {
  const { query, language, t } = page
  const hits = found.byType(type)
  const sort = type === 0 ? null : readSort(query.get('sort'))
  const pages = Math.ceil(hits.length / PAGE_SIZE)
  const current = Math.min(readPaging(query).page, Math.max(pages, 1))
  const pathOf = (number: number) => searchAddress({ keywords, type, sort, page: number })
  return {
    tiles: hits
      .slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)
      .map((hit) => tileOf(view, keywords, hit)),
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
    sorts: type === 0 ? [] : sortOptions(page, GOODS_SORTS as readonly GoodsSort[]),
  }
}
