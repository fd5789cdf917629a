import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { LOOKS_FOR_MS, type Looker } from './rules.ts'

/** Something that happened: to an order, or something that an operator or the shop did and the audit holds. */
export interface Happened {
  readonly id: string
  /** Number of the order; null for what is in the audit. */
  readonly order: string | null
}

/** They change nothing; told of, a page would be made anew for having been made. */
const LOOKS = ['look', 'shopper_seen', 'shoppers_sought', 'case_seen']

/** More at once than anybody can follow. */
const READ_MOST = 200
/** More people than a shop's team has. */
const LOOKERS_MOST = 500

/**
 * What happened in the last seconds, by the time in the ids: a transaction that took long may bring something older afterwards, so that
 * whoever follows asks for more than has passed since and leaves out what they know.
 */
export async function readHappened(db: Db, seconds: number): Promise<Happened[]> {
  const since = sql`uuidv7(${`-${seconds} seconds`}::interval)`
  const { rows } = await sql<Happened>`
    (select e.id, o.number as "order" from order_event e join shop_order o on o.id = e.order_id
      where e.id > ${since} order by e.id desc limit ${READ_MOST})
    union all
    (select a.id, null from audit_log a where a.id > ${since} and a.action <> all(${LOOKS}) order by a.id desc limit ${READ_MOST})`.execute(
    db,
  )
  return rows
}

/** Everybody who has an order's page before them, the same list each time it is asked for while nobody comes or goes. */
export async function listLookers(db: Db, now: Date): Promise<Looker[]> {
  const since = new Date(now.getTime() - LOOKS_FOR_MS)
  const { rows } = await sql<Looker>`
    select s.number as "order", o.name as operator, coalesce(o.display_name, o.name) as name
    from order_looker l join shop_order s on s.id = l.order_id join operator o on o.id = l.operator_id and o.status = 'active'
    where l.seen_at > ${since} order by s.number, o.name limit ${LOOKERS_MOST}`.execute(db)
  return rows
}
