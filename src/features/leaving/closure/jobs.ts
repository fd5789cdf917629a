import type { Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { eraseAccount } from './commands.ts'
import { listDue } from './queries.ts'

/**
 * The job `erase_accounts`, once an hour: each account in a transaction of its own. One that fails keeps no other waiting; it is
 * tried again with the next run.
 */
export async function eraseDue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  let failed = 0
  await sweep<string>(ctx, {
    what: 'an account to be erased',
    name: (accountId) => accountId,
    signal,
    next: (last) => listDue(ctx, last),
    work: (accountId) => eraseAccount(ctx, accountId),
    putOff: async () => {
      failed += 1
    },
  })
  if (failed > 0) throw new Error(`${failed} accounts could not be erased`)
}
