import { sql } from 'kysely'
import { stepOf } from '#features/base/authenticator/engine/time-code.ts'
import { readCode } from '#features/base/authenticator/rules.ts'
import { knownDevice } from '#features/people/device/commands.ts'
import { countTry, useUp } from '#features/people/verification/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { securityEvent } from '#platform/security-log.ts'
import { FAILURES_KEPT_MS, FREE_FAILURES, LONGEST_WAIT_MINUTES, SEAL } from '../rules.ts'
import { recoveryHash } from './authenticator.ts'

/**
 * The second half of signing in: the ticket that the password earned, and a code of the authenticator app (one step of 30 s off
 * at most, each step once) or a recovery code (once). The ticket is good for one sign-in and five tries; wrong codes are also
 * counted over all sign-ins of the account. Throws `ticket_expired`, `check_fields` with `code_wrong`, or `too_many_requests`.
 * @returns the account's id
 */
export async function finishSecondFactor(
  ctx: Ctx,
  {
    ticket,
    code,
    device: cookie,
  }: { readonly ticket: string; readonly code: string; readonly device?: string | undefined },
): Promise<string> {
  const row = await countTry(ctx, { purpose: 'second_factor', secret: ticket })
  if (!row?.accountId) throw new AppError('ticket_expired')
  const { id, accountId } = row
  const device = knownDevice(ctx, cookie, accountId)
  const key = failuresKey(ctx, accountId, device)
  const beginsPause = await countFailure(ctx, key)
  try {
    await transaction(ctx, async (tx) => {
      await takeCode(tx, ctx, accountId, code)
      if (!(await useUp(tx, ctx, id))) throw new AppError('ticket_expired')
    })
  } catch (error) {
    securityEvent(ctx.log, 'factor.refused', { account: accountId })
    if (beginsPause)
      securityEvent(ctx.log, 'sign_in.paused', { how: 'second factor', account: accountId })
    throw error
  }
  await forgetFailures(ctx, key)
  return accountId
}

/** The statement itself decides who was first: of many uses of one code at the same time one finds it unused. */
async function takeCode(tx: Tx, ctx: Ctx, accountId: string, code: string): Promise<void> {
  const typed = readCode(code)
  const isTaken =
    typed.kind === 'time'
      ? await takeTimeCode(tx, ctx, accountId, typed.code)
      : typed.kind === 'recovery' && (await takeRecoveryCode(tx, ctx, accountId, typed.code))
  if (!isTaken) throw fieldError('code', 'code_wrong')
}

async function takeTimeCode(tx: Tx, ctx: Ctx, accountId: string, code: string): Promise<boolean> {
  const row = await tx
    .selectFrom('second_factor')
    .select('sealed_seed')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const step = row ? stepOf(code, ctx.keys.open(SEAL, row.sealed_seed), ctx.now()) : null
  if (step === null) return false
  const taken = await tx
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

async function takeRecoveryCode(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  code: string,
): Promise<boolean> {
  const taken = await tx
    .updateTable('recovery_code')
    .set({ used_at: ctx.now() })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', recoveryHash(ctx, accountId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** Browsers that the account was signed in with before are counted on their own: who else knows the password cannot pause them. */
const failuresKey = (ctx: Pick<Ctx, 'keys'>, accountId: string, device: string | null) =>
  ctx.keys.mac('second-factor failures', device === null ? accountId : `${accountId} ${device}`)

/**
 * Counts a try as a failure before it is looked at, in a statement of its own, so that tries side by side all count; a right
 * code clears the count. A ticket has five tries, but who knows the password gets a new ticket each time: this bounds them all.
 * @returns whether a pause begins with it, if it is wrong
 */
async function countFailure(ctx: Ctx, key: Buffer): Promise<boolean> {
  const now = ctx.now()
  const forgotten = new Date(now.getTime() - FAILURES_KEPT_MS)
  const { rows } = await sql<{
    beginsPause: boolean
  }>`insert into sign_in_guard as guard (key, failures, failed_at) values (${key}, 1, ${now})
    on conflict (key) do update set failed_at = excluded.failed_at,
      failures = case when guard.failed_at < ${forgotten} then 1 else guard.failures + 1 end,
      blocked_until = case when guard.failed_at >= ${forgotten} and guard.failures + 1 >= ${FREE_FAILURES}::int
        then excluded.failed_at + least(power(2, least(guard.failures + 1 - ${FREE_FAILURES}::int, 20)), ${LONGEST_WAIT_MINUTES}::int) * interval '1 minute' end
      where guard.blocked_until is null or guard.blocked_until <= excluded.failed_at
    returning blocked_until is not null as "beginsPause"`.execute(ctx.db)
  if (rows[0]) return rows[0].beginsPause
  const blocked = await ctx.db
    .selectFrom('sign_in_guard')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst()
  const until = blocked?.blocked_until?.getTime() ?? now.getTime()
  throw new AppError('too_many_requests', {
    seconds: Math.max(1, Math.ceil((until - now.getTime()) / 1000)),
  })
}

async function forgetFailures(ctx: Ctx, key: Buffer): Promise<void> {
  await ctx.db.deleteFrom('sign_in_guard').where('key', '=', key).execute()
}
