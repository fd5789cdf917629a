import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** What an order is at: each step of it is an event, so that the last one names all before. */
export async function readVersion(db: Db | Tx, orderId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce((select seq from order_event where order_id = ${orderId} order by seq desc limit 1), 0)::text as version`.execute(
    db,
  )
  return rows[0]?.version ?? '0'
}
