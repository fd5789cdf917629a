import type { Tx } from '#platform/ctx.ts'

/** Part of erasing a person. */
export async function eraseCart(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('cart_line').where('account_id', '=', accountId).execute()
}
