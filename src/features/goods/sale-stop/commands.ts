import { recordAudit } from '#features/base/audit/commands.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import type { StopKind, Stoppable } from './rules.ts'

/**
 * Stops selling something at once: every web process hears of it, and each order and payment looks before it is begun. What is paid
 * already is delivered; where a supplier is stopped it waits. Throws 'not_found' for what the shop has not. @returns false where it was stopped already
 */
export async function stopSelling(
  ctx: OperatorCtx,
  { kind, code }: Stoppable,
  reason: string,
): Promise<boolean> {
  requireKind(ctx, kind)
  return transaction(ctx, async (tx, now) => {
    if (!(await isThere(tx, { kind, code }))) throw new AppError('not_found')
    const made = await tx
      .insertInto('sale_stop')
      .values({
        id: ctx.newId(),
        kind,
        code,
        reason,
        stopped_by: ctx.actor,
        stopped_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'code']).where('ended_at', 'is', null).doNothing(),
      )
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) return false
    await recordAudit(tx, ctx, now, [
      {
        action: 'stop_selling',
        subject: kind,
        subjectCode: code,
        before: { is_sold: true },
        after: { is_sold: false, reason },
      },
    ])
    return true
  })
}

/** Sells it again. @returns false where it was not stopped */
export async function startSelling(ctx: OperatorCtx, { kind, code }: Stoppable): Promise<boolean> {
  requireKind(ctx, kind)
  return transaction(ctx, async (tx, now) => {
    const ended = await tx
      .updateTable('sale_stop')
      .set({ ended_at: now, ended_by: ctx.actor })
      .where('kind', '=', kind)
      .where('code', '=', code)
      .where('ended_at', 'is', null)
      .returning(['reason', 'stopped_by'])
      .executeTakeFirst()
    if (!ended) return false
    await recordAudit(tx, ctx, now, [
      {
        action: 'start_selling',
        subject: kind,
        subjectCode: code,
        before: { is_sold: false, reason: ended.reason, stopped_by: ended.stopped_by },
        after: { is_sold: true },
      },
    ])
    return true
  })
}

/** Whoever may change a thing may stop selling it. */
function requireKind(ctx: OperatorCtx, kind: StopKind): void {
  switch (kind) {
    case 'shop':
      return requirePermission(ctx, 'shop.manage')
    case 'product':
    case 'shelf':
      return requirePermission(ctx, 'product.change')
    case 'supplier':
      return requirePermission(ctx, 'system.manage')
    case 'method':
      return requirePermission(ctx, 'payment.settings')
    default:
      return kind satisfies never
  }
}

async function isThere(tx: Tx, { kind, code }: Stoppable): Promise<boolean> {
  switch (kind) {
    case 'shop':
      return code === ''
    case 'method':
      return (await readSetting(tx, paymentMethodsSetting)).some((method) => method.code === code)
    case 'shelf':
    case 'product':
    case 'supplier': {
      const table = kind === 'shelf' ? 'item' : kind
      const found = await tx
        .selectFrom(table)
        .select('code')
        .where('code', '=', code)
        .executeTakeFirst()
      return found !== undefined
    }
    default:
      return kind satisfies never
  }
}
