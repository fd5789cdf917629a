import { sql, type RawBuilder } from 'kysely'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import type { Db } from '#platform/db.ts'
import type { KeyStatus } from '../rules.ts'

/** A key as operators see it: its last characters, and who got it. */
export interface ListedKey {
  readonly id: string
  readonly itemCode: string
  readonly batch: string
  readonly lastFour: string
  readonly status: KeyStatus
  /** A calendar day. */
  readonly expiresOn: string | null
  readonly orderNumber: string | null
  /** Public id of the unit. */
  readonly unit: string | null
  readonly claimedAt: Date | null
  readonly deliveredAt: Date | null
  readonly revealedAt: Date | null
  readonly isReported: boolean
}

/** Keys of a batch in one state, a page at a time, in the order in which they came in. Throws 'not_found'. */
export async function listKeys(
  db: Db,
  {
    batch,
    status,
    after,
    limit,
  }: {
    readonly batch: string
    readonly status: KeyStatus
    /** The id of the last one of the page before. */
    readonly after: string | null
    readonly limit: number
  },
): Promise<ListedKey[]> {
  if (!isUuid(batch)) throw new AppError('not_found')
  const goesOn = after === null ? sql`` : sql`and k.id > ${after}::uuid`
  return read(
    db,
    sql`k.batch_id = ${batch}::uuid and k.status = ${status} ${goesOn} order by k.id limit ${limit}`,
  )
}

/** Keys by their keyed hashes. */
export async function findKeys(db: Db, fingerprints: readonly Buffer[]): Promise<ListedKey[]> {
  return fingerprints.length === 0
    ? []
    : read(db, sql`k.fingerprint = any(${[...fingerprints]}::bytea[]) order by k.id`)
}

async function read(db: Db, which: RawBuilder<unknown>): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    with page as materialized (
      select k.id, k.item, k.batch_id, k.last_four, k.status, k.expires_on, k.unit_id, k.claimed_at, k.delivered_at, k.revealed_at from card_key k where ${which}
    )
    select k.id, i.code as "itemCode", k.batch_id as batch, k.last_four as "lastFour", k.status, nullif(k.expires_on, 'infinity')::text as "expiresOn", o.number as "orderNumber", u.public_id as unit,
      k.claimed_at as "claimedAt", k.delivered_at as "deliveredAt", k.revealed_at as "revealedAt",
      exists (select from service_case_unit s join service_case c on c.id = s.case_id where s.unit_id = k.unit_id and c.kind = 'faulty_key') as "isReported"
    from page k join item i on i.id = k.item left join order_unit u on u.id = k.unit_id left join shop_order o on o.id = u.order_id order by k.id`.execute(
    db,
  )
  return rows
}
