import { countGameFacets, listGames } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { LRUCache } from 'lru-cache'
import { LIST_FAMILIES } from '../goods/list-address.ts'
import { categoryChips, listChoices, listFrame, type ListData } from '../goods/list-data.ts'
import { categoriesOf, readListFilter } from '../goods/list-filter.ts'
import { isPlatformPage, listHead, listMeta } from '../goods/list-meta.ts'
import { gameTile, viewOf } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'

const FAMILY = LIST_FAMILIES.game

/** The lists of games: hub, category and platform pages. Region, price and stock are those of a game's goods. */
export function load(page: PageContext): ListData {
  const { shop, language, currency, t } = page
  const { filter, query } = readListFilter(page, 'game')
  const found = listGames(shop, query, language.code, currency)
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
    ...listChoices(page, FAMILY, filter, counts),
    total: t('list.totalGames', { count: found.total }),
    tiles: found.list.map((game) => gameTile(view, game)),
    ...listFrame(page, FAMILY, filter, found.pages),
  }
}

export function meta(data: ListData, page: PageContext): PageMeta {
  return listMeta(data, page)
}

type Counts = ReturnType<typeof countGameFacets>

const COUNTS_KEPT = 200
const kept = new WeakMap<ShopSnapshot, LRUCache<string, Counts>>()

/** How many games there are of some categories, on which platforms and for which regions; made once a snapshot. */
function countsOf(shop: ShopSnapshot, categories: readonly string[]): Counts {
  let known = kept.get(shop)
  if (!known) kept.set(shop, (known = new LRUCache({ max: COUNTS_KEPT })))
  const key = categories.join()
  let counts = known.get(key)
  if (!counts) known.set(key, (counts = countGameFacets(shop, categories)))
  return counts
}
