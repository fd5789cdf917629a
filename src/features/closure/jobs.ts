import type { Ctx } from '#platform/ctx.ts'
import { eraseAccount } from './commands.ts'
import { listDue } from './queries.ts'

/**
 * The job `erase_accounts`, once an hour: each account in a transaction of its own. One that fails keeps no other waiting; it is
 * tried again with the next run.
 */
export async function eraseDue(ctx: Ctx): Promise<void> {
  let failed = 0
  for (const accountId of await listDue(ctx)) {
    try {
      await eraseAccount(ctx, accountId)
    } catch (error) {
      failed += 1
      ctx.log.error('account not erased', { accountId, error })
    }
  }
  if (failed > 0) throw new Error(`${failed} accounts could not be erased`)
}
