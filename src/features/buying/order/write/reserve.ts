import { sql } from 'kysely'
import { getCardItem } from '#features/goods/stock/queries.ts'
import { claimKeys, claimSome, releaseKeys } from '#features/buying/vault/commands.ts'
import { present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { listShortLines } from '../queries.ts'

/** A supplier has given a card for it that the shop held already: while nobody has decided about that, it is not bought a second time. */
const waitsForPerson = sql<boolean>`o.settled_at is not null and exists (
  select from purchase_unit b join supply_case c on c.purchase_id = b.purchase_id where b.unit_id = u.id and c.kind = 'known' and c.closed_at is null)`

/**
 * Binds a key to each card of the order that has none: what is shown as in stock at payment is there when the money comes. A card that is
 * made to order has nothing to bind: it is bought at a supplier once it is paid. Which of the two a card is follows from what its item
 * is sold from, what is on the shelf and whether a supplier can deliver now; of what is paid, what was chosen stays.
 * Throws 'out_of_stock'; then none is bound.
 */
export async function reserveStock(tx: Tx, ctx: Ctx, orderId: string): Promise<void> {
  const units = await tx
    .selectFrom('order_unit as u')
    .innerJoin('shop_order as o', 'o.id', 'u.order_id')
    .leftJoin('card_key as k', 'k.unit_id', 'u.id')
    .select(['u.id', 'u.item', 'u.to_order', waitsForPerson.as('waits')])
    .where('u.order_id', '=', orderId)
    .where('u.delivery', '=', 'card_key')
    .where('u.status', '=', 'queued')
    .where('k.id', 'is', null)
    .where((row) => row.or([row('o.settled_at', 'is', null), row('u.to_order', '=', false)]))
    .orderBy('u.id')
    .execute()
  const byItem = [...Map.groupBy(units, ({ item }) => present(item, 'item of a card'))].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )
  const wanting: (readonly [string, readonly string[]])[] = []
  for (const [item, own] of byItem) {
    const ids = own.map(({ id }) => id)
    const { source, isToOrder } = await getCardItem(tx, item, ctx.now())
    if (source === 'order' && !isToOrder) throw new AppError('out_of_stock')
    const found = source === 'order' ? [] : isToOrder ? await claimSome(tx, ctx, item, ids) : null
    if (found === null) wanting.push([item, ids])
    const lacking = found === null ? [] : own.filter(({ id }) => !found.includes(id))
    await markToOrder(
      tx,
      own,
      lacking.filter(({ waits }) => !waits).map(({ id }) => id),
    )
    const kept = lacking.filter(({ waits }) => waits).map(({ id }) => id)
    if (kept.length > 0) wanting.push([item, kept])
  }
  // Those that nothing but the shelf can deliver come last: where it is empty, the others have been seen to.
  for (const [item, ids] of wanting) await claimKeys(tx, ctx, item, ids)
}

/** Says which of these units are made to order; those that were and are no more leave the queue of their supplier. */
async function markToOrder(
  tx: Tx,
  units: readonly { readonly id: string; readonly to_order: boolean }[],
  ordered: readonly string[],
): Promise<void> {
  const changed = units.filter(({ id, to_order: was }) => was !== ordered.includes(id))
  if (changed.length === 0) return
  await tx
    .updateTable('order_unit')
    .set({ to_order: sql<boolean>`not to_order` })
    .where(
      'id',
      'in',
      changed.map(({ id }) => id),
    )
    .execute()
}

/** Cards of a locked order that wait to be bought are bought no more: the shelf has to deliver them. @returns how many those are */
export async function takeFromSuppliers(
  tx: Tx,
  orderId: string,
  unitIds: readonly string[],
): Promise<number> {
  const taken = await tx
    .updateTable('order_unit')
    .set({ to_order: false })
    .where('id', 'in', unitIds)
    .where('order_id', '=', orderId)
    .where('to_order', '=', true)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  return Number(taken.numUpdatedRows)
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
