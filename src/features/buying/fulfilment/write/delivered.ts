import { sql } from 'kysely'
import { post } from '#features/base/ledger/commands.ts'
import { deliveredUnit } from '#features/base/ledger/rules.ts'
import { changeUnits } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { assert, present } from '#kernel/assert.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { LockedUnit } from '../queries.ts'
import { noteStep } from './step.ts'

/** A unit of a locked order is delivered, with what shows it: booked, and told to its buyer once the whole line is. */
export async function deliverUnit(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  {
    order,
    unit,
    proof,
  }: {
    readonly order: LockedOrder
    readonly unit: Pick<LockedUnit, 'id' | 'publicId' | 'status' | 'priceMinor' | 'line'>
    readonly proof: string
  },
): Promise<void> {
  await changeUnits(tx, [unit.id], {
    status: 'delivered',
    delivered_at: now,
    proof,
    claimed_by: null,
    claimed_until: null,
  })
  await post(tx, ctx, [deliveredUnit(unit.id, order.currency, unit.priceMinor)])
  const units = await countDelivered(tx, order.id, unit.line)
  await noteStep(tx, ctx, now, {
    order,
    unit,
    to: 'delivered',
    reason: 'delivered',
    details: { line: unit.line, ...(units === null ? {} : { units }) },
    isToTell: units !== null,
  })
}

/** Units delivered of a line once none of it is left to be; null before, as one word about a line is enough. */
async function countDelivered(tx: Tx, orderId: string, line: number): Promise<number | null> {
  const { rows } = await sql<{ left: number; delivered: number }>`
    select count(*) filter (where u.status in ('queued', 'delivering', 'in_doubt', 'needs_input'))::integer as left, count(*) filter (where u.status = 'delivered')::integer as delivered
    from order_unit u join order_line l on l.id = u.line_id where u.order_id = ${orderId} and l.position = ${line}`.execute(
    tx,
  )
  const { left, delivered } = present(rows[0], 'a line has units')
  assert(delivered > 0, 'a unit has just been delivered')
  return left === 0 ? delivered : null
}
