import type { Selectable } from 'kysely'
import { findBooked } from '#features/buying/payment/queries.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { StrayPaymentTable } from '#platform/tables.ts'

/** Money at a provider that belongs to no payment known here. */
export interface UnmatchedPayment {
  readonly id: string
  readonly publicId: string
  readonly provider: string
  readonly reference: string
  readonly ourReference: string
  readonly amount: Money
  readonly foundAt: Date
  readonly outcome: 'returned' | 'seen_to' | 'matched' | null
}

function unmatchedOf(row: Selectable<StrayPaymentTable>): UnmatchedPayment {
  return {
    id: row.id,
    publicId: row.public_id,
    provider: row.provider,
    reference: row.provider_reference,
    ourReference: row.our_reference,
    amount: { minor: BigInt(row.amount_minor), currency: row.currency },
    foundAt: row.found_at,
    outcome: row.outcome,
  }
}

/** Those that nobody has seen to, longest known first. */
export async function listUnmatched(db: Db, limit: number): Promise<UnmatchedPayment[]> {
  return (
    await db
      .selectFrom('stray_payment')
      .selectAll()
      .where('outcome', 'is', null)
      .orderBy('found_at')
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(unmatchedOf)
}

export async function countUnmatched(db: Db): Promise<number> {
  const row = await db
    .selectFrom('stray_payment')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Throws 'not_found'. */
export async function getUnmatched(db: Db | Tx, publicId: string): Promise<UnmatchedPayment> {
  const row = await db
    .selectFrom('stray_payment')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return unmatchedOf(row)
}

/** The same, locked: one person decides what becomes of it. Throws 'not_found'. */
export async function lockUnmatched(tx: Tx, publicId: string): Promise<UnmatchedPayment> {
  const row = await tx
    .selectFrom('stray_payment')
    .selectAll()
    .where('public_id', '=', publicId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return unmatchedOf(row)
}

/** Whether somebody has begun to give it back, which its payment service may have done by now. */
export async function isBeingReturned(tx: Tx, publicId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('operator_act')
    .select('id')
    .where('kind', '=', 'stray_return')
    .where('subject', '=', publicId)
    .where('status', 'in', ['given', 'approved'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Payments that may still bring money by themselves. */
export async function listOpenAttempts(
  db: Db,
): Promise<readonly { readonly id: string; readonly provider: string }[]> {
  return db
    .selectFrom('payment_attempt')
    .select(['id', 'provider'])
    .where('status', 'in', ['created', 'requires_action', 'seen', 'authorised'])
    .orderBy('id')
    .execute()
}

export interface KnownAttempt {
  readonly id: string
  readonly status: string
  readonly capturedMinor: bigint
  readonly reversedMinor: bigint
  /** Given back by hand at the provider, and booked. */
  readonly bookedMinor: bigint
  /** A bank disputes it. */
  readonly isDisputed: boolean
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The payment that a provider calls by a name of ours; null for one that is not known. */
export async function findAttempt(
  db: Db,
  provider: string,
  ourReference: string,
): Promise<KnownAttempt | null> {
  if (!ID.test(ourReference)) return null
  const row = await db
    .selectFrom('payment_attempt')
    .select(['id', 'status', 'captured_minor', 'reversed_minor', 'is_disputed'])
    .where('id', '=', ourReference)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row
    ? {
        id: row.id,
        status: row.status,
        capturedMinor: BigInt(row.captured_minor),
        reversedMinor: BigInt(row.reversed_minor),
        bookedMinor: await findBooked(db, row.id),
        isDisputed: row.is_disputed,
      }
    : null
}
