import { ratePolicySetting } from '#features/goods/currency/schema.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requireNoPriceLimit } from '#features/goods/price-limit/commands.ts'

/** Settings that all prices are made of. */
const OF_PRICES: ReadonlySet<string> = new Set([priceTermsSetting.key, ratePolicySetting.key])

/**
 * Throws 'forbidden' for settings that prices are made of and somebody who may move those only so far, or not at all: they change them where
 * it is counted, under Prices.
 */
export function requireFreePrices(ctx: OperatorCtx, keys: readonly string[]): void {
  if (keys.some((key) => OF_PRICES.has(key))) requireNoPriceLimit(ctx)
}
