import { getOrderByNumber, lockOrderById } from '#features/buying/order/queries.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { RefundDestination } from '../rules.ts'
import { listHeld, returnHeld } from './surplus.ts'

/**
 * An operator sends back what did not pay for its order. Throws 'not_found', and as `returnHeldMoney` does, which writes the audit.
 * @returns the act that waits for another person; null where the money goes back now
 */
export async function returnMoneyByOperator(ctx: OperatorCtx, orderNumber: string): Promise<Waits> {
  return inTurn(ctx, (tx) => returnMoneyInTurn(tx, ctx, orderNumber))
}

/** `returnMoneyByOperator` as part of a call that is answered with it. */
export async function returnMoneyInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  orderNumber: string,
  destination: RefundDestination = 'original',
): Promise<Waits> {
  requirePermission(ctx, 'order.decide')
  const { id, accountId } = await getOrderByNumber(tx, orderNumber)
  const { money, usdMinor, details } = await countHeldMoney(tx, id, destination)
  const waits = await askLeave(tx, ctx, {
    kind: 'held_money',
    subject: orderNumber,
    accountId,
    orderId: id,
    money,
    usdMinor,
    details,
  })
  if (waits === null) await returnHeld(tx, ctx, id, 'returned_by_operator', destination)
  return waits
}

/** What approving it does. Throws 'changed_meanwhile' where other money would go back than was asked for. */
export async function returnWaitingMoney(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { id } = await getOrderByNumber(tx, act.subject)
  const destination = act.details['to'] === 'store_credit' ? 'store_credit' : 'original'
  const { details } = await countHeldMoney(tx, id, destination)
  if (details.held !== act.details['held']) throw new AppError('changed_meanwhile')
  await returnHeld(tx, ctx, id, 'returned_by_operator', destination)
}

/** All that an order holds without being paid by it. Several currencies are told, and counted, in US dollars. Throws 'order_closed' for none. */
export async function countHeldMoney(tx: Tx, orderId: string, destination: RefundDestination) {
  const order = await lockOrderById(tx, orderId)
  if (destination === 'store_credit') await requireBuyer(tx, order.accountId)
  const held = await listHeld(tx, orderId, destination)
  if (order.settledAt !== null || held.length === 0) throw new AppError('order_closed')
  const [currency = US_DOLLAR.code, ...others] = new Set(held.map((each) => each.currency))
  let usdMinor: bigint | null = 0n
  for (const { amountMinor: minor, currency: of } of held) {
    const counted = await readUsdMinor(tx, { minor, currency: of })
    usdMinor = usdMinor === null || counted === null ? null : usdMinor + counted
  }
  const minor = held.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const text = held.map((each) => `${each.attemptId} ${each.amountMinor} ${each.currency}`)
  return {
    money:
      others.length === 0
        ? { minor, currency }
        : { minor: usdMinor ?? 0n, currency: US_DOLLAR.code },
    usdMinor,
    details: { held: text.join(', '), to: destination },
  }
}

/** Credit is somebody's. Throws 'order_closed' for a buyer who is gone, or going. */
async function requireBuyer(tx: Tx, accountId: string): Promise<void> {
  const buyer = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('status', 'in', ['active', 'frozen'])
    .executeTakeFirst()
  if (!buyer) throw new AppError('order_closed')
}
