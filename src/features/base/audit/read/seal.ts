import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { AuditFault, SealHead } from '../rules.ts'

/** The newest seal; null before the first. */
export async function findHead(db: Db): Promise<SealHead | null> {
  const row = await db
    .selectFrom('audit_seal')
    .select(['number', 'hash', 'sealed_at', 'last_id'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? headOf(row) : null
}

/** Hashes of seals by their numbers; those that are gone are left out. */
export async function readSealHashes(
  db: Db,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_seal')
    .select(['number', 'hash'])
    .where(sql<boolean>`number = any (${[...numbers]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [Number(row.number), row.hash.toString('hex')]))
}

/** When the oldest row that no seal covers was written; null where there is none. */
export async function findUnsealed(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select uuid_extract_timestamp(a.id) as at from audit_log a
    where a.id > coalesce((select last_id from audit_seal order by number desc limit 1), '00000000-0000-0000-0000-000000000000'::uuid)
    order by a.id limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/** What is wrong with batches of these numbers, both included. */
export async function listFaults(db: Db, from: number, until: number): Promise<AuditFault[]> {
  const { rows } = await sql<{ number: string; fault: AuditFault['fault']; rows: number }>`
    select number::text, fault, rows from audit_faults(${from}, ${until})`.execute(db)
  return rows.map((row) => ({ batch: Number(row.number), fault: row.fault, rows: row.rows }))
}

function headOf(row: {
  readonly number: bigint | string | number
  readonly hash: Buffer
  readonly sealed_at: Date
}): SealHead {
  return { number: Number(row.number), hash: row.hash.toString('hex'), sealedAt: row.sealed_at }
}
