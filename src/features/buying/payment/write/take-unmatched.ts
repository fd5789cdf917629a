import { post } from '#features/base/ledger/commands.ts'
import { atProvider, HELD } from '#features/base/ledger/rules.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'

/** Money at a payment service that no payment of the shop stood for. */
interface FoundMoney {
  /** The payment's own, by which its service knows it; else a new one. */
  readonly id: string
  readonly provider: string
  readonly reference: string
  readonly amountMinor: bigint
  /** Its service knows it by that id: it can be asked about. */
  readonly isOurs: boolean
  /** It pays for the order. */
  readonly isEnough: boolean
}

/**
 * Makes found money a payment of an order, in its currency: it is booked, and the order holds it. Throws 'order_closed' where a payment of
 * that name is known by now. @returns the order as it is now, and the payment
 */
export async function takeUnmatched(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  found: FoundMoney,
): Promise<{ readonly held: LockedOrder; readonly attemptId: string }> {
  const now = ctx.now()
  const { id, provider, amountMinor } = found
  const made = await tx
    .insertInto('payment_attempt')
    .values({
      id,
      public_id: newPublicId(ctx),
      order_id: order.id,
      provider,
      // Which of its ways it was is not known.
      method: provider,
      status: 'captured',
      currency: order.currency,
      amount_minor: order.totalMinor,
      fee_minor: order.feeMinor,
      provider_reference: found.reference,
      captured_minor: amountMinor,
      captured_currency: order.currency,
      captures: 1,
      // What happens to it while it is matched is told of a payment that is not known yet: it is asked about once more.
      check_at: found.isOurs ? now : null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) throw new AppError('order_closed')
  await post(tx, ctx, [
    {
      source: 'capture',
      sourceId: id,
      leg: 0,
      debit: atProvider(provider),
      credit: HELD,
      currency: order.currency,
      amountMinor,
      shownTo: order.accountId,
    },
  ])
  const held = await changeOrder(
    tx,
    ctx,
    order,
    {
      capturedMinor: order.capturedMinor + amountMinor,
      hold: order.hold ?? (found.isEnough ? 'late' : 'underpaid'),
      waivedAt: order.waivedAt ?? now,
    },
    found.isEnough ? { reason: 'money_matched' } : { reason: 'underpaid', isToTell: true },
  )
  return { held, attemptId: id }
}

/** A transfer that an unpaid order may be paid by though it was begun otherwise. Its money is late money of an attempt that has ended. */
export async function addTransfer(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  provider: string,
): Promise<void> {
  const now = ctx.now()
  const id = ctx.newId()
  await tx
    .insertInto('payment_attempt')
    .values({
      id,
      public_id: newPublicId(ctx),
      order_id: order.id,
      provider,
      method: provider,
      status: 'voided',
      currency: order.currency,
      amount_minor: order.totalMinor,
      fee_minor: order.feeMinor,
      provider_reference: id,
      created_at: now,
      updated_at: now,
    })
    .execute()
}
