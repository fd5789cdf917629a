import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { getOrderByNumber, lockOrderById } from '#features/buying/order/queries.ts'
import { refundInTurn, requestRefund } from '#features/buying/refund/commands.ts'
import { endActsAbout, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { listRefused, type RefusedOrder } from '../queries.ts'
import type { ScreeningRow } from '../rules.ts'

/** Notes that somebody has let a held order go on: it is not looked at again for those it is for. */
export async function noteReleased(
  ctx: OperatorCtx,
  orderNumber: string,
  note: string,
): Promise<void> {
  requirePermission(ctx, 'order.decide')
  await transaction(ctx, async (tx) => {
    const { id } = await getOrderByNumber(tx, orderNumber)
    await decide(tx, ctx, id, { decision: 'released', note, orderNumber })
  })
}

/**
 * Refuses a held order: what of it is not delivered goes back to where it was paid from, within the limits of refunds. Throws
 * 'not_found', 'order_closed' for one that the gate does not hold, and as `refundByOperator` does. @returns whether another person has to approve it
 */
export async function refuseByOperator(
  ctx: OperatorCtx,
  orderNumber: string,
  note: string,
): Promise<{ readonly needsApproval: boolean }> {
  const waits = await inTurn(ctx, (tx) => refuseInTurn(tx, ctx, orderNumber, note))
  return { needsApproval: waits !== null }
}

/** `refuseByOperator` as part of a call that is answered with it. @returns the act that waits for another person; null where the money goes back */
export async function refuseInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  orderNumber: string,
  note: string,
): Promise<Waits> {
  requirePermission(ctx, 'order.decide')
  const { id } = await getOrderByNumber(tx, orderNumber)
  const order = await lockOrderById(tx, id)
  if (order.hold !== 'risk') throw new AppError('order_closed')
  await decide(tx, ctx, id, { decision: 'refused', note, orderNumber })
  await endActsAbout(tx, ctx, 'hold_release', orderNumber)
  const rows = await tx
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', id)
    .where('status', 'in', ['queued', 'failed', 'needs_input'])
    .orderBy('id')
    .execute()
  if (rows.length === 0) return null
  const { waits } = await refundInTurn(tx, ctx, {
    orderNumber,
    units: rows.map((row) => row.public_id),
    destination: 'original',
    reason: 'refused',
  })
  return waits
}

async function decide(
  tx: Tx,
  ctx: OperatorCtx,
  orderId: string,
  said: {
    readonly decision: 'released' | 'refused'
    readonly note: string
    readonly orderNumber: string
  },
): Promise<void> {
  const now = ctx.now()
  const decided = await tx
    .updateTable('delivery_check')
    .set({
      decision: said.decision,
      decided_by: ctx.operator.name,
      decided_at: now,
      note: said.note,
    })
    .where('order_id', '=', orderId)
    .returning(['verdict', 'reasons'])
    .executeTakeFirst()
  if (!decided) throw new AppError('order_closed')
  await recordAudit(tx, ctx, now, [
    {
      action: `delivery_${said.decision}`,
      subject: 'shop_order',
      subjectCode: said.orderNumber,
      before: { verdict: decided.verdict, reasons: decided.reasons.join(', ') },
      after: { decision: said.decision, note: said.note },
    },
  ])
}

/**
 * Ends what was refused: by a rule, its price is asked back here; by a person, it was then. Held money never goes back by itself.
 * @returns for how many orders something was done
 */
export async function tendRefused(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  return sweep<RefusedOrder>(ctx, {
    what: 'an order that was refused',
    name: ({ orderId }) => orderId,
    signal,
    next: (last) => listRefused(ctx.db, last),
    work: async ({ orderId, unitIds, isByRule }) => {
      if (unitIds.length > 0 && !isByRule) return false
      if (unitIds.length > 0 && !(await giveBack(ctx, orderId, unitIds))) return false
      await transaction(ctx, async (tx) => {
        const order = await lockOrderById(tx, orderId)
        if (order.hold !== 'risk') return
        await changeOrder(tx, ctx, order, { hold: null }, { reason: 'delivery_refused' })
      })
      return true
    },
  })
}

/** False where somebody else decides about them at this moment. */
async function giveBack(ctx: Ctx, orderId: string, unitIds: readonly string[]): Promise<boolean> {
  try {
    await requestRefund(ctx, {
      orderId,
      unitIds,
      destination: 'original',
      reason: 'refused',
      requestedBy: 'system',
      approvedBy: 'system',
    })
    return true
  } catch (error) {
    if (isAppError(error) && error.code === 'order_closed') return false
    throw error
  }
}

/** Notes how old a shopper is at least, as an operator has seen. Throws 'not_found'. */
export async function proveAge(
  ctx: OperatorCtx,
  { uid, years, note }: { readonly uid: string; readonly years: number; readonly note: string },
): Promise<void> {
  requirePermission(ctx, 'order.decide')
  await transaction(ctx, async (tx, now) => {
    const account = await tx
      .selectFrom('account')
      .select('id')
      .where('uid', '=', uid)
      .where('status', '<>', 'erased')
      .executeTakeFirst()
    if (!account) throw new AppError('not_found')
    const proof = { years, proved_by: ctx.operator.name, proved_at: now }
    await tx
      .insertInto('age_proof')
      .values({ account_id: account.id, ...proof })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(proof))
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'age_proved',
        subject: 'account',
        subjectCode: uid,
        before: null,
        after: { years, note },
      },
    ])
  })
}

const ROWS_A_STATEMENT = 2_000

/** Puts a list in the place of what was imported under its name before. */
export async function importScreening(
  ctx: OperatorCtx,
  list: string,
  rows: readonly ScreeningRow[],
): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  await transaction(ctx, async (tx, now) => {
    const before = await clear(tx, list)
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
      await tx
        .insertInto('screening_entry')
        .values(
          rows.slice(start, start + ROWS_A_STATEMENT).map(({ reference, name, email }, index) => ({
            list,
            position: start + index,
            reference,
            name_key: name,
            email,
          })),
        )
        .execute()
    await auditList(tx, ctx, now, {
      action: 'screening_imported',
      list,
      before,
      after: rows.length,
    })
  })
}

/** Throws 'not_found' for a list that is none. */
export async function removeScreening(ctx: OperatorCtx, list: string): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  await transaction(ctx, async (tx, now) => {
    const before = await clear(tx, list)
    if (before === 0) throw new AppError('not_found')
    await auditList(tx, ctx, now, { action: 'screening_removed', list, before, after: 0 })
  })
}

async function clear(tx: Tx, list: string): Promise<number> {
  const gone = await tx.deleteFrom('screening_entry').where('list', '=', list).executeTakeFirst()
  return Number(gone.numDeletedRows)
}

async function auditList(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  change: {
    readonly action: string
    readonly list: string
    readonly before: number
    readonly after: number
  },
): Promise<void> {
  await recordAudit(tx, ctx, now, [
    {
      action: change.action,
      subject: 'screening_list',
      subjectCode: change.list,
      before: { entries: change.before },
      after: { entries: change.after },
    },
  ])
}
