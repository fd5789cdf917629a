import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { lockOrderById, type LockedOrder } from '../queries.ts'

/** What an order is at: each step of it is an event, so that the last one names all before. */
export async function readVersion(db: Db | Tx, orderId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce((select seq from order_event where order_id = ${orderId} order by seq desc limit 1), 0)::text as version`.execute(
    db,
  )
  return rows[0]?.version ?? '0'
}

/** An order by its number, locked. Throws 'not_found', and 'changed_meanwhile' for one that is not what the caller has seen. */
export async function lockSeen(tx: Tx, number: string, version: string): Promise<LockedOrder> {
  const known = await tx
    .selectFrom('shop_order')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const order = await lockOrderById(tx, known.id)
  if ((await readVersion(tx, order.id)) !== version) throw new AppError('changed_meanwhile')
  return order
}
