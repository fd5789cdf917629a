import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

const LISTED_MAX = 200

/** What a service is asked about a shopper. */
export interface ScreenedPerson {
  readonly names: readonly string[]
  readonly email: string | null
  /** Of their billing addresses, ISO codes. */
  readonly countries: readonly string[]
}

/** Null for an account that is gone. */
export async function findPerson(db: Db | Tx, accountId: string): Promise<ScreenedPerson | null> {
  const { rows } = await sql<ScreenedPerson>`
    select array_remove(a.nickname || array(select distinct d.first_name || ' ' || d.surname from billing_address d where d.account_id = a.id order by 1), null) as names,
      a.email, array(select distinct d.country from billing_address d where d.account_id = a.id order by 1) as countries
    from account a where a.id = ${accountId} and a.status <> 'erased'`.execute(db)
  return rows[0] ?? null
}

export interface ScreeningCheck {
  readonly id: string
  readonly state: 'asked' | 'clear' | 'match'
  readonly fault: string | null
  readonly wantedAt: Date
  readonly answeredAt: Date | null
}

/** Its order is locked; of two orders of one shopper the later waits for the earlier. */
export async function lockScreening(
  tx: Tx,
  accountId: string,
  subject: Buffer,
): Promise<ScreeningCheck | null> {
  const { rows } = await sql<ScreeningCheck>`
    select id, state, fault, wanted_at as "wantedAt", answered_at as "answeredAt" from screening_check
    where account_id = ${accountId} and subject = ${subject} for no key update`.execute(tx)
  return rows[0] ?? null
}

/** Orders of a shopper that are held for nothing but that the service has not answered, behind `last`. */
export async function listAwaiting(db: Db, accountId: string, last: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from shop_order o join delivery_check k on k.order_id = o.id
    where o.account_id = ${accountId} and o.hold = 'risk' and k.verdict = 'hold' and k.decision is null and 'screening' = any(k.reasons) and o.id > ${last}::uuid
    order by o.id limit ${LISTED_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many shoppers the service has not answered about since it was first asked, that long ago. */
export async function countUnscreened(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from screening_check where state = 'asked' and wanted_at < ${before}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
