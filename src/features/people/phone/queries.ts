import type { Db } from '#platform/db.ts'

/** When codes were sent to the person's phone, for the export. The number itself stands with the account. */
export async function exportPhone(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('outgoing_sms')
    .select(['mobile', 'created_at', 'sent_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    mobile: row.mobile,
    asked_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  }))
}
