import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { LinkedIdentity, ReportedIdentity } from './rules.ts'

/** Services linked to an account, by the order they were linked in. */
export async function listIdentities(db: Db, accountId: string): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom('linked_identity')
    .select(['platform', 'display_name', 'linked_at'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .execute()
  return rows.map((row) => ({
    platform: row.platform,
    displayName: row.display_name,
    linkedAt: row.linked_at,
  }))
}

/** Id of the account that an identity is linked to; null when none is. An e-mail address never decides. */
export async function findByIdentity(
  db: Db | Tx,
  identity: Pick<ReportedIdentity, 'issuer' | 'subject'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('linked_identity')
    .select('account_id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  return row?.account_id ?? null
}

/** What the shop keeps about other services somebody signs in with. */
export async function exportIdentity(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('linked_identity')
    .select(['platform', 'issuer', 'subject', 'display_name', 'linked_at'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .execute()
  return rows.map((row) => ({ ...row, linked_at: row.linked_at.toISOString() }))
}
