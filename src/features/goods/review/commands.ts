import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { maskedName, type GivenReview } from './rules.ts'

export { judgeReview } from './write/by-operator.ts'

/** Who wrote a review, in its row's `source`; those of catalogue files name their file. */
const SHOPPER = 'shopper'

/**
 * Publishes what a buyer says of a brand that one of their orders delivered, one for each order and brand, however often it is
 * sent at once. Throws 'not_found' for an order that is not theirs, 'not_delivered', 'already_reviewed'. @returns its number
 */
export async function createReview(
  ctx: Ctx,
  accountId: string,
  review: GivenReview,
): Promise<string> {
  return transaction(ctx, async (tx, now) => {
    const order = await tx
      .selectFrom('shop_order')
      .select(['id', 'country'])
      .where('account_id', '=', accountId)
      .where('public_id', '=', review.order)
      .executeTakeFirst()
    if (!order) throw new AppError('not_found')
    if (!(await wasDelivered(tx, order.id, review.brand))) throw new AppError('not_delivered')
    const { rows } = await sql<{ id: string }>`
      insert into review (id, brand, language, country, rating, text, nickname, published_at, source, account_id, order_id)
      values (nextval('review_number'), ${review.brand}, ${review.language}, ${order.country}, ${review.rating}, ${review.text}, ${maskedName(review.nickname)}, ${now}, ${SHOPPER}, ${accountId}, ${order.id})
      on conflict (order_id, brand) where order_id is not null do nothing returning id::text as id`.execute(
      tx,
    )
    const made = rows[0]
    if (!made) throw new AppError('already_reviewed')
    return made.id
  })
}

async function wasDelivered(tx: Tx, orderId: string, brand: string): Promise<boolean> {
  const row = await tx
    .selectFrom('order_unit as u')
    .innerJoin('item as i', 'i.id', 'u.item')
    .innerJoin('product as p', 'p.code', 'i.product')
    .select('u.id')
    .where('u.order_id', '=', orderId)
    .where('u.status', '=', 'delivered')
    .where('p.brand', '=', brand)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Part of erasing a person: what they said of goods stays, said by nobody. */
export async function eraseReview(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('review')
    .set({ account_id: null, nickname: maskedName('') })
    .where('account_id', '=', accountId)
    .execute()
}
