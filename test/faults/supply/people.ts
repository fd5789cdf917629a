import { allowCost, settlePurchase } from '#features/supply/purchase/commands.ts'
import { listDoubts, listQueued } from '#features/supply/purchase/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { sealLines } from '#features/buying/vault/flows.ts'
import { testVault } from '../../support/buying.ts'
import { asOperator } from '../../support/operators.ts'

/**
 * Everything that waits for a person is decided as the supplier's report says. @param soldAs null: it was not sold
 * @returns how much that was
 */
export async function decideAll(
  ctx: Ctx,
  soldAs: (reference: string) => { readonly card: string | null } | null,
): Promise<number> {
  const operator = asOperator(ctx)
  let decided = 0
  for (;;) {
    const doubts = await listDoubts(ctx.db)
    const held = (await listQueued(ctx.db)).filter((queued) => queued.held !== null)
    if (doubts.length + held.length === 0) return decided
    for (const { reference } of doubts) {
      const sold = soldAs(reference)
      await settlePurchase(operator, reference, {
        outcome: sold ? 'delivered' : 'failed',
        proof: 'the report of the supplier',
        keys: sold?.card ? await sealed(ctx, reference, sold.card) : null,
      })
    }
    for (const { unit } of held) await allowCost(operator, unit)
    decided += doubts.length + held.length
  }
}

async function sealed(ctx: Ctx, reference: string, card: string) {
  const { id, item } = await ctx.db
    .selectFrom('purchase')
    .select(['id', 'item'])
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  const chunks = (async function* () {
    yield `${card}\n`
  })()
  return sealLines(ctx, testVault, { batchId: id, item, chunks })
}
