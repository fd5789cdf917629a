import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** Longer than preparing an attempt takes: whoever has a unit for so long has died. */
const TAKEN_MS = 30_000

export interface TakenUnit {
  readonly unitId: string
  readonly orderId: string
}

/** Units whose turn it is with a supplier, in the order of their turns; nobody else gets them meanwhile. */
export async function takeQueued(ctx: Ctx, supplier: string, limit: number): Promise<TakenUnit[]> {
  const now = ctx.now()
  const { rows } = await sql<TakenUnit>`
    with due as materialized (
      select q.unit_id from supply_queue q join supplier s on s.code = q.supplier
      where q.supplier = ${supplier} and s.status = 'on' and q.held is null and q.due_at <= ${now} and q.taken_until <= ${now} order by q.rank_at limit ${limit} for no key update of q skip locked
    )
    update supply_queue q set taken_until = ${new Date(now.getTime() + TAKEN_MS)} from due join order_unit u on u.id = due.unit_id where q.unit_id = due.unit_id returning q.unit_id as "unitId", u.order_id as "orderId"`.execute(
    ctx.db,
  )
  return rows
}

/** When and with whom a queued unit is tried next. */
export async function putOff(
  tx: Tx | Db,
  unitId: string,
  dueAt: Date,
  supplier?: string,
): Promise<void> {
  await sql`
    update supply_queue set due_at = ${dueAt}, rank_at = ${dueAt}::timestamptz + turn * interval '200 milliseconds', taken_until = '-infinity', supplier = coalesce(${supplier ?? null}, supplier)
    where unit_id = ${unitId}`.execute(tx)
}

/** A person decides about it: it costs too much, or a card came for it that the shop already holds. */
export async function hold(
  tx: Tx,
  unitId: string,
  held: 'price' | 'known' = 'price',
): Promise<void> {
  await tx
    .updateTable('supply_queue')
    .set({ held, taken_until: sql<Date>`'-infinity'` })
    .where('unit_id', '=', unitId)
    .execute()
}

/**
 * It is bought where it costs no more than that. `is_allowed` stays what it was: to workers of releases before it means that it may cost
 * whatever its supplier asks, and they hold it anew instead. False where it is not held.
 */
export async function allow(tx: Tx, unitId: string, upTo: Money): Promise<boolean> {
  const allowed = await tx
    .updateTable('supply_queue')
    .set({
      held: null,
      allowed_minor: upTo.minor,
      allowed_currency: upTo.currency,
    })
    .where('unit_id', '=', unitId)
    .where('held', 'is not', null)
    .executeTakeFirst()
  return allowed.numUpdatedRows > 0n
}

/** It is no supplier's matter any more: people deliver it by hand. False where it was none. */
export async function leaveToHand(tx: Tx, unitId: string): Promise<boolean> {
  const left = await tx.deleteFrom('supply_queue').where('unit_id', '=', unitId).executeTakeFirst()
  return left.numDeletedRows > 0n
}

/** What waits for a supplier that is off goes to the next one of its item; where there is none, it is delivered by hand. */
export async function leadAway(tx: Tx, supplier: string): Promise<void> {
  await sql`
    update supply_queue q set supplier = first_supplier(u.item), taken_until = '-infinity' from order_unit u
    where q.supplier = ${supplier} and u.id = q.unit_id and first_supplier(u.item) is not null`.execute(
    tx,
  )
  await tx.deleteFrom('supply_queue').where('supplier', '=', supplier).execute()
}

/** Everything that waits for a supplier is tried now. */
export async function wake(tx: Tx, supplier: string, now: Date): Promise<void> {
  await sql`
    update supply_queue set due_at = ${now}, rank_at = ${now}::timestamptz + turn * interval '200 milliseconds'
    where supplier = ${supplier} and due_at > ${now}`.execute(tx)
}

/** What of an order waits for a supplier, and for no person, is tried now. @returns how many units that are */
export async function wakeOrder(tx: Tx, orderId: string, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update supply_queue q set due_at = ${now}, rank_at = ${now}::timestamptz + turn * interval '200 milliseconds'
    from order_unit u where u.id = q.unit_id and u.order_id = ${orderId} and q.held is null`.execute(
    tx,
  )
  return Number(numAffectedRows)
}
