import { claimKeys, releaseKeys } from '#features/buying/vault/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { listShortLines } from '../queries.ts'

/**
 * Binds a key to each card of the order that has none: what is shown as in stock at payment is there when the money comes.
 * Throws 'out_of_stock'; then none is bound.
 */
export async function reserveStock(tx: Tx, ctx: Ctx, orderId: string): Promise<void> {
  const units = await tx
    .selectFrom('order_unit as u')
    .leftJoin('card_key as k', 'k.unit_id', 'u.id')
    .select(['u.id', 'u.item'])
    .where('u.order_id', '=', orderId)
    .where('u.delivery', '=', 'card_key')
    .where('u.status', '=', 'queued')
    .where('k.id', 'is', null)
    .orderBy('u.id')
    .execute()
  const byItem = [...Map.groupBy(units, ({ item }) => present(item, 'item of a card'))].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )
  for (const [item, own] of byItem)
    await claimKeys(
      tx,
      ctx,
      item,
      own.map(({ id }) => id),
    )
}

/** Gives back what an earlier attempt to pay had reserved. Throws 'out_of_stock' where there is too little for the order now. */
export async function unreserveStock(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  orderId: string,
): Promise<void> {
  const bound = await tx
    .selectFrom('order_unit as u')
    .innerJoin('card_key as k', 'k.unit_id', 'u.id')
    .select('u.id')
    .where('u.order_id', '=', orderId)
    .where('k.status', '=', 'claimed')
    .execute()
  await releaseKeys(
    tx,
    bound.map(({ id }) => id),
  )
  if ((await listShortLines(tx, orderId, ctx.now())).length > 0) throw new AppError('out_of_stock')
}
