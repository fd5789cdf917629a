import { takePriceEffect } from '#features/goods/price-limit/commands.ts'
import { tryTrial } from '#features/goods/price/engine/trial.ts'
import { lockPrices, readWorld } from '#features/goods/price/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { priceLimitOf } from '#features/team/operator/rules.ts'
import type { Tx } from '#platform/ctx.ts'

/**
 * Has what somebody says of where an item is bought, and for how much, count as theirs: margin rules make its prices of it. What suppliers list
 * themselves is nobody's. Throws 'forbidden' where it moves a price further than its operator may, which undoes `work`.
 * @param item a code
 */
export async function countCosts(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  item: string,
  work: () => Promise<void>,
): Promise<void> {
  if (priceLimitOf(ctx.operator) === null) return work()
  await lockPrices(tx)
  const { pricing, currencies, items } = await readWorld(tx, item)
  await work()
  const changed = new Map((await readWorld(tx, item)).items.map((after) => [after.id, after]))
  const trial = { before: pricing, after: pricing, items, changed, currencies, level: 0, sold: [] }
  const { moved } = await tryTrial(trial, true)
  await takePriceEffect(tx, ctx, now, moved)
}
