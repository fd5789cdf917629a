import { acceptInTurn } from '#features/buying/payment/commands.ts'
import {
  refundInTurn,
  repeatRefundIn,
  returnMoneyInTurn,
} from '#features/buying/refund/commands.ts'
import type { RefundDestination } from '#features/buying/refund/rules.ts'
import { replaceKeyInTurn } from '#features/buying/fulfilment/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { DeskAct, DeskAnswer } from '../rules.ts'
import { actOnce, type Desk } from './once.ts'

/** Gives an order, or units of it, back. Throws as `refundByOperator` and `actOnce` do. */
export function refundAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & {
    readonly units: readonly string[] | null
    readonly destination: RefundDestination
    readonly reason: string
  },
): Promise<DeskAnswer & { readonly refund: string }> {
  return actOnce(ctx, 'refund', { ...asked }, async (desk) => {
    const { units, destination, reason } = asked
    const orderNumber = desk.order.number
    const given = { orderNumber, units, destination, reason }
    const { publicId, waits } = await refundInTurn(desk.tx, desk.ctx, given)
    return { refund: publicId, waits }
  })
}

/** Sends back what did not pay for its order. Throws as `returnMoneyByOperator` and `actOnce` do. */
export function returnMoneyAtDesk(
  ctx: OperatorCtx,
  { destination = 'original', ...asked }: DeskAct & { readonly destination?: RefundDestination },
): Promise<DeskAnswer> {
  return actOnce(ctx, 'return_money', { ...asked, destination }, async (desk) => ({
    waits: await returnMoneyInTurn(desk.tx, desk.ctx, desk.order.number, destination),
  }))
}

/** Takes what came late, or too little, as an order's payment. Throws as `acceptInTurn` and `actOnce` do. */
export function acceptMoneyAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & { readonly surplusTo: RefundDestination },
): Promise<DeskAnswer> {
  return actOnce(ctx, 'accept_money', { ...asked }, async (desk) => ({
    waits: await acceptInTurn(desk.tx, desk.ctx, desk.order, asked.surplusTo),
  }))
}

/** Hands a refund out anew that its provider has refused. Throws as `repeatRefund` and `actOnce` do. */
export function repeatRefundAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & { readonly refund: string; readonly destination: RefundDestination },
): Promise<DeskAnswer & { readonly refund: string }> {
  return actOnce(ctx, 'repeat_refund', { ...asked }, async (desk) => {
    await requireOwn(desk, 'refund', asked.refund)
    const refund = await repeatRefundIn(desk.tx, desk.ctx, asked.refund, asked.destination)
    return { refund, waits: null }
  })
}

/** Gives another key for a faulty one. Throws as `replaceKeyInTurn` and `actOnce` do. */
export function replaceAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & { readonly unit: string; readonly reason: string },
): Promise<DeskAnswer> {
  return actOnce(ctx, 'replace', { ...asked }, async (desk) => {
    await requireOwn(desk, 'order_unit', asked.unit)
    return { waits: await replaceKeyInTurn(desk.tx, desk.ctx, asked.unit, asked.reason) }
  })
}

/** Throws 'not_found' for what is not the order's. */
export async function requireOwn(
  { tx, order }: Desk,
  table: 'order_unit' | 'refund',
  publicId: string,
): Promise<void> {
  const own = await tx
    .selectFrom(table)
    .select('id')
    .where('public_id', '=', publicId)
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  if (!own) throw new AppError('not_found')
}
