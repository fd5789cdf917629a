import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

export interface BrokenPromise {
  readonly invariant: string
  readonly subject: string
}

/** Promises that are broken of some orders. */
export async function listBrokenOf(db: Db, orderIds: readonly string[]): Promise<BrokenPromise[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<BrokenPromise>`
    select invariant, subject from invariant_of_order where order_id = any(${[...orderIds]}::uuid[])`.execute(
    db,
  )
  return rows
}

/** Promises that are broken of no single order. */
export async function listBrokenOfBooks(db: Db): Promise<BrokenPromise[]> {
  return (await sql<BrokenPromise>`select invariant, subject from invariant_of_books`.execute(db))
    .rows
}

/** Events are written by processes whose transactions may end after those of later events: so long they are read again. */
const OVERLAP_MS = 60_000

export interface Change {
  /** Of the event. */
  readonly id: string
  readonly orderId: string
}

/** Events of orders after a position, oldest first; their ids are in the order of time. */
export async function listChanges(
  db: Db,
  after: { readonly position: string | null; readonly now: Date },
  limit: number,
): Promise<readonly Change[]> {
  const since = after.position ?? idAt(after.now.getTime() - OVERLAP_MS)
  const { rows } = await sql<Change>`
    select id, order_id as "orderId" from order_event where id > ${since} order by id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Where the next look begins: at the last event, and never later than a minute ago. */
export function nextPosition(last: string | null, now: Date): string {
  const recent = idAt(now.getTime() - OVERLAP_MS)
  return last !== null && last < recent ? last : recent
}

/** The least id of a moment: their first 48 bits are its milliseconds. */
function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export async function listOrderIds(
  db: Db,
  after: string | null,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('shop_order')
    .select('id')
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export interface Look {
  readonly position: string | null
  readonly lookedAt: Date
  readonly endedAt: Date | null
}

export async function findLook(db: Db, name: 'changed' | 'everything'): Promise<Look | null> {
  const row = await db
    .selectFrom('promise_look')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? { position: row.position, lookedAt: row.looked_at, endedAt: row.ended_at } : null
}

/** How many promises the looks have found broken that are not whole again. */
export async function countBroken(db: Db): Promise<number> {
  const row = await db
    .selectFrom('broken_promise')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** A look that has not ended for so long is as bad as a promise broken. */
const CHANGED_WITHIN = "interval '10 minutes'"
const EVERYTHING_WITHIN = "interval '2 days'"

/** Whether the looks at the promises go on: null, or a sentence about what is wrong. A shop whose worker never ran has none. */
export async function readLooks(db: Db): Promise<{ readonly problem: string | null }> {
  const { rows } = await sql<{ late: string[] | null; broken: number }>`
    select (select array_agg(name) from promise_look where (name = 'changed' and looked_at < now() - ${sql.raw(CHANGED_WITHIN)})
      or (name = 'everything' and coalesce(ended_at, looked_at) < now() - ${sql.raw(EVERYTHING_WITHIN)})) as late,
      (select count(*)::integer from broken_promise) as broken`.execute(db)
  const [row] = rows
  if (row && row.broken > 0)
    return {
      problem: `${row.broken} promises were found broken by the worker's looks: see the table broken_promise. Take a backup first.`,
    }
  if (row?.late)
    return {
      problem: `nobody has looked at the promises for too long (${row.late.join(', ')}): is the worker running?`,
    }
  return { problem: null }
}
