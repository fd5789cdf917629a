import type { Ctx, Tx } from '#platform/ctx.ts'
import { USE_KEPT_DAYS } from '../rules.ts'

const DAY_MS = 86_400_000

/** Part of erasing a person. That an order was looked at stays with it, as its books do. */
export async function eraseGate(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('age_proof').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('screening_check').where('account_id', '=', accountId).execute()
  await tx
    .deleteFrom('delivery_use')
    .where('order_id', 'in', ({ selectFrom }) =>
      selectFrom('shop_order').select('id').where('account_id', '=', accountId),
    )
    .execute()
}

/** Takes away what went to whom, once no limit looks back so far. */
export async function forgetUses(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - USE_KEPT_DAYS * DAY_MS)
  await ctx.db.deleteFrom('delivery_use').where('at', '<', before).execute()
}
