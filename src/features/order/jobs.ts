import type { Ctx } from '#platform/ctx.ts'
import { expireDue } from './commands.ts'
import { countViolations } from './queries.ts'

/** Every minute: orders whose time is over and that have no payment open. */
export async function expireOrders(ctx: Ctx): Promise<void> {
  await expireDue(ctx)
}

/** Every hour: looks for promises broken, and says so where operators look. */
export async function checkPromises(ctx: Ctx): Promise<void> {
  for (const { invariant, count } of await countViolations(ctx.db))
    ctx.log.error('a promise is broken', { invariant, count })
}
