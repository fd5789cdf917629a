import { findProduct } from '#features/goods/browse/queries.ts'
import { pageOf } from '#features/goods/browse/rules.ts'
import { favouritesOnSale } from '#features/people/favourite/queries.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from './area.ts'
import { pageAsked, pagingData, type PagingData } from './paging.ts'

const ON_A_PAGE = 20

/** A product with the code that calls name it by. */
export interface CollectTile extends GoodsTile {
  readonly code: string
  /** For the label of its button. */
  readonly spoken: string
}

export interface CollectData {
  readonly tiles: readonly CollectTile[]
  readonly paging: PagingData
  /** A product whose heart was pressed without script: the page asks with a button, since opening an address changes nothing. */
  readonly asked: CollectTile | null
}

export async function collectData(page: PersonalPageContext): Promise<CollectData> {
  const { shop, ctx, query } = page
  const view = viewOf(page)
  const all = await favouritesOnSale(ctx.db, shop, ownerOf(page).accountId)
  const last = Math.max(1, Math.ceil(all.length / ON_A_PAGE))
  const current = Math.min(pageAsked(page), last)
  const wanted = findProduct(shop, query.get('add') ?? '')
  const tileOf = (product: (typeof all)[number]): CollectTile => {
    const tile = goodsTile(view, product)
    return {
      ...tile,
      code: product.code,
      spoken: page.t('product.title', { name: String(tile.name), region: tile.note ?? '' }),
    }
  }
  return {
    tiles: pageOf(all, current, ON_A_PAGE, tileOf).list,
    paging: pagingData(page, '/user/collect', current, last),
    asked: wanted && !all.includes(wanted) ? tileOf(wanted) : null,
  }
}
