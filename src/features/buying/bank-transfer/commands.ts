import { recordAudit } from '#features/base/audit/commands.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  ANY_AMOUNT,
  ProviderRefusal,
  type PaymentProvider,
  type ProviderPayment,
  type RefundRequest,
} from '#providers/payment/provider.ts'
import { findTransfer, findTransferOfOrder, isReturned, listTransfers } from './queries.ts'

const LIVES_MINUTES = 72 * 60

/**
 * Transfers to the shop's bank account as a provider of payments: what has arrived is what an operator has read from the account's
 * statement, and a refund is done when they have sent it.
 */
export function bankTransfers(ctx: Ctx): PaymentProvider {
  const stateOf = async (
    reference: string,
    isEnded: boolean,
    redirectUrl: string | null,
  ): Promise<ProviderPayment> => {
    const transfer = isUuid(reference) ? await findTransfer(ctx.db, reference) : null
    if (!transfer) throw new ProviderRefusal('not_found')
    const { received, isOpen } = transfer
    return {
      reference,
      ourReference: reference,
      status: received ? 'captured' : isOpen && !isEnded ? 'requires_action' : 'voided',
      captured: received,
      isDisputed: false,
      reversed: null,
      redirectUrl,
      failure: null,
    }
  }
  const findRefund = async ({ ourReference }: Pick<RefundRequest, 'ourReference'>) => ({
    reference: ourReference,
    status: (await isReturned(ctx.db, ourReference))
      ? ('succeeded' as const)
      : ('pending' as const),
    failure: null,
  })
  return {
    code: BANK_TRANSFER,
    isOwn: true,
    livesMinutes: LIVES_MINUTES,
    limits: () => ANY_AMOUNT,
    create: ({ ourReference, returnUrl }) => stateOf(ourReference, false, returnUrl),
    fetch: (reference) => stateOf(reference, false, null),
    // Nobody can keep a payer from sending money: it is taken up, or sent back, when it comes.
    cancel: (reference) => stateOf(reference, true, null),
    refund: findRefund,
    findRefund,
    readNotice: async () => {
      throw new ProviderRefusal('it sends no notices')
    },
    async *list({ since, until }) {
      for (const id of await listTransfers(ctx.db, since, until)) yield stateOf(id, false, null)
    },
  }
}

export interface Receipt {
  readonly orderNumber: string
  readonly money: Money
  /** What names the line of the statement: entered twice it counts once. */
  readonly reference: string
}

/**
 * Notes money on the shop's account that an order's transfer brought. What it pays is decided by asking about the payment.
 * Throws 'not_found' where the order has no transfer, 'conflict' where the line was entered with other words, or money of another
 * currency came before. @returns the attempt; `isNew` false for a line that was entered before
 */
export async function recordReceipt(
  ctx: OperatorCtx,
  { orderNumber, money, reference }: Receipt,
): Promise<{ readonly attemptId: string; readonly isNew: boolean }> {
  requirePermission(ctx, 'payment.note')
  return transaction(ctx, async (tx, now) => {
    const transfer = await findTransferOfOrder(tx, orderNumber)
    if (!transfer) throw new AppError('not_found')
    const { attemptId, received } = transfer
    const known = await tx
      .selectFrom('bank_receipt')
      .select(['attempt_id', 'amount_minor', 'currency'])
      .where('reference', '=', reference)
      .executeTakeFirst()
    if (known) {
      if (
        known.attempt_id !== attemptId ||
        BigInt(known.amount_minor) !== money.minor ||
        known.currency !== money.currency
      )
        throw new AppError('conflict')
      return { attemptId, isNew: false }
    }
    if (received && received.currency !== money.currency) throw new AppError('conflict')
    await tx
      .insertInto('bank_receipt')
      .values({
        id: ctx.newId(),
        attempt_id: attemptId,
        reference,
        currency: money.currency,
        amount_minor: money.minor,
        recorded_at: now,
        recorded_by: ctx.actor,
      })
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'create',
        subject: 'bank_receipt',
        subjectCode: reference,
        before: null,
        after: {
          order: orderNumber,
          amount_minor: money.minor.toString(),
          currency: money.currency,
        },
      },
    ])
    return { attemptId, isNew: true }
  })
}

/**
 * Notes that an operator has sent a refund's money back. Throws 'not_found' where none of that name waits for it.
 * @returns the refund's id
 */
export async function recordReturn(ctx: OperatorCtx, publicId: string): Promise<string> {
  requirePermission(ctx, 'payment.note')
  return transaction(ctx, async (tx, now) => {
    const refund = await tx
      .selectFrom('refund')
      .select('id')
      .where('public_id', '=', publicId)
      .where('provider', '=', BANK_TRANSFER)
      .where('destination', '=', 'original')
      .where('status', 'in', ['submitted', 'unknown', 'succeeded'])
      .executeTakeFirst()
    if (!refund) throw new AppError('not_found')
    const noted = await tx
      .insertInto('bank_return')
      .values({ refund_id: refund.id, recorded_at: now, recorded_by: ctx.actor })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (noted.numInsertedOrUpdatedRows === 1n)
      await recordAudit(tx, ctx, now, [
        {
          action: 'create',
          subject: 'bank_return',
          subjectCode: publicId,
          before: null,
          after: {},
        },
      ])
    return refund.id
  })
}
