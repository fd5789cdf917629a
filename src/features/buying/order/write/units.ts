import type { Tx } from '#platform/ctx.ts'
import type { UnitStatus } from '../rules.ts'

/** What becomes of units, by the columns it is kept in. Left out: it stays. */
export interface UnitChanges {
  readonly status: UnitStatus
  readonly delivered_at?: Date
  /** Who delivers it by hand, and until when it is theirs. */
  readonly claimed_by?: string | null
  readonly claimed_until?: Date | null
  readonly proof?: string
  /** Until when its buyer may correct what it needs. */
  readonly input_until?: Date
}

/** Changes units of an order that is locked; with `from` those alone that have that status. @returns which */
export async function changeUnits(
  tx: Tx,
  ids: readonly string[],
  changes: UnitChanges,
  from?: UnitStatus,
): Promise<{ readonly id: string; readonly delivery: string }[]> {
  if (ids.length === 0) return []
  const update = tx.updateTable('order_unit').set(changes).where('id', 'in', ids)
  return (from ? update.where('status', '=', from) : update).returning(['id', 'delivery']).execute()
}

/** Units of an order from one status to another. @returns their ids */
export async function moveUnits(
  tx: Tx,
  orderId: string,
  from: UnitStatus,
  to: UnitStatus,
  only?: readonly string[],
): Promise<string[]> {
  let update = tx
    .updateTable('order_unit')
    .set({ status: to })
    .where('order_id', '=', orderId)
    .where('status', '=', from)
  if (only) update = update.where('id', 'in', only)
  return (await update.returning('id').execute()).map(({ id }) => id)
}

/** What the buyer has corrected of a line of a locked order. */
export async function setLineFields(
  tx: Tx,
  lineId: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await tx
    .updateTable('order_line')
    .set({ account_fields: JSON.stringify(fields) })
    .where('id', '=', lineId)
    .execute()
}
