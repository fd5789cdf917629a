import { getOrderByNumber, lockOrderById } from '#features/buying/order/queries.ts'
import { addTransfer } from '#features/buying/payment/commands.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { findTransferOfOrder } from '../queries.ts'

/**
 * Payers send money by transfer for orders that they had begun to pay otherwise: such an order gets a transfer, which the line's money is
 * noted for. Throws 'not_found' for one that is paid, that nobody has begun to pay, or of another currency.
 */
export async function expectTransfer(
  tx: Tx,
  ctx: Ctx,
  { orderNumber, money }: { readonly orderNumber: string; readonly money: Money },
): Promise<void> {
  if (await findTransferOfOrder(tx, orderNumber)) return
  const order = await lockOrderById(tx, (await getOrderByNumber(tx, orderNumber)).id)
  if (await findTransferOfOrder(tx, orderNumber)) return
  if (order.waivedAt === null || order.settledAt !== null || order.currency !== money.currency)
    throw new AppError('not_found')
  await addTransfer(tx, ctx, order, BANK_TRANSFER)
}
