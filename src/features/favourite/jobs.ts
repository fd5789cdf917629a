import { sql } from 'kysely'
import { loadCatalogue } from '#features/catalogue/snapshot.ts'
import { listCurrencies } from '#features/currency/queries.ts'
import { postNotices } from '#features/notice/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { runningDiscount } from './rules.ts'

/** Favourites settled in one transaction. */
const BATCH = 500

/**
 * Tells people once when the discount of a favourite begins or grows beyond what it was when they were last told (or when
 * they made it a favourite). A discount that shrinks or ends is only remembered. Daily; a second run finds nothing to tell.
 */
export async function watchFavourites(ctx: Ctx): Promise<void> {
  const [{ productByCode }, currencies] = await Promise.all([loadCatalogue(ctx.db), listCurrencies(ctx.db)])
  const currencyByCode = new Map(currencies.map((currency) => [currency.code, currency]))
  const watched = await ctx.db.selectFrom('favourite').select('product').distinct().execute()
  const running = watched.flatMap(({ product: code }) => {
    const product = productByCode.get(code)
    return product ? [{ code, name: product.brand.name.en, percent: runningDiscount(product, currencyByCode) }] : []
  })
  while ((await settleBatch(ctx, running)) === BATCH);
}

interface RunningDiscount {
  readonly code: string
  /** In English, for when the product is no longer sold. */
  readonly name: string
  readonly percent: number
}

/** Posts the notices of some favourites whose discount has changed and remembers it; how many there were. */
function settleBatch(ctx: Ctx, running: readonly RunningDiscount[]): Promise<number> {
  return transaction(ctx, async (tx) => {
    const { rows } = await sql<{ account_id: string; product: string; name: string; percent: number; discount: number }>`
      select favourite.account_id, favourite.product, running.name, running.percent, favourite.discount
      from favourite join jsonb_to_recordset(${JSON.stringify(running)}::jsonb) as running (code text, name text, percent smallint)
        on running.code = favourite.product
      where favourite.discount <> running.percent
      limit ${BATCH} for no key update of favourite skip locked`.execute(tx)
    const grown = rows.filter((row) => row.percent > row.discount)
    await postNotices(tx, ctx, grown.map(({ account_id, product, name, percent }) => ({
      accountId: account_id, kind: 'price_drop', params: { product, name, percent },
    })))
    await sql`update favourite set discount = told.percent
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (account_id uuid, product text, percent smallint)
      where favourite.account_id = told.account_id and favourite.product = told.product`.execute(tx)
    return rows.length
  })
}
