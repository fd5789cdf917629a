import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'

const DAY_MS = 86_400_000

/**
 * Holds somebody to so many acts of a kind within a day, as the trail tells them: the caller writes this one's line in the same transaction.
 * One at a time, so that the number holds however many they ask for at once. Throws 'too_many_requests' once the day's acts are used up, with
 * the seconds until the next.
 */
export async function holdToDay(
  tx: Tx,
  { actor, now }: Pick<Ctx, 'actor' | 'now'>,
  action: string,
  most: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${action} ${actor}`}, 0))`.execute(tx)
  const since = new Date(now().getTime() - DAY_MS)
  const { rows } = await sql<{ at: Date }>`
    select at from audit_log where actor = ${actor} and action = ${action} and at > ${since} order by at desc limit ${most}`.execute(
    tx,
  )
  const oldest = rows[most - 1]
  if (oldest)
    throw new AppError('too_many_requests', {
      seconds: Math.ceil((oldest.at.getTime() + DAY_MS - now().getTime()) / 1_000),
    })
}
