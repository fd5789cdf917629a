import type { Db } from '#platform/db.ts'

/** Money that went back for an order, oldest first. */
export async function listPaidBack(
  db: Db,
  orderId: string,
): Promise<
  {
    readonly amountMinor: bigint
    readonly currency: string
    readonly at: Date
    readonly destination: string
  }[]
> {
  const rows = await db
    .selectFrom('refund')
    .select(['amount_minor', 'currency', 'updated_at', 'destination'])
    .where('order_id', '=', orderId)
    .where('status', '=', 'succeeded')
    .orderBy('updated_at')
    .execute()
  return rows.map((row) => ({
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    at: row.updated_at,
    destination: row.destination,
  }))
}
