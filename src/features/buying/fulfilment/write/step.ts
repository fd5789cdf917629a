import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { LockedUnit } from '../queries.ts'

interface Step {
  readonly order: LockedOrder
  readonly unit: Pick<LockedUnit, 'publicId' | 'status' | 'line'>
  readonly to: string
  readonly reason: string
  readonly details?: Readonly<Record<string, string | number>>
  readonly isToTell?: boolean
}

/** What happened to a unit, in its order's history and the audit trail. */
export async function noteStep(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  { order, unit, to, reason, details = { line: unit.line }, isToTell = false }: Step,
): Promise<void> {
  await changeOrder(tx, ctx, order, {}, { reason, details, isToTell })
  await recordAudit(tx, ctx, now, [
    {
      action: reason,
      subject: 'order_unit',
      subjectCode: unit.publicId,
      before: { status: unit.status },
      after: { status: to },
    },
  ])
}
