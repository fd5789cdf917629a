import { loadCatalogue } from '#features/goods/catalogue/snapshot.ts'
import { readPricing } from '#features/goods/price/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { settleDiscounts } from './commands.ts'
import { listWatched, runningDiscount } from './queries.ts'

/** Favourites settled in one transaction. */
const BATCH = 500

/**
 * Tells people once when the discount of a favourite begins or grows beyond what it was when they were last told (or when
 * they made it a favourite). A discount that shrinks or ends is only remembered. Daily; a second run finds nothing to tell.
 */
export async function watchFavourites(ctx: Ctx): Promise<void> {
  const [{ productByCode }, pricing] = await Promise.all([
    loadCatalogue(ctx.db),
    readPricing(ctx.db),
  ])
  const running = (await listWatched(ctx.db)).flatMap((code) => {
    const product = productByCode.get(code)
    return product
      ? [{ code, name: product.brand.name.en, percent: runningDiscount(product, pricing) }]
      : []
  })
  while ((await settleDiscounts(ctx, running, BATCH)) === BATCH);
}
