import type { Db } from '#platform/db.ts'

export interface SavedAccount {
  /** Public id. */
  readonly id: string
  readonly fieldSet: string
  readonly label: string
  readonly fields: Readonly<Record<string, string>>
}

/** Newest first; of one kind of fields, or all of them. */
export async function listSavedAccounts(
  db: Db,
  accountId: string,
  fieldSet: string | null,
): Promise<SavedAccount[]> {
  const rows = await db
    .selectFrom('saved_account')
    .select(['public_id', 'field_set', 'label', 'fields'])
    .where('account_id', '=', accountId)
    .$if(fieldSet !== null, (query) => query.where('field_set', '=', fieldSet ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    fieldSet: row.field_set,
    label: row.label,
    fields: row.fields as Record<string, string>,
  }))
}

/** For the export of everything about a person. */
export async function exportSavedAccount(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('saved_account')
    .select(['field_set', 'label', 'fields', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}
