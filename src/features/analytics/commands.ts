import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/ctx.ts'
import { dayIn } from './rules.ts'

/** Counts a visit once a day. Of its id only the hash is kept. */
export async function recordVisit(
  ctx: Pick<Ctx, 'db' | 'now'>,
  visitId: string,
  timeZone: string,
): Promise<void> {
  await ctx.db
    .insertInto('visit')
    .values({
      day: dayIn(timeZone, ctx.now()),
      visit_id_hash: createHash('sha256').update(visitId).digest(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
