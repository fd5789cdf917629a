import { sql } from 'kysely'
import { giveShareBack, takeShare, type TakeShareInput } from '#features/base/limit/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { siteOf, type Visitor } from '#platform/http/visitor.ts'
import {
  FORGOTTEN_MS,
  pauseAfter,
  triesOf,
  WRONG_IN_RAIN,
  WRONG_OF_ALL,
  WRONG_OF_NETWORK,
  WRONG_OF_SITE,
  type Guarded,
  type GuardedAccount,
  type TypedName,
} from './rules.ts'

function keyOf(ctx: Pick<Ctx, 'keys'>, guarded: Guarded): Buffer {
  return ctx.keys.mac('sign_in_guard', subjectOf(guarded))
}

function subjectOf(guarded: Guarded): string {
  if ('sessionId' in guarded) return `session ${guarded.sessionId}`
  if ('device' in guarded) return `account ${guarded.accountId} device ${guarded.device}`
  const name = `${guarded.typed.kind} ${guarded.typed.text}`
  return 'network' in guarded ? `network ${guarded.network} ${name}` : name
}

export interface CountedTry {
  /** If it is wrong, a pause begins with it. */
  readonly beginsPause: boolean
  /** It was right, or never judged: as if it had not been. */
  readonly forgive: () => Promise<void>
}

/**
 * Counts a try before it is judged, in a statement of its own, so that a hundred at once are no more than a hundred one after
 * another. Throws `too_many_requests` during a pause.
 */
export async function countTry(
  ctx: Pick<Ctx, 'db' | 'now' | 'keys'>,
  guarded: Guarded,
): Promise<CountedTry> {
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
    const pause = pauseAfter(failures, triesOf(guarded))
    // A name that never fails keeps no row; two first tries at once: the second comes round again.
    const { rows } = await sql`
      insert into sign_in_guard as guard (key, failures, failed_at, blocked_until)
      values (${key}, ${failures}, ${now}, ${pause === 0 ? null : new Date(now.getTime() + pause)})
      on conflict (key) do update set failures = excluded.failures, failed_at = excluded.failed_at, blocked_until = excluded.blocked_until
      where guard.failures = ${row?.failures ?? -1} and guard.failed_at = ${row?.failed_at ?? now}
      returning 1
    `.execute(ctx.db)
    if (rows.length === 1)
      return { beginsPause: pause > 0, forgive: () => forgiveTry(ctx, guarded) }
  }
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}

/** From one place a right try ends the counting; of the count from everywhere it takes itself back and nobody else's. */
async function forgiveTry(ctx: Pick<Ctx, 'db' | 'keys'>, guarded: Guarded): Promise<void> {
  const key = keyOf(ctx, guarded)
  if (!('typed' in guarded) || 'network' in guarded) {
    await ctx.db.deleteFrom('sign_in_guard').where('key', '=', key).execute()
    return
  }
  const last = await ctx.db
    .deleteFrom('sign_in_guard')
    .where('key', '=', key)
    .where('failures', '=', 1)
    .executeTakeFirst()
  if (last.numDeletedRows > 0n) return
  await sql`update sign_in_guard set failures = failures - 1, blocked_until = null where key = ${key} and failures > 1`.execute(
    ctx.db,
  )
}

/**
 * Counts a try at a name by a browser that its account does not know: by the name and the network together, by the name from
 * everywhere, and by the network whatever the name. What is refused counts nowhere, so that a paused guesser takes nothing from
 * those who share the network.
 */
export async function countStrangersTry(
  ctx: Ctx,
  typed: TypedName,
  { network }: Pick<Visitor, 'network'>,
): Promise<CountedTry> {
  const forgiving: (() => Promise<void>)[] = []
  const forgive = async () => {
    for (const each of forgiving.toReversed()) await each()
  }
  try {
    const take = async (share: TakeShareInput) => {
      const taken = await takeShare(ctx, share)
      if (taken.ok) forgiving.push(() => giveShareBack(ctx, share))
      return taken
    }
    const isRaining = !(await take({ ...WRONG_OF_ALL, key: '' })).ok
    for (const share of sharesOf(network, isRaining)) {
      const taken = await take(share)
      if (!taken.ok) throw new AppError('too_many_requests', { seconds: taken.seconds })
    }
    const tries: CountedTry[] = []
    for (const guarded of [{ typed, network }, { typed }]) {
      const counted = await countTry(ctx, guarded)
      tries.push(counted)
      forgiving.push(counted.forgive)
    }
    return { beginsPause: tries.some(({ beginsPause }) => beginsPause), forgive }
  } catch (error) {
    await forgive()
    throw error
  }
}

/** What a network may send of wrong tries; few where they come from everywhere. */
function sharesOf(network: string, isRaining: boolean): TakeShareInput[] {
  const site = siteOf(network)
  return [
    ...(isRaining ? [{ ...WRONG_IN_RAIN, key: site ?? network }] : []),
    ...(site === null ? [] : [{ ...WRONG_OF_SITE, key: site }]),
    { ...WRONG_OF_NETWORK, key: network },
  ]
}

/**
 * Lifts the pauses of an account under both its names, for browsers it does not know.
 * @param owner who has shown that the account is theirs, with the browser's name where the account knows it: what was wrong there
 *   was their own
 */
export async function liftPauses(
  tx: Tx,
  ctx: Pick<Ctx, 'keys'>,
  account: GuardedAccount & { readonly id: string },
  owner: { readonly network: string; readonly device: string | null } | null = null,
): Promise<void> {
  const names: TypedName[] = [
    { kind: 'email', text: account.email },
    { kind: 'user_name', text: account.userName.toLowerCase() },
  ]
  const keys = names.flatMap((typed) => [
    keyOf(ctx, { typed }),
    ...(owner === null ? [] : [keyOf(ctx, { typed, network: owner.network })]),
  ])
  if (owner !== null && owner.device !== null)
    keys.push(keyOf(ctx, { accountId: account.id, device: owner.device }))
  await tx.deleteFrom('sign_in_guard').where('key', 'in', keys).execute()
}

/** What counting would start anew on. */
export async function forgetOldTries({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await sql`delete from sign_in_guard where coalesce(blocked_until, failed_at) <= ${new Date(now().getTime() - FORGOTTEN_MS)}`.execute(
    db,
  )
}
