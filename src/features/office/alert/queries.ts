import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Matter } from './rules.ts'

/** Those that are not over, longest first. */
export async function listMatters(db: Db | Tx): Promise<Matter[]> {
  const rows = await db
    .selectFrom('alert_matter')
    .selectAll()
    .where('over_at', 'is', null)
    .orderBy('begun_at')
    .orderBy('kind')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    begunAt: row.begun_at,
    seenAt: row.seen_at,
    count: row.count,
    added: row.added,
    toldAt: row.told_at,
  }))
}

/** Mails to whoever runs the shop that are not sent yet. */
export async function listUnsentAlerts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('outgoing_mail')
    .select('id')
    .where('kind', '=', 'shop_alert')
    .where('sent_at', 'is', null)
    .where('recipient', 'is not', null)
    .orderBy('created_at')
    .limit(20)
    .execute()
  return rows.map(({ id }) => id)
}

/** Why the newest message to the webhook that was given up in the last day was; by the database's clock, as everything is. */
export async function findLastFailure(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('alert_message')
    .select('failure')
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .where('delivered_at', 'is', null)
    .where('attempts', '>', 0)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.failure ?? null
}
