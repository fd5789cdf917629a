import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { ReturnOutcome, Suppliers } from '#providers/supply/provider.ts'
import { findSupplierOf } from '../queries.ts'
import { askReturn, recordReturn } from '../write/return.ts'

/**
 * Gives the cards of a purchase back to their supplier, where it takes them: noted first, then asked, then booked. Said again it is asked
 * again, as long as nobody knows. Throws as `askReturn` does, and 'check_fields' where the supplier takes nothing back.
 */
export async function returnCards(
  ctx: OperatorCtx,
  suppliers: Suppliers,
  reference: string,
): Promise<ReturnOutcome> {
  requirePermission(ctx, 'order.decide')
  const supplier = await findSupplierOf(ctx.db, reference)
  if (supplier === null) throw new AppError('not_found')
  const give = suppliers.get(supplier)?.returnCards
  if (!give) throw fieldError('purchase', 'not_allowed')
  const purchase = await askReturn(ctx, reference)
  const outcome = await give({ purchase: purchase.told, supplierId: purchase.supplierId })
  await recordReturn(ctx, purchase, outcome)
  return outcome
}
