import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { FORGOTTEN_MS, pauseAfter, type Guarded, type GuardedAccount } from './rules.ts'

function keyOf(ctx: Pick<Ctx, 'keys'>, guarded: Guarded): Buffer {
  return ctx.keys.mac(
    'sign_in_guard',
    'typed' in guarded
      ? `${guarded.typed.kind} ${guarded.typed.text}`
      : `account ${guarded.accountId}`,
  )
}

/**
 * Counts a try before it is judged, in a statement of its own, so that a hundred at once are no more than a hundred one after
 * another. Returns how many tries in a row were wrong if this one is too. Throws `too_many_requests` during a pause; a
 * right try is followed by `forgetTries`.
 */
export async function countTry(
  ctx: Pick<Ctx, 'db' | 'now' | 'keys'>,
  guarded: Guarded,
): Promise<number> {
  const key = keyOf(ctx, guarded)
  const now = ctx.now()
  for (;;) {
    const row = await ctx.db
      .selectFrom('sign_in_guard')
      .select(['failures', 'failed_at', 'blocked_until'])
      .where('key', '=', key)
      .executeTakeFirst()
    if (row?.blocked_until && row.blocked_until > now)
      throw new AppError('too_many_requests', { seconds: secondsUntil(row.blocked_until, now) })
    const isForgotten =
      row !== undefined &&
      now.getTime() - (row.blocked_until ?? row.failed_at).getTime() >= FORGOTTEN_MS
    const failures = isForgotten ? 1 : (row?.failures ?? 0) + 1
    const pause = pauseAfter(failures)
    // A name that never fails keeps no row; two first tries at once: the second comes round again.
    const { rows } = await sql`
      insert into sign_in_guard as guard (key, failures, failed_at, blocked_until)
      values (${key}, ${failures}, ${now}, ${pause === 0 ? null : new Date(now.getTime() + pause)})
      on conflict (key) do update set failures = excluded.failures, failed_at = excluded.failed_at, blocked_until = excluded.blocked_until
      where guard.failures = ${row?.failures ?? -1} and guard.failed_at = ${row?.failed_at ?? now}
      returning 1
    `.execute(ctx.db)
    if (rows.length === 1) return failures
  }
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}

/** A right one ends the counting. */
export async function forgetTries(
  tx: Tx | Ctx['db'],
  ctx: Pick<Ctx, 'keys'>,
  guarded: Guarded,
): Promise<void> {
  await tx.deleteFrom('sign_in_guard').where('key', '=', keyOf(ctx, guarded)).execute()
}

/** Lifts the pauses of an account under both its names. */
export async function liftPauses(
  tx: Tx,
  ctx: Pick<Ctx, 'keys'>,
  account: GuardedAccount,
): Promise<void> {
  const keys = [
    keyOf(ctx, { typed: { kind: 'email', text: account.email } }),
    keyOf(ctx, { typed: { kind: 'user_name', text: account.userName.toLowerCase() } }),
    keyOf(ctx, { accountId: account.id }),
  ]
  await tx.deleteFrom('sign_in_guard').where('key', 'in', keys).execute()
}

/** What counting would start anew on. */
export async function forgetOldTries({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await sql`delete from sign_in_guard where coalesce(blocked_until, failed_at) <= ${new Date(now().getTime() - FORGOTTEN_MS)}`.execute(
    db,
  )
}
