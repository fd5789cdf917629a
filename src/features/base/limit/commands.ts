import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { gcraOf, type Allowance, type Share } from './rules.ts'

type LimitCtx = Pick<Ctx, 'db' | 'now' | 'keys' | 'isLimited'>

export interface TakeShareInput extends Allowance {
  /** What is limited: "reset_code". */
  readonly name: string
  /** Whose allowance it is: an account's id, an e-mail address, a network. Kept as a keyed hash only. */
  readonly key: string
}

/**
 * Takes one share of an allowance that holds across processes and restarts, or tells the seconds to wait. One short statement
 * of its own, outside any transaction of the caller: a share stays taken when the caller's work is rolled back. However many
 * callers come at once, exactly as many get through as the allowance holds.
 */
export async function takeShare(
  ctx: LimitCtx,
  { name, key, per, burst }: TakeShareInput,
): Promise<Share> {
  if (!ctx.isLimited) return { ok: true }
  const { share, slack } = gcraOf({ per, burst })
  const at = sql`${ctx.now()}::timestamptz`
  const sharesTime = sql`${share}::float8 * interval '1 microsecond'`
  const free = sql`${at} + ${slack}::float8 * interval '1 microsecond'`
  const { rows } = await sql<{ isTaken: boolean; seconds: number }>`
    insert into rate_limit as known (key, used_up_to) values (${ctx.keys.mac('limit', `${name}\0${key}`)}, ${at} + ${sharesTime})
    on conflict (key) do update set
      used_up_to = case when known.used_up_to <= ${free} then greatest(known.used_up_to, ${at}) + ${sharesTime} else known.used_up_to end
    returning old.used_up_to is distinct from new.used_up_to as "isTaken",
      ceil(extract(epoch from new.used_up_to - (${free})))::integer as seconds`.execute(ctx.db)
  const row = rows[0]
  return row === undefined || row.isTaken
    ? { ok: true }
    : { ok: false, seconds: Math.max(1, row.seconds) }
}

/** Gives a share back that was taken for nothing: what it was for turned out to need none. */
export async function giveShareBack(
  ctx: LimitCtx,
  { name, key, per, burst }: TakeShareInput,
): Promise<void> {
  if (!ctx.isLimited) return
  const { share } = gcraOf({ per, burst })
  await sql`update rate_limit set used_up_to = used_up_to - ${share}::float8 * interval '1 microsecond'
    where key = ${ctx.keys.mac('limit', `${name}\0${key}`)}`.execute(ctx.db)
}

/** Allowances that are whole again, which is what no row means too. */
export async function forgetWholeAllowances({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db.deleteFrom('rate_limit').where('used_up_to', '<=', now()).execute()
}

/** Changes that a person makes to their own account, each of which leaves a line in the audit trail, and most of them a mail. */
const ACCOUNT_CHANGES = { name: 'account change', per: 86_400, burst: 200 } as const

/** Throws 'too_many_requests' after 200 changes of a day. */
export async function takeAccountChange(ctx: LimitCtx, accountId: string): Promise<void> {
  const share = await takeShare(ctx, { ...ACCOUNT_CHANGES, key: accountId })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}
