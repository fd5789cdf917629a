import { sql } from 'kysely'
import { findProduct } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { lockAccount } from '#features/people/account/commands.ts'
import { postNotices } from '#features/people/notice/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { runningDiscount } from './queries.ts'
import { FAVOURITES_MAX } from './rules.ts'

/**
 * Makes a product a favourite; one that is stays as it is. A brand's code means its leading product, a former code the
 * product's new one. Throws 'not_found' for what is not sold, 'check_fields' (too_many) beyond 500.
 */
export async function addFavourite(
  ctx: Ctx,
  shop: ShopSnapshot,
  accountId: string,
  code: string,
): Promise<void> {
  const product = findProduct(shop, code)
  if (!product) throw new AppError('not_found')
  await transaction(ctx, async (tx, now) => {
    await lockAccount(tx, accountId)
    const { count } = await tx
      .selectFrom('favourite')
      .where('account_id', '=', accountId)
      .where('product', '<>', product.code)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= FAVOURITES_MAX)
      throw new AppError(
        'check_fields',
        {},
        { fields: [{ field: 'code', reason: 'too_many', params: { max: FAVOURITES_MAX } }] },
      )
    await tx
      .insertInto('favourite')
      .values({
        account_id: accountId,
        product: product.code,
        discount: runningDiscount(product, shop.pricing),
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'product']).doNothing())
      .execute()
  })
}

/** What a code can look like; anything else names nothing and is not asked for. */
const CODE = /^[a-z0-9-]{1,100}$/

/** Takes a product from the favourites, on sale or not; what is none stays none. */
export async function removeFavourite(
  ctx: Pick<Ctx, 'db'>,
  shop: ShopSnapshot,
  accountId: string,
  code: string,
): Promise<void> {
  const codes = [code, findProduct(shop, code)?.code ?? code].filter((each) => CODE.test(each))
  if (codes.length === 0) return
  await ctx.db
    .deleteFrom('favourite')
    .where('account_id', '=', accountId)
    .where('product', 'in', codes)
    .execute()
}

/** Part of erasing a person. */
export async function eraseFavourite(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('favourite').where('account_id', '=', accountId).execute()
}

/** The discount of a product now. */
export interface RunningDiscount {
  readonly code: string
  /** In English, for when the product is no longer sold. */
  readonly name: string
  readonly percent: number
}

/** Posts the notices of some favourites whose discount has changed and remembers it. @returns how many there were */
export function settleDiscounts(
  ctx: Ctx,
  running: readonly RunningDiscount[],
  limit: number,
): Promise<number> {
  return transaction(ctx, async (tx) => {
    const { rows } = await sql<{
      account_id: string
      product: string
      name: string
      percent: number
      discount: number
    }>`
      select favourite.account_id, favourite.product, running.name, running.percent, favourite.discount
      from favourite join jsonb_to_recordset(${JSON.stringify(running)}::jsonb) as running (code text, name text, percent smallint)
        on running.code = favourite.product
      where favourite.discount <> running.percent
      limit ${limit} for no key update of favourite skip locked`.execute(tx)
    const grown = rows.filter((row) => row.percent > row.discount)
    await postNotices(
      tx,
      ctx,
      grown.map(({ account_id, product, name, percent }) => ({
        accountId: account_id,
        kind: 'price_drop',
        params: { product, name, percent },
      })),
    )
    await sql`update favourite set discount = told.percent
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (account_id uuid, product text, percent smallint)
      where favourite.account_id = told.account_id and favourite.product = told.product`.execute(tx)
    return rows.length
  })
}
