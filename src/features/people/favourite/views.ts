import { pageOf } from '#features/goods/browse/rules.ts'
import { productCard, type ShopView } from '#features/goods/browse/views.ts'
import type { Db } from '#platform/db.ts'
import { favouritesOnSale } from './queries.ts'

export interface FavouriteQuery {
  /** Only those of these codes; empty means all. */
  readonly among?: readonly string[]
  readonly page: number
  readonly limit: number
}

/** A page of a person's favourites as product cards, newest first. What is not sold now is kept, but not in the list. */
export async function listFavourites(
  db: Db,
  view: ShopView,
  accountId: string,
  { among = [], page, limit }: FavouriteQuery,
) {
  const all = await favouritesOnSale(db, view.shop, accountId)
  const wanted = among.length === 0 ? all : all.filter(({ code }) => among.includes(code))
  return pageOf(wanted, page, limit, (product) => productCard(view, product))
}
