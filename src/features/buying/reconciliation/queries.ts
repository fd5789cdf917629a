import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** The last: comparing has failed time and again, so that nothing is known. */
export type DifferenceKind = 'refunded_elsewhere' | 'captured_less' | 'not_comparable'

export interface PaymentDifference {
  readonly publicId: string
  readonly kind: DifferenceKind
  readonly orderNumber: string
  readonly provider: string
  /** The provider's name for the payment. */
  readonly reference: string | null
  readonly currency: string
  readonly toldMinor: bigint
  readonly knownMinor: bigint
  readonly foundAt: Date
}

/** What nobody has seen to, longest known first. */
export async function listDifferences(db: Db, limit: number): Promise<PaymentDifference[]> {
  const rows = await db
    .selectFrom('payment_difference as d')
    .innerJoin('payment_attempt as p', 'p.id', 'd.attempt_id')
    .innerJoin('shop_order as o', 'o.id', 'p.order_id')
    .select(['d.public_id', 'd.kind', 'd.currency', 'd.told_minor', 'd.known_minor', 'd.found_at'])
    .select(['o.number', 'p.provider', 'p.provider_reference'])
    .where('d.outcome', 'is', null)
    .orderBy('d.found_at')
    .orderBy('d.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    publicId: row.public_id,
    kind: row.kind,
    orderNumber: row.number,
    provider: row.provider,
    reference: row.provider_reference,
    currency: row.currency,
    toldMinor: BigInt(row.told_minor),
    knownMinor: BigInt(row.known_minor),
    foundAt: row.found_at,
  }))
}

export async function countDifferences(db: Db): Promise<number> {
  const row = await db
    .selectFrom('payment_difference')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Until when everything a provider has told of is compared; null before the first time. */
export async function findReached(db: Db, provider: string): Promise<Date | null> {
  const row = await db
    .selectFrom('reconciliation')
    .select('reached_at')
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row?.reached_at ?? null
}

/** What of a payment went back by refunds of the shop: sent out, or about to be. */
export async function getSentBack(tx: Tx, attemptId: string): Promise<bigint> {
  const { rows } = await sql<{ minor: string }>`
    select coalesce(sum(amount_minor), 0)::text as minor from refund
    where attempt_id = ${attemptId} and destination = 'original' and purpose <> 'reversal' and status in ('approved', 'submitted', 'unknown', 'succeeded')`.execute(
    tx,
  )
  return BigInt(rows[0]?.minor ?? 0)
}

/**
 * Payments of a provider that a bank disputes, as far as is known here: how that ends is asked. Longest asked about first, and
 * after all others those for which asking has failed: however many they are, they keep nobody waiting.
 */
export async function listDisputed(
  db: Db,
  provider: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('payment_attempt as p')
    .leftJoin('reconciliation_failure as f', (join) =>
      join.onRef('f.provider', '=', 'p.provider').onRef('f.reference', '=', 'p.provider_reference'),
    )
    .select('p.provider_reference as reference')
    .where('p.is_disputed', '=', true)
    .where('p.provider', '=', provider)
    .where('p.provider_reference', 'is not', null)
    .orderBy(({ fn }) => fn.coalesce('f.tries', sql<number>`0`))
    .orderBy('p.updated_at')
    .orderBy('p.id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ reference }) => reference ?? [])
}

/** How often in a row comparing payments of a provider has failed, by its names for them. */
export async function listFailing(db: Db, provider: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('reconciliation_failure')
    .select(['reference', 'tries'])
    .where('provider', '=', provider)
    .execute()
  return new Map(rows.map(({ reference, tries }) => [reference, tries]))
}

/** Our name for a payment that a provider knows by a name of its own. */
export async function findByReference(
  tx: Tx,
  provider: string,
  reference: string,
): Promise<string | null> {
  const row = await tx
    .selectFrom('payment_attempt')
    .select('id')
    .where('provider', '=', provider)
    .where('provider_reference', '=', reference)
    .executeTakeFirst()
  return row?.id ?? null
}
