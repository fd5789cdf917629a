import type { Ctx } from '#platform/ctx.ts'
import { SupplyUnavailable, type SupplyProvider } from '#providers/supply/provider.ts'
import { recordBalances } from './commands.ts'

/** Asks a supplier what it holds for the shop. @returns false where it could not be asked, which says nothing about the balance */
export async function askBalances(ctx: Ctx, provider: SupplyProvider): Promise<boolean> {
  try {
    const told = await provider.balances()
    await recordBalances(
      ctx,
      provider.code,
      told.map(({ available }) => available),
    )
    return true
  } catch (error) {
    if (!(error instanceof SupplyUnavailable)) throw error
    ctx.log.warn('a supplier did not tell its balance', { supplier: provider.code, error })
    return false
  }
}
