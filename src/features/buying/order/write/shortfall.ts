import type { Tx } from '#platform/ctx.ts'

/** Notes of a locked order what of its price the shop bears itself: it may be settled with so much less. */
export async function bearShortfall(tx: Tx, orderId: string, minor: bigint): Promise<void> {
  await tx
    .updateTable('shop_order')
    .set({ shortfall_minor: minor })
    .where('id', '=', orderId)
    .execute()
}
