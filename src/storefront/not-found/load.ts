import { listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, type GoodsQuery } from '#features/goods/browse/rules.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'

export interface NotFoundData {
  readonly hot: readonly GoodsTile[]
  readonly cards: readonly GoodsTile[]
}

/** Specification §9: hot 10, recommended 7. */
const HOT_COUNT = 10
const CARD_COUNT = 7

/** What is shown in place of a page that is not there (specification §2, "Not-found page"). */
export function load(page: PageContext): NotFoundData {
  const { shop, language, currency } = page
  const view = viewOf(page)
  const tiles = (query: Partial<GoodsQuery>) =>
    listProducts(shop, { ...ALL_GOODS, ...query }, language.code, currency).list.map((product) =>
      goodsTile(view, product),
    )
  return {
    hot: tiles({ type: GOODS_TYPE.topUp, isHot: true, limit: HOT_COUNT }),
    cards: tiles({ type: GOODS_TYPE.card, isHome: true, limit: CARD_COUNT }),
  }
}

export function meta(_: NotFoundData, { t }: PageContext): PageMeta {
  return { title: t('title.notFound'), description: t('notFound.description'), noIndex: true }
}
