import type { Db } from '#platform/db.ts'
import type { AddressInput } from './rules.ts'

export interface StoredAddress extends AddressInput {
  /** What it is called outside. */
  readonly id: string
  readonly is_default: boolean
}

/** Addresses of a person, the default one first, then in the order they were added. */
export async function listAddresses(db: Db, accountId: string): Promise<StoredAddress[]> {
  const rows = await db
    .selectFrom('billing_address')
    .select([
      'public_id as id',
      'country',
      'region',
      'first_name',
      'surname',
      'address',
      'postal_code',
      'is_default',
    ])
    .where('account_id', '=', accountId)
    .orderBy('is_default', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows
}

/** For the export of everything about a person. */
export async function exportAddress(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('billing_address')
    .select([
      'country',
      'region',
      'first_name',
      'surname',
      'address',
      'postal_code',
      'is_default',
      'created_at',
      'updated_at',
    ])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}
