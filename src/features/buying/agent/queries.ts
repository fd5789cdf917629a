import type { Db } from '#platform/db.ts'
import type { Confirmation, ConfirmationLine } from './rules.ts'

/** What a program asked a person, while it may be answered; null for anybody else's, and once it has ended. */
export async function findConfirmation(
  db: Db,
  accountId: string,
  publicId: string,
  now: Date,
): Promise<Confirmation | null> {
  const row = await db
    .selectFrom('agent_confirmation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  return row
    ? {
        publicId: row.public_id,
        lines: row.lines as readonly ConfirmationLine[],
        currency: row.currency,
        amountMinor: BigInt(row.amount_minor),
        state: row.state,
        endsAt: row.ends_at,
      }
    : null
}

/** What programs asked a person, for the export of everything about them. */
export async function exportAgent(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('agent_confirmation')
    .select(['reference', 'lines', 'currency', 'amount_minor', 'state', 'created_at'])
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => ({ ...row }))
}
