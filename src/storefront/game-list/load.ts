import { listGames, type GameQuery } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { LRUCache } from 'lru-cache'
import { LIST_FAMILIES, type ListFilter } from '../goods/list-address.ts'
import {
  categoryChips,
  filterChips,
  listFrame,
  platformOptions,
  sortOptions,
  type ListData,
} from '../goods/list-data.ts'
import { categoriesOf, readListFilter } from '../goods/list-filter.ts'
import { isPlatformPage, listHead, listMeta } from '../goods/list-meta.ts'
import { gameTile, viewOf } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'

const SORTS = ['popular', 'new', 'name'] as const
const FAMILY = LIST_FAMILIES.game

/** The lists of games: hub, category and platform pages. Games have no region, price or stock of their own. */
export function load(page: PageContext): ListData {
  const { shop, language, t } = page
  const asked = readListFilter(page, 'game')
  const filter: ListFilter = {
    ...asked.filter,
    regions: [],
    priceMin: null,
    priceMax: null,
    inStock: false,
    sort: sortOf(asked.filter.sort),
  }
  const query = {
    keywords: '',
    platforms: filter.platforms,
    categories: filter.categories,
    sort: sortOf(filter.sort),
  }
  const found = listGames(
    shop,
    { ...query, page: filter.page, limit: asked.query.limit },
    language.code,
  )
  const view = viewOf(page)
  const counts = countsOf(shop, filter.categories)
  const categories = categoriesOf(page, 'game').filter(
    ({ code }) => countsOf(shop, [code]).total > 0,
  )
  return {
    ...listHead(page, FAMILY, filter, t('title.games')),
    intro: t('list.introGames', {
      count: isPlatformPage(FAMILY, filter) ? found.total : counts.total,
    }),
    categories: categoryChips(page, FAMILY, filter, categories),
    platforms: platformOptions(page, filter, counts.platforms),
    regions: [],
    moreRegions: null,
    price: null,
    inStock: null,
    sorts: sortOptions(page, SORTS),
    chips: filterChips(page, FAMILY, filter),
    total: t('list.totalGames', { count: found.total }),
    tiles: found.list.map((game) => gameTile(view, game)),
    ...listFrame(page, FAMILY, filter, found.pages),
  }
}

export function meta(data: ListData, page: PageContext): PageMeta {
  return listMeta(data, page)
}

function sortOf(sort: ListFilter['sort']): NonNullable<GameQuery['sort']> | null {
  return sort === 'new' || sort === 'name' ? sort : null
}

interface Counts {
  readonly total: number
  readonly platforms: ReadonlyMap<string, number>
}

const COUNTS_KEPT = 200
const kept = new WeakMap<ShopSnapshot, LRUCache<string, Counts>>()

/** How many games there are of some categories, and on which platforms; made once a snapshot. */
function countsOf(shop: ShopSnapshot, categories: readonly string[]): Counts {
  let known = kept.get(shop)
  if (!known) kept.set(shop, (known = new LRUCache({ max: COUNTS_KEPT })))
  const key = categories.join()
  let counts = known.get(key)
  if (!counts) {
    const { list, total } = listGames(
      shop,
      { keywords: '', categories, page: 1, limit: Number.MAX_SAFE_INTEGER },
      'en',
    )
    const platforms = new Map<string, number>()
    for (const game of list)
      for (const code of game.platforms) platforms.set(code, (platforms.get(code) ?? 0) + 1)
    known.set(key, (counts = { total, platforms }))
  }
  return counts
}
