import { tellOfAlone } from '#features/office/alert/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { tryFile } from '../read/file.ts'
import { requireFreePrices } from './prices.ts'
import { replaceRow, takeTurn } from './row.ts'

/**
 * Takes a file in: all of it, or nothing where anything is wrong. Throws 'changed_meanwhile' where the settings are not those that it was tried
 * against. @returns how many it changed
 */
export async function importSettings(
  ctx: OperatorCtx,
  { text, version, isTerminal }: { text: string; version: string | null; isTerminal: boolean },
): Promise<number> {
  requirePermission(ctx, 'shop.manage')
  return transaction(ctx, async (tx, now) => {
    await takeTurn(tx)
    const tried = await tryFile(tx, text, isTerminal)
    if (tried.faults.length > 0 || (version !== null && version !== tried.version))
      throw new AppError('changed_meanwhile')
    requireFreePrices(
      ctx,
      tried.changes.map(({ setting }) => setting.key),
    )
    for (const { setting, before, after } of tried.changes)
      await replaceRow(tx, ctx, now, { setting, path: setting.key, before, after })
    if (tried.changes.some(({ setting }) => setting.isTold)) await tellOfAlone(tx, ctx, now)
    return tried.changes.length
  })
}
