import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { lockOrderById, readVersion, type LockedOrder } from '../queries.ts'

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
