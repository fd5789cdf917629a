import { sql } from 'kysely'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'

/** Of the orders named, those past their time that wait to be paid, locked; what others work on is passed over. */
export async function lockExpiring(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  ids: readonly string[],
  status: 'pending_payment' | 'waiting_for_payment',
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from shop_order where id = any(${[...ids]}::uuid[]) and status = ${status} and expires_at <= ${ctx.now()} order by id for no key update skip locked`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/**
 * Ends locked orders that wait to be paid, in a few statements whatever their number: units released, keys free for others. They hold no
 * money, as the database sees to, so that no facts need to be read to know what they are called.
 */
export async function expireTogether(tx: Tx, ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const units = await tx
    .updateTable('order_unit')
    .set({ status: 'released' })
    .where('order_id', 'in', ids)
    .where('status', '=', 'queued')
    .returning('id')
    .execute()
  await releaseKeys(
    tx,
    units.map(({ id }) => id),
  )
  await sql`
    with ended as (
      update shop_order set status = 'expired', ended = 'expired', updated_at = ${ctx.now()} where id = any(${[...ids]}::uuid[]) returning id, old.status as from_status
    )
    insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
    select uuidv7(), id, ${ctx.now()}, ${ctx.actor}, ${ctx.requestId}, from_status, 'expired', 'expired' from ended`.execute(
    tx,
  )
}
