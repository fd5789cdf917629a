import { changeUnits } from '#features/buying/order/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { listClaimedBy, lockHandUnit } from '../queries.ts'
import { noteStep } from './step.ts'

/**
 * Ends what somebody who is shut out had taken up. They may have delivered it already, as one whose time is over: it is in doubt until a
 * person says whether it was.
 */
export async function endClaimsOf(tx: Tx, ctx: Ctx, name: string): Promise<void> {
  const now = ctx.now()
  for (const publicId of await listClaimedBy(tx, name)) {
    const { order, unit } = await lockHandUnit(tx, publicId)
    if (unit.status !== 'delivering' || unit.claimedBy !== name) continue
    await changeUnits(tx, [unit.id], { status: 'in_doubt' })
    await noteStep(tx, ctx, now, { order, unit, to: 'in_doubt', reason: 'delivery_in_doubt' })
  }
}
