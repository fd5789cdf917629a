import { allowCost, settlePurchase } from '#features/supply/purchase/commands.ts'
import { listDoubts, listQueued } from '#features/supply/purchase/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { asOperator } from '../../support/operators.ts'

/** Everything that waits for a person is decided as the supplier's report says. @returns how much that was */
export async function decideAll(ctx: Ctx, isSold: (reference: string) => boolean): Promise<number> {
  const operator = asOperator(ctx)
  let decided = 0
  for (;;) {
    const doubts = await listDoubts(ctx.db)
    const held = (await listQueued(ctx.db)).filter((queued) => queued.held !== null)
    if (doubts.length + held.length === 0) return decided
    for (const { reference } of doubts)
      await settlePurchase(operator, reference, {
        outcome: isSold(reference) ? 'delivered' : 'failed',
        proof: 'the report of the supplier',
      })
    for (const { unit } of held) await allowCost(operator, unit)
    decided += doubts.length + held.length
  }
}
