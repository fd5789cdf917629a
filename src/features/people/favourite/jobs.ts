import { loadCatalogue } from '#features/goods/catalogue/snapshot.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { settleDiscounts } from './commands.ts'
import { listWatched } from './queries.ts'
import { runningDiscount } from './rules.ts'

/** Favourites settled in one transaction. */
const BATCH = 500

/**
 * Tells people once when the discount of a favourite begins or grows beyond what it was when they were last told (or when
 * they made it a favourite). A discount that shrinks or ends is only remembered. Daily; a second run finds nothing to tell.
 */
export async function watchFavourites(ctx: Ctx): Promise<void> {
  const [{ productByCode }, currencies] = await Promise.all([
    loadCatalogue(ctx.db),
    listCurrencies(ctx.db),
  ])
  const currencyByCode = new Map(currencies.map((currency) => [currency.code, currency]))
  const running = (await listWatched(ctx.db)).flatMap((code) => {
    const product = productByCode.get(code)
    return product
      ? [{ code, name: product.brand.name.en, percent: runningDiscount(product, currencyByCode) }]
      : []
  })
  while ((await settleDiscounts(ctx, running, BATCH)) === BATCH);
}
