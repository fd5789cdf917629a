import type { Ctx } from '#platform/ctx.ts'
import { expireDue } from './commands.ts'

/** Orders whose time is over and that have no payment open. */
export async function expireOrders(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await expireDue(ctx, signal)
}
