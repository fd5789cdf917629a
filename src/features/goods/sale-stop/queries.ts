import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Stop } from './rules.ts'

/** What is stopped now, longest first. */
export async function listStops(db: Db): Promise<Stop[]> {
  const rows = await db
    .selectFrom('sale_stop')
    .select(['kind', 'code', 'reason', 'stopped_by', 'stopped_at'])
    .where('ended_at', 'is', null)
    .orderBy('stopped_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    code: row.code,
    reason: row.reason,
    stoppedBy: row.stopped_by,
    stoppedAt: row.stopped_at,
  }))
}

/** What keeps an order from being paid by a method now; null where nothing does. */
export async function findStopOfOrder(
  tx: Tx,
  orderId: string,
  method: string,
): Promise<'method' | 'goods' | null> {
  const { rows } = await sql<{ method: boolean; goods: boolean }>`
    select exists (select from sale_stop where kind = 'method' and code = ${method} and ended_at is null) as method,
      is_selling_stopped(array(select item from order_line where order_id = ${orderId} and item is not null)) as goods`.execute(
    tx,
  )
  const [found] = rows
  return found?.goods ? 'goods' : found?.method ? 'method' : null
}
