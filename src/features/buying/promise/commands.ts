import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { BrokenPromise, Look } from './queries.ts'

/** Notes what is broken, and says so where operators look, once. */
export async function noteBroken(ctx: Ctx, broken: readonly BrokenPromise[]): Promise<void> {
  if (broken.length === 0) return
  const now = ctx.now()
  const { rows } = await sql<BrokenPromise & { is_new: boolean }>`
    insert into broken_promise (invariant, subject, found_at, seen_at)
    select distinct on (invariant, subject) invariant, subject, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${broken.map(({ invariant }) => invariant)}::text[], ${broken.map(({ subject }) => subject)}::text[]) as found (invariant, subject)
    on conflict (invariant, subject) do update set seen_at = excluded.seen_at
    returning invariant, subject, found_at = seen_at as is_new`.execute(ctx.db)
  for (const { invariant, subject, is_new: isNew } of rows)
    if (isNew) ctx.log.error('a promise is broken', { invariant, subject })
}

/** A round through everything has not seen them broken: they are whole again. */
export async function forgetMended(ctx: Ctx, begunAt: Date): Promise<void> {
  await ctx.db.deleteFrom('broken_promise').where('seen_at', '<', begunAt).execute()
}

export async function recordLook(
  ctx: Ctx,
  name: 'changed' | 'everything',
  { position, endedAt }: Omit<Look, 'lookedAt'>,
): Promise<void> {
  const row = { position, looked_at: ctx.now(), ended_at: endedAt }
  await ctx.db
    .insertInto('promise_look')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}
