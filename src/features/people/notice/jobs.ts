import type { Ctx } from '#platform/ctx.ts'
import { forgetOldNotices } from './commands.ts'

/** Daily. */
export async function cleanNotices(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await forgetOldNotices(ctx)
}
