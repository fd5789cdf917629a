import { listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, type GoodsQuery } from '#features/goods/browse/rules.ts'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { matchRoute } from '../server/match.ts'

export interface NotFoundData {
  readonly title: string
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
    title: page.t(missingTitle(page.path)),
    hot: tiles({ type: GOODS_TYPE.topUp, isHot: true, limit: HOT_COUNT }),
    cards: tiles({ type: GOODS_TYPE.card, isHome: true, limit: CARD_COUNT }),
  }
}

export function meta({ title }: NotFoundData, { t }: PageContext): PageMeta {
  return { title, description: t('notFound.description'), noIndex: true }
}

/** An address that no page has, and one whose page does not find what it names. */
export function missingTitle(path: string): MessageKey {
  return matchRoute(path) === null ? 'notFound.alternate' : 'title.notFound'
}
