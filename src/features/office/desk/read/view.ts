import type { Db } from '#platform/db.ts'

/** A list of orders as an operator has named it. */
interface OrderListView {
  readonly id: string
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
}

export async function listViews(db: Db, operatorId: string): Promise<readonly OrderListView[]> {
  const rows = await db
    .selectFrom('order_view')
    .select(['public_id', 'name', 'filters'])
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    filters: row.filters as Readonly<Record<string, string>>,
  }))
}
