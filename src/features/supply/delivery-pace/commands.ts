import { sql } from 'kysely'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { isWaiting, measurePace, hasLateNotice, type LateOrder } from './queries.ts'
import { paceOf } from './rules.ts'

/** Writes how long deliveries take, where what is told of it has changed. */
export async function writePace(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const paces = JSON.stringify((await measurePace(tx, now)).map(paceOf))
    const measured = sql`jsonb_to_recordset(${paces}::jsonb) as m (product text, supplier text, deliveries integer, "p50Seconds" integer, "p95Seconds" integer, "nowSeconds" integer)`
    await sql`
      delete from delivery_pace d where not exists (select from ${measured} where m.product = d.product and m.supplier is not distinct from d.supplier)`.execute(
      tx,
    )
    await sql`
      insert into delivery_pace (product, supplier, deliveries, p50_seconds, p95_seconds, now_seconds)
      select m.product, m.supplier, m.deliveries, m."p50Seconds", m."p95Seconds", m."nowSeconds" from ${measured}
      on conflict (product, supplier) do update set deliveries = excluded.deliveries, p50_seconds = excluded.p50_seconds, p95_seconds = excluded.p95_seconds, now_seconds = excluded.now_seconds
      where (delivery_pace.p50_seconds, delivery_pace.p95_seconds, delivery_pace.now_seconds) is distinct from (excluded.p50_seconds, excluded.p95_seconds, excluded.now_seconds)`.execute(
      tx,
    )
  })
}

/** Its buyer is told once that it takes longer. False where there is nothing to tell any more. */
export async function tellLate(ctx: Ctx, { orderId, line, units }: LateOrder): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const order = await lockOrderById(tx, orderId)
    if (order.hold !== null || (await hasLateNotice(tx, orderId))) return false
    if (!(await isWaiting(tx, orderId, line))) return false
    await changeOrder(
      tx,
      ctx,
      order,
      {},
      { reason: 'delivery_late', details: { line, units }, isToTell: true },
    )
    return true
  })
}
