import { z } from 'zod'
import { recordAudit } from '#features/base/audit/commands.ts'
import { countWaiting, holdPrices } from '#features/goods/price/commands.ts'
import { switchOffers } from '#features/supply/routing/commands.ts'
import { inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'

/** Whose deed the end of an offer is that waits (`details.path`). */
export const WITHDRAWAL_PATH = 'withdrawal'

const heldWithdrawal = z.object({ item: z.string(), supplier: z.string() })

/**
 * Ends buying an item at a supplier, and has syncs leave it so; what waits there goes to its next supplier, and is given back where there is
 * none. Its price is made of the next one's cost, so that it counts against its operator's limit of prices, and waits above it. Throws 'not_found' where it
 * is not bought there.
 */
export async function withdrawOffer(
  ctx: OperatorCtx,
  supplier: string,
  item: string,
): Promise<Waits> {
  requirePermission(ctx, 'price.change')
  const withdrawal = { item, supplier }
  const held = {
    touched: [item],
    subject: `withdraw ${item} ${supplier}`,
    details: { path: WITHDRAWAL_PATH, withdrawal },
  }
  return inTurn(ctx, (tx, now) =>
    holdPrices(tx, ctx, now, held, () => writeWithdrawal(tx, ctx, now, withdrawal)),
  )
}

/** What approving it does: it is counted as its approver's. Throws as `countWaiting` does. */
export async function doWaitingWithdrawal(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { withdrawal, moves: asked } = act.details
  const { data } = heldWithdrawal.safeParse(withdrawal)
  if (!data) throw new AppError('changed_meanwhile')
  const now = ctx.now()
  await countWaiting(tx, ctx, now, { touched: [data.item], asked }, () =>
    writeWithdrawal(tx, ctx, now, data),
  )
}

async function writeWithdrawal(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { item: code, supplier }: z.output<typeof heldWithdrawal>,
): Promise<void> {
  const item = await tx.selectFrom('item').select('id').where('code', '=', code).executeTakeFirst()
  if (!item || (await switchOffers(tx, now, supplier, [item.id], false)) === 0)
    throw new AppError('not_found')
  await tx
    .updateTable('supplier_product')
    .set({ status: 'excluded' })
    .where('supplier', '=', supplier)
    .where('item', '=', item.id)
    .where('status', 'in', ['mapped', 'draft'])
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'offer_withdrawn',
      subject: 'supplier',
      subjectCode: supplier,
      before: { is_on: true },
      after: { item: code, is_on: false },
    },
  ])
}
