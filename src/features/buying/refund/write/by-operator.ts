import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { type Currency, isAboveLimit } from '#features/goods/currency/rules.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { limitOf, requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import {
  findReturnable,
  isRepeated,
  listUnitIds,
  lockRefund,
  readSecondPersonLimit,
  type Returnable,
} from '../queries.ts'
import type { Refund, RefundDestination } from '../rules.ts'
import { type AskedRefund, askForRefund, insertRefund, type NewRefund, SYSTEM } from './request.ts'
import { returnHeldMoney } from './surplus.ts'

export interface OperatorRefund {
  readonly orderNumber: string
  /** Public ids; null for all units that are left. */
  readonly units: readonly string[] | null
  readonly destination: RefundDestination
  readonly reason: string
}

export interface OperatorAsked extends AskedRefund {
  readonly currency: string
  readonly needsApproval: boolean
}

/**
 * An operator gives units back. Up to the shop's limit a rule approves it; what is more another person must. Throws 'not_found'
 * for an order or unit that is not there, and as `requestRefund` does.
 */
export async function refundByOperator(
  ctx: OperatorCtx,
  asked: OperatorRefund,
): Promise<OperatorAsked> {
  requirePermission(ctx, 'order.refund')
  const currencies = await listCurrencies(ctx.db)
  return transaction(ctx, async (tx, now) => {
    const order = await getOrderByNumber(tx, asked.orderNumber)
    const unitIds = asked.units && (await listUnitIds(tx, order.id, asked.units))
    if (unitIds && unitIds.length !== asked.units?.length) throw new AppError('not_found')
    const { refundId, publicId, amountMinor } = await askForRefund(tx, ctx, {
      orderId: order.id,
      unitIds,
      destination: asked.destination,
      reason: asked.reason,
      requestedBy: ctx.actor,
      approvedBy: null,
    })
    const amount = { minor: amountMinor, currency: order.currency }
    const needsApproval =
      isAboveLimit(amount, currencies, await readSecondPersonLimit(tx)) ||
      isAboveOwnLimit(ctx, amount, currencies)
    if (!needsApproval)
      await tx
        .updateTable('refund')
        .set({ approved_by: SYSTEM, check_at: now })
        .where('id', '=', refundId)
        .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_asked',
        subject: 'refund',
        subjectCode: publicId,
        before: null,
        after: {
          amount_minor: amountMinor.toString(),
          currency: order.currency,
          reason: asked.reason,
        },
      },
    ])
    return { refundId, publicId, amountMinor, currency: order.currency, needsApproval }
  })
}

/** Whether it is more than somebody of the operator's role may give back without another person. */
export function isAboveOwnLimit(
  { operator }: OperatorCtx,
  amount: { readonly minor: bigint; readonly currency: string },
  currencies: readonly Currency[],
): boolean {
  const limit = limitOf(operator, 'order.refund')
  return limit !== null && isAboveLimit(amount, currencies, limit)
}

/**
 * Another person than the one who asked approves a refund; said again it changes nothing. Throws 'not_found', 'forbidden' for
 * who asked for it, or whose role may not give back so much, 'order_closed' for one that is decided.
 */
export async function approveRefund(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'order.refund')
  const currencies = await listCurrencies(ctx.db)
  await transaction(ctx, async (tx, now) => {
    const id = await getRefundId(tx, publicId)
    await lockRefund(tx, id)
    const {
      status,
      requested_by: requestedBy,
      approved_by: approvedBy,
      amount_minor: minor,
      currency,
    } = await tx
      .selectFrom('refund')
      .select(['status', 'requested_by', 'approved_by', 'amount_minor', 'currency'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (approvedBy === ctx.actor) return
    if (status !== 'requested' || approvedBy !== null) throw new AppError('order_closed')
    if (requestedBy === ctx.actor) throw new AppError('forbidden')
    if (isAboveOwnLimit(ctx, { minor: BigInt(minor), currency }, currencies))
      throw new AppError('forbidden', { limit: 'order.refund', role: ctx.operator.role })
    await tx
      .updateTable('refund')
      .set({ approved_by: ctx.actor, check_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_approved',
        subject: 'refund',
        subjectCode: publicId,
        before: null,
        after: { approved_by: ctx.actor },
      },
    ])
  })
}

/**
 * Hands a refund that its provider has refused out anew, as another row: to where it was to go, or as store credit. Who asked and who
 * approved stay. Throws 'not_found', 'order_closed' for one that has not failed, was repeated already, or whose money is gone meanwhile.
 * @returns its public id
 */
export async function repeatRefund(
  ctx: OperatorCtx,
  publicId: string,
  destination: RefundDestination,
): Promise<string> {
  requirePermission(ctx, 'order.refund')
  return transaction(ctx, async (tx, now) => {
    const { order, refund } = await lockRefund(tx, await getRefundId(tx, publicId))
    const row = await tx
      .selectFrom('refund')
      .select(['reason', 'requested_by', 'approved_by'])
      .where('id', '=', refund.id)
      .executeTakeFirstOrThrow()
    const returnable = await getRepeatable(tx, refund)
    const { id: again, publicId: repeated } = await insertRefund(tx, ctx, {
      ...returnable,
      amountMinor: refund.amountMinor,
      orderId: order.id,
      feeMinor: refund.feeMinor,
      restMinor: refund.restMinor,
      destination,
      reason: row.reason,
      requestedBy: row.requested_by,
      approvedBy: row.approved_by,
    })
    await sql`insert into refund_unit (refund_id, unit_id) select ${again}, unit_id from refund_unit where refund_id = ${refund.id}`.execute(
      tx,
    )
    await recordAudit(tx, ctx, now, [
      {
        action: 'refund_repeated',
        subject: 'refund',
        subjectCode: repeated,
        before: { refund: publicId },
        after: {
          destination,
          amount_minor: refund.amountMinor.toString(),
          currency: refund.currency,
        },
      },
    ])
    await changeOrder(
      tx,
      ctx,
      order,
      {},
      { reason: 'refund_asked', details: { amount_minor: refund.amountMinor.toString() } },
    )
    return repeated
  })
}

async function getRefundId(tx: Tx, publicId: string): Promise<string> {
  const row = await tx
    .selectFrom('refund')
    .select('id')
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.id
}

/** The money of a refund that may be handed out anew. Throws 'order_closed' for one that may not. */
async function getRepeatable(
  tx: Tx,
  refund: Refund,
): Promise<Returnable & Pick<NewRefund, 'purpose'>> {
  const returnable = await findReturnable(tx, refund.orderId, refund.attemptId)
  if (
    refund.status !== 'failed' ||
    refund.purpose === 'reversal' ||
    (await isRepeated(tx, refund)) ||
    !returnable ||
    returnable.amountMinor < refund.amountMinor
  )
    throw new AppError('order_closed')
  return { ...returnable, purpose: refund.purpose }
}

/** An operator sends back what did not pay for its order. Throws 'not_found', and as `returnHeldMoney` does, which writes the audit. */
export async function returnMoneyByOperator(ctx: OperatorCtx, orderNumber: string): Promise<void> {
  requirePermission(ctx, 'order.decide')
  await returnHeldMoney(
    ctx,
    (await getOrderByNumber(ctx.db, orderNumber)).id,
    'returned_by_operator',
  )
}
