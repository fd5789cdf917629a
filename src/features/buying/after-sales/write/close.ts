import type { LockedOrder } from '#features/buying/order/queries.ts'
import { endActsAbout } from '#features/team/approval/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { countOpenCases } from '../queries.ts'
import type { ServiceCase } from '../rules.ts'

export async function closeCase(
  tx: Tx,
  ctx: Ctx,
  found: ServiceCase,
  status: 'accepted' | 'declined' | 'withdrawn',
  note: string,
): Promise<void> {
  await tx
    .updateTable('service_case')
    .set({ status, note, decided_by: ctx.actor, decided_at: ctx.now() })
    .where('id', '=', found.id)
    .execute()
  await tx
    .updateTable('service_case_unit')
    .set({ is_open: false })
    .where('case_id', '=', found.id)
    .execute()
  await endActsAbout(tx, ctx, 'case', found.publicId)
}

/** The hold goes with the last open case. */
export async function released(tx: Tx, order: LockedOrder): Promise<{ hold?: null }> {
  return order.hold === 'refund_requested' && (await countOpenCases(tx, order.id)) === 0
    ? { hold: null }
    : {}
}
