import { sql } from 'kysely'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'

interface ReplacedKey {
  readonly oldKeyId: string
  readonly newKeyId: string
}

/**
 * Gives a unit another key of its item in place of the one it was delivered with, which is void for good: neither sold again nor shown to its
 * buyer any more, and known by this row to have been theirs. Throws 'order_closed' where the unit holds no key, 'out_of_stock' where there is no other.
 */
export async function replaceKey(
  tx: Tx,
  ctx: Pick<OperatorCtx, 'now' | 'operator'>,
  { unitId, reason }: { readonly unitId: string; readonly reason: string },
): Promise<ReplacedKey> {
  const now = ctx.now()
  const old = await tx
    .selectFrom('card_key')
    .select(['id', 'item'])
    .where('unit_id', '=', unitId)
    .where('status', '=', 'delivered')
    .forUpdate()
    .executeTakeFirst()
  if (!old) throw new AppError('order_closed')
  const { rows } = await sql<{ id: string }>`
    select id from card_key where item = ${old.item} and status = 'free' and expires_on > ${dayOf(now)}::date
    order by expires_on, pick limit 1 for update skip locked`.execute(tx)
  const next = rows[0]
  if (!next) throw new AppError('out_of_stock')
  await tx
    .insertInto('key_replacement')
    .values({
      old_key_id: old.id,
      new_key_id: next.id,
      unit_id: unitId,
      reason,
      replaced_by: ctx.operator.name,
      replaced_at: now,
    })
    .execute()
  await tx
    .updateTable('card_key')
    .set({ status: 'void', unit_id: null, claimed_at: null })
    .where('id', '=', old.id)
    .execute()
  await tx
    .updateTable('card_key')
    .set({ status: 'delivered', unit_id: unitId, claimed_at: now, delivered_at: now })
    .where('id', '=', next.id)
    .execute()
  return { oldKeyId: old.id, newKeyId: next.id }
}
