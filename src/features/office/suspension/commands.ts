import { endClaimsOf } from '#features/buying/fulfilment/commands.ts'
import { undoAct } from '#features/office/approval/commands.ts'
import { stopReset } from '#features/office/staff/commands.ts'
import { endActs, inTurn } from '#features/team/approval/commands.ts'
import { listAskedBy } from '#features/team/approval/queries.ts'
import {
  setStatusIn,
  withdrawInvitationsBy,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { listResetsBy } from '#features/team/operator/queries.ts'
import { requirePermission } from '#features/team/operator/rules.ts'

/**
 * Shuts somebody out at once: sessions, tokens and half sign-ins end, and with them every stream, as each call looks who is there; units
 * they had taken up are in doubt; what they asked for, whom they invited and whose factors they wanted reset ends. In their own turn, so
 * that nothing of theirs that is under way comes after it. Throws 'not_found', 'last_owner', and 'forbidden' for somebody who may do more.
 */
export async function suspendOperator(ctx: OperatorCtx, name: string): Promise<void> {
  requirePermission(ctx, 'staff.manage')
  const actor = `operator:${name}`
  await inTurn({ ...ctx, actor }, async (tx) => {
    if (!(await setStatusIn(tx, ctx, name, 'disabled'))) return
    const acts = await listAskedBy(tx, actor)
    for (const act of acts) await undoAct(tx, ctx, act)
    await endActs(tx, ctx, acts)
    await withdrawInvitationsBy(tx, ctx, actor)
    for (const other of [name, ...(await listResetsBy(tx, actor))]) await stopReset(tx, ctx, other)
    await endClaimsOf(tx, ctx, name)
  })
}
