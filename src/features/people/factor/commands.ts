import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { knownDevice } from '#features/people/device/commands.ts'
import { postMail } from '#features/people/mail/commands.ts'
import type { MailParams } from '#features/people/mail/rules.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { endSessions } from '#features/people/session/commands.ts'
import { countTry, useUp } from '#features/people/verification/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'

import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { securityEvent } from '#platform/security-log.ts'
import { drawQr } from './engine/qr.ts'
import { invitationOf, SEED_BYTES, stepOf } from './engine/time-code.ts'
import { hasOtherWayIn } from './queries.ts'
import {
  FAILURES_KEPT_MS,
  FREE_FAILURES,
  LONGEST_WAIT_MINUTES,
  newRecoveryCode,
  PASSKEYS_MAX,
  readCode,
  RECOVERY_CODES,
} from './rules.ts'

const SEAL = 'second-factor'

/** How the person's authenticator app is told the seed. Shown once. */
export interface Invitation {
  /** otpauth://totp/… */
  readonly uri: string
  /** The seed to type: base32 in groups of four. */
  readonly seed: string
  /** The address as a QR code: SVG of its dark modules. */
  readonly qr: string
}

/**
 * Makes a seed, which counts for nothing until a code of it has come back; an earlier one that was never confirmed is
 * forgotten. Throws `changed_meanwhile` when codes are on already.
 */
export async function beginSecondFactor(
  ctx: Ctx,
  accountId: string,
  shopName: string,
): Promise<Invitation> {
  const seed = ctx.random(SEED_BYTES)
  const account = await ctx.db
    .selectFrom('account')
    .select('user_name')
    .where('id', '=', accountId)
    .executeTakeFirst()
  const { rows } =
    await sql`insert into second_factor (account_id, sealed_seed) values (${accountId}, ${ctx.keys.seal(SEAL, seed)})
    on conflict (account_id) do update set sealed_seed = excluded.sealed_seed, last_step = 0 where second_factor.confirmed_at is null
    returning account_id`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('changed_meanwhile')
  const invitation = invitationOf(seed, shopName, account?.user_name ?? '')
  return { ...invitation, qr: drawQr(invitation.uri) }
}

/** Whose factor it is, and the session that goes on: every other one ends, as it may be somebody else's who knew less. */
export interface FactorOwner {
  readonly accountId: string
  readonly sessionId: string
}

/** Turns codes on with the first one. @returns ten recovery codes, to be shown this once */
export async function confirmSecondFactor(
  ctx: Ctx,
  { accountId, sessionId }: FactorOwner,
  code: string,
): Promise<readonly string[]> {
  return transaction(ctx, async (tx) => {
    const row = await tx
      .selectFrom('second_factor')
      .select('sealed_seed')
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('changed_meanwhile')
    const typed = readCode(code)
    const step =
      typed.kind === 'time'
        ? stepOf(typed.code, ctx.keys.open(SEAL, row.sealed_seed), ctx.now())
        : null
    if (step === null) throw fieldError('confirm', 'code_wrong')
    await tx
      .updateTable('second_factor')
      .set({ confirmed_at: ctx.now(), last_step: step })
      .where('account_id', '=', accountId)
      .execute()
    await recordAudit(tx, ctx, ctx.now(), [
      {
        action: 'create',
        subject: 'second_factor',
        subjectCode: accountId,
        before: null,
        after: {},
      },
    ])
    await tellOwner(tx, ctx, accountId, 'factor_added', { factor: 'authenticator' })
    await endSessions(tx, accountId, sessionId)
    return writeRecoveryCodes(tx, ctx, accountId)
  })
}

/** Turns codes off, with their recovery codes. Of many at the same time one takes effect. */
export async function removeSecondFactor(
  ctx: Ctx,
  { accountId, sessionId }: FactorOwner,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const removed = await tx
      .deleteFrom('second_factor')
      .where('account_id', '=', accountId)
      .returning('confirmed_at')
      .executeTakeFirst()
    if (!removed?.confirmed_at) return
    await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
    await recordAudit(tx, ctx, ctx.now(), [
      {
        action: 'remove',
        subject: 'second_factor',
        subjectCode: accountId,
        before: {},
        after: null,
      },
    ])
    await tellOwner(tx, ctx, accountId, 'factor_removed', { factor: 'authenticator' })
    await endSessions(tx, accountId, sessionId)
  })
}

/** Ten new recovery codes; the old ones, used or not, are worth nothing any more. */
export async function renewRecoveryCodes(ctx: Ctx, accountId: string): Promise<readonly string[]> {
  return transaction(ctx, async (tx) => {
    const row = await tx
      .selectFrom('second_factor')
      .select('account_id')
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('changed_meanwhile')
    await postNotice(tx, ctx, {
      accountId,
      kind: 'factor_added',
      params: { factor: 'recovery_codes' },
    })
    await recordAudit(tx, ctx, ctx.now(), [
      {
        action: 'renew_recovery',
        subject: 'second_factor',
        subjectCode: accountId,
        before: null,
        after: null,
      },
    ])
    return writeRecoveryCodes(tx, ctx, accountId)
  })
}

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

export async function eraseFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('passkey').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
}

/** What was added or taken away: the passkey of that name, or the codes of an authenticator app. */
export type ToldFactor =
  | { readonly factor: 'authenticator' }
  | { readonly factor: 'passkey'; readonly name: string }

/** Tells the owner of an account, by mail and in the shop. */
export async function tellOwner(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  kind: 'factor_added' | 'factor_removed',
  told: ToldFactor,
): Promise<void> {
  await postNotice(tx, ctx, { accountId, kind, params: { factor: told.factor } })
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account?.email) return
  const params: MailParams = told.factor === 'passkey' ? told : { factor: 'totp' }
  await postMail(tx, ctx, {
    kind,
    accountId,
    recipient: account.email,
    language: account.language,
    params,
  })
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

async function writeRecoveryCodes(tx: Tx, ctx: Ctx, accountId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ctx))
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx
    .insertInto('recovery_code')
    .values(
      codes.map((code) => ({
        account_id: accountId,
        code_hash: recoveryHash(ctx, accountId, code.replace('-', '')),
      })),
    )
    .execute()
  return codes
}

function recoveryHash(ctx: Pick<Ctx, 'keys'>, accountId: string, code: string): Buffer {
  return ctx.keys.mac('recovery code', `${accountId} ${code}`)
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

/** Throws `passkey_limit` for one more than an account may have. */
export function assertRoom(passkeys: number): void {
  if (passkeys >= PASSKEYS_MAX) throw new AppError('passkey_limit', { max: PASSKEYS_MAX })
}

export interface NewPasskey {
  readonly name: string
  readonly credentialId: Buffer
  /** COSE. */
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: string[]
  readonly isBackedUp: boolean
}

/** Keeps a verified passkey. Throws `passkey_limit`, and `passkey_failed` for one that somebody has already. @returns its public id */
export async function keepPasskey(
  ctx: Ctx,
  accountId: string,
  passkey: NewPasskey,
): Promise<string> {
  const publicId = newPublicId(ctx)
  await transaction(ctx, async (tx) => {
    await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .execute()
    const { count } = await tx
      .selectFrom('passkey')
      .select((row) => row.fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    assertRoom(Number(count))
    const inserted = await tx
      .insertInto('passkey')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        account_id: accountId,
        name: passkey.name,
        created_at: ctx.now(),
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: passkey.transports,
        is_backed_up: passkey.isBackedUp,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new AppError('passkey_failed')
    await recordAudit(tx, ctx, ctx.now(), [
      { action: 'create', subject: 'passkey', subjectCode: publicId, before: null, after: {} },
    ])
    await tellOwner(tx, ctx, accountId, 'factor_added', { factor: 'passkey', name: passkey.name })
  })
  return publicId
}

/** Notes that a passkey has signed. A counter that stands still or goes back tells of a copy and throws `passkey_failed`; zero for good means that the authenticator keeps none. */
export async function noteUse(
  ctx: Ctx,
  id: string,
  { counter, isBackedUp }: { readonly counter: number; readonly isBackedUp: boolean },
): Promise<void> {
  const kept = await ctx.db
    .updateTable('passkey')
    .set({ counter, is_backed_up: isBackedUp, used_at: ctx.now() })
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row('counter', '<', String(counter)),
        row.and([row('counter', '=', '0'), row.val(counter === 0)]),
      ]),
    )
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw new AppError('passkey_failed')
}

export async function renamePasskey(
  ctx: Ctx,
  accountId: string,
  publicId: string,
  name: string,
): Promise<void> {
  const renamed = await ctx.db
    .updateTable('passkey')
    .set({ name })
    .where('public_id', '=', publicId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (renamed.numUpdatedRows === 0n) throw new AppError('not_found')
}

/** Throws `last_way_in` when the person could not sign in any more. */
export async function removePasskey(
  ctx: Ctx,
  { accountId, sessionId }: FactorOwner,
  publicId: string,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const row = await tx
      .selectFrom('passkey')
      .select(['id', 'name'])
      .where('public_id', '=', publicId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    if (!(await hasOtherWayIn(tx, accountId, { passkey: row.id })))
      throw new AppError('last_way_in')
    const removed = await tx.deleteFrom('passkey').where('id', '=', row.id).executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw new AppError('not_found')
    await recordAudit(tx, ctx, ctx.now(), [
      { action: 'remove', subject: 'passkey', subjectCode: publicId, before: {}, after: null },
    ])
    await tellOwner(tx, ctx, accountId, 'factor_removed', { factor: 'passkey', name: row.name })
    await endSessions(tx, accountId, sessionId)
  })
}
