import { leadItem, retailDiscount } from '#features/goods/browse/engine/lead.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Product } from '#features/goods/catalogue/rules.ts'
import type { Pricing } from '#features/goods/price/rules.ts'
import type { Db } from '#platform/db.ts'
import type { CollectFigures } from './rules.ts'

/** The running discount of a product as its card shows it: of the item whose price stands for it. */
export function runningDiscount(product: Pick<Product, 'items'>, pricing: Pricing): number {
  return retailDiscount(leadItem(product, pricing), pricing)
}

/** The figures beside the favourites entry: of what is on sale now. */
export async function collectFigures(
  db: Db,
  shop: ShopSnapshot,
  accountId: string,
): Promise<CollectFigures> {
  const products = await favouritesOnSale(db, shop, accountId)
  const discounts = products.map((product) => runningDiscount(product, shop.pricing))
  return { collect_num: products.length, collect_max_discount: Math.max(0, ...discounts) }
}

/** For the export of everything about a person. */
export async function exportFavourite(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('favourite')
    .select(['product', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('product')
    .execute()
  return rows.map((row) => ({ product: row.product, created_at: row.created_at.toISOString() }))
}

/** Codes of all products that are somebody's favourite. */
export async function listWatched(db: Db): Promise<string[]> {
  return (await db.selectFrom('favourite').select('product').distinct().execute()).map(
    ({ product }) => product,
  )
}

/** Newest first; what is not sold now is kept, but not among them. */
export async function favouritesOnSale(
  db: Db,
  shop: ShopSnapshot,
  accountId: string,
): Promise<Product[]> {
  const rows = await db
    .selectFrom('favourite')
    .select('product')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('product')
    .execute()
  return rows
    .map((row) => shop.catalogue.productByCode.get(row.product))
    .filter((product) => product !== undefined)
}
