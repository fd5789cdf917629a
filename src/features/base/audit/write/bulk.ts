import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'

/** A page of people or of the trail that was read. */
export interface PageRead {
  readonly call: string
  /** What the token is called where it is listed; null for somebody in their own session. */
  readonly token: string | null
  readonly rows: number
}

/** Counts what is read of people a page at a time; the trail gets one line of it for each token and hour. */
export async function countPageRead(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  { call, token, rows }: PageRead,
): Promise<void> {
  await sql`
    insert into page_read (actor, token, call, hour, calls, rows) values (${ctx.actor}, ${token ?? ''}, ${call}, date_trunc('hour', ${ctx.now()}::timestamptz, 'UTC'), 1, ${rows})
    on conflict (actor, token, call, hour) do update set calls = page_read.calls + 1, rows = page_read.rows + excluded.rows`.execute(
    ctx.db,
  )
}

interface HourOfReads {
  readonly actor: string
  readonly token: string
  readonly call: string
  readonly hour: Date
  readonly calls: number
  readonly rows: string
}

/** Takes what was read in hours that are over, to be written down in the same transaction. */
export async function takePageReads(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<readonly HourOfReads[]> {
  const { rows } = await sql<HourOfReads>`
    delete from page_read where ctid = any(array(
      select ctid from page_read where hour < date_trunc('hour', ${now}::timestamptz, 'UTC') order by hour limit ${limit} for update skip locked))
    returning actor, token, call, hour, calls, rows::text as rows`.execute(tx)
  return rows
}
