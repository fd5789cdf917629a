import { sql } from 'kysely'
import { changeOrder, takeFromSuppliers } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'

const A_PAGE = 200

interface Unbought {
  readonly orderId: string
  readonly unitIds: readonly string[]
}

/**
 * Paid cards that were to be bought and that no supplier has in its queue, as the one they had is off: they wait for a key of the shop's
 * own, for a supplier that comes back, or, after a day, for their price. @returns how many orders those are
 */
export async function giveToShelf(ctx: Ctx): Promise<number> {
  return sweep<Unbought>(ctx, {
    what: 'a card that no supplier delivers',
    name: ({ orderId }) => orderId,
    next: async (last) => {
      const { rows } = await sql<Unbought>`
        select u.order_id as "orderId", array_agg(u.id order by u.id) as "unitIds" from order_unit u join shop_order o on o.id = u.order_id
        where u.to_order and u.status in ('queued', 'delivering', 'in_doubt', 'failed') and u.status = 'queued' and o.settled_at is not null
          and not exists (select from supply_queue q where q.unit_id = u.id) and u.order_id > ${last?.orderId ?? '00000000-0000-0000-0000-000000000000'}::uuid
        group by u.order_id order by u.order_id limit ${A_PAGE}`.execute(ctx.db)
      return rows
    },
    work: ({ orderId, unitIds }) =>
      transaction(ctx, async (tx) =>
        leaveToShelf(tx, ctx, await lockOrderById(tx, orderId), unitIds),
      ),
  })
}

/**
 * Cards of a locked order are no supplier's matter any more. False where they were none, or are being bought, and while something else about
 * the order is being decided: who waits for stock is held for that alone.
 */
export async function leaveToShelf(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  unitIds: readonly string[],
): Promise<boolean> {
  if (order.hold !== null && order.hold !== 'out_of_stock') return false
  if ((await takeFromSuppliers(tx, order.id, unitIds)) === 0) return false
  await changeOrder(tx, ctx, order, { hold: 'out_of_stock' }, { reason: 'delivery_put_off' })
  return true
}
