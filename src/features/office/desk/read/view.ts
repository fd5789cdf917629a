import type { Db } from '#platform/db.ts'
import { ORDER_COLUMNS, ORDERS, type OrderColumn } from '../rules.ts'

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

/** Which columns an operator wants to see of the list of orders; all of them where nothing was chosen. */
export async function listColumns(db: Db, operatorId: string): Promise<readonly OrderColumn[]> {
  const row = await db
    .selectFrom('list_columns')
    .select('columns')
    .where('operator_id', '=', operatorId)
    .where('list', '=', ORDERS)
    .executeTakeFirst()
  return row ? ORDER_COLUMNS.filter((column) => row.columns.includes(column)) : ORDER_COLUMNS
}
