import type { Db } from '#platform/db.ts'

/** A shopper's cart, for the export of everything about them. */
export async function exportCart(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db.selectFrom('cart_line as c').innerJoin('item as i', 'i.id', 'c.item').select(['i.code', 'c.quantity', 'c.account_fields', 'c.created_at'])
    .where('c.account_id', '=', accountId).orderBy('c.created_at').orderBy('c.id').execute()
  return rows.map((row) => ({ item: row.code, quantity: row.quantity, account_fields: row.account_fields, added_at: row.created_at.toISOString() }))
}
