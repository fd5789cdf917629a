import { LRUCache } from 'lru-cache'
import { countFacets, listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, type GoodsQuery } from '#features/goods/browse/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { GOODS_TYPE, type GoodsType } from '#features/goods/catalogue/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { LIST_FAMILIES, type FamilyName } from '../goods/list-address.ts'
import {
  categoryChips,
  listChoices,
  listFrame,
  type Facets,
  type ListData,
} from '../goods/list-data.ts'
import { categoriesOf, familyOf, readListFilter } from '../goods/list-filter.ts'
import { isPlatformPage, listHead, listMeta } from '../goods/list-meta.ts'
import { goodsTile, viewOf } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'

type GoodsFamily = Exclude<FamilyName, 'game'>

const FAMILIES: Readonly<
  Record<
    GoodsFamily,
    { readonly type: GoodsType; readonly title: MessageKey; readonly intro: MessageKey }
  >
> = {
  cards: { type: GOODS_TYPE.card, title: 'title.cards', intro: 'list.introCards' },
  topUp: { type: GOODS_TYPE.topUp, title: 'title.topUp', intro: 'list.introTopUp' },
  product: { type: GOODS_TYPE.gameProduct, title: 'title.product', intro: 'list.introProduct' },
}

/** The kind of goods that each list is of. */
export const LIST_TYPES: Readonly<Record<GoodsFamily, GoodsType>> = {
  cards: FAMILIES.cards.type,
  topUp: FAMILIES.topUp.type,
  product: FAMILIES.product.type,
}

/** The lists of cards, top-ups and game products: hub, category and platform pages (specification §2). */
export function load(page: PageContext): ListData {
  const { shop, language, currency, t } = page
  const name = familyOf(page.path) as GoodsFamily
  const family = LIST_FAMILIES[name]
  const { type, title, intro } = FAMILIES[name]
  const { filter, query: asked } = readListFilter(page, name)
  const query: GoodsQuery = { ...asked, type }
  const found = listProducts(shop, query, language.code, currency)
  const facets = facetsOf(page, query)
  const view = viewOf(page)
  const platforms = isPlatformPage(family, filter) ? filter.platforms : []
  const categories = categoriesOf(page, name).filter(
    (category) => countBrands(page, { type, categories: [category.code], platforms: [] }) > 0,
  )
  return {
    ...listHead(page, family, filter, t(title)),
    intro: t(intro, {
      count: countBrands(page, { type, categories: filter.categories, platforms }),
    }),
    categories: categoryChips(page, family, filter, categories),
    ...listChoices(page, family, filter, facets),
    total: t('list.total', { count: found.total }),
    tiles: found.list.map((product) => goodsTile(view, product)),
    ...listFrame(page, family, filter, found.pages),
  }
}

export function meta(data: ListData, page: PageContext): PageMeta {
  return listMeta(data, page)
}

/** What hangs on the kind, the categories and the platforms alone is counted once a snapshot. */
interface Counts {
  readonly facets: LRUCache<string, Facets>
  readonly brands: LRUCache<string, number>
}

const COUNTS_KEPT = 300
const counts = new WeakMap<ShopSnapshot, Counts>()

function countsIn(shop: ShopSnapshot): Counts {
  let known = counts.get(shop)
  if (!known)
    counts.set(
      shop,
      (known = {
        facets: new LRUCache({ max: COUNTS_KEPT }),
        brands: new LRUCache({ max: COUNTS_KEPT }),
      }),
    )
  return known
}

function facetsOf({ shop, language, currency }: PageContext, query: GoodsQuery): Facets {
  const { facets } = countsIn(shop)
  const key = `${query.type}|${query.categories.join()}`
  let known = facets.get(key)
  if (!known) facets.set(key, (known = countFacets(shop, query, language.code, currency)))
  return known
}

/** How many brands a kind, category or platform holds: "412 games and apps", not their regions. */
function countBrands(
  { shop, language, currency }: PageContext,
  query: Pick<GoodsQuery, 'type' | 'categories' | 'platforms'>,
): number {
  const { brands } = countsIn(shop)
  const key = `${query.type}|${query.categories.join()}|${query.platforms.join()}`
  let known = brands.get(key)
  if (known === undefined) {
    const { list } = listProducts(
      shop,
      { ...ALL_GOODS, ...query, limit: Number.MAX_SAFE_INTEGER },
      language.code,
      currency,
    )
    brands.set(key, (known = new Set(list.map((product) => product.brand)).size))
  }
  return known
}
