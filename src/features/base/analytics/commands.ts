import { createHash } from 'node:crypto'
import { sql } from 'kysely'
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

/** Adds pages shown today: a number alone. */
export async function addPages(
  ctx: Pick<Ctx, 'db' | 'now'>,
  pages: number,
  timeZone: string,
): Promise<void> {
  await ctx.db
    .insertInto('page_count')
    .values({ day: dayIn(timeZone, ctx.now()), pages: String(pages) })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet({ pages: sql`page_count.pages + excluded.pages` }),
    )
    .execute()
}
