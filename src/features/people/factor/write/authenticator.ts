import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { drawQr } from '#features/base/authenticator/engine/qr.ts'
import { invitationOf, SEED_BYTES, stepOf } from '#features/base/authenticator/engine/time-code.ts'
import { newRecoveryCode, readCode, RECOVERY_CODES } from '#features/base/authenticator/rules.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { endSessions } from '#features/people/session/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { type Ctx, transaction, type Tx } from '#platform/ctx.ts'
import { SEAL } from '../rules.ts'
import { notifyOwner } from './owner.ts'

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
    await notifyOwner(tx, ctx, accountId, 'factor_added', { factor: 'authenticator' })
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
    if (removed?.confirmed_at) await notifyRemoved(tx, ctx, accountId, sessionId)
  })
}

/** Turns codes off whose seed nobody can open any more; their owner is told, and signs in anew. */
export async function removeUnreadable(ctx: Ctx, accountId: string, sealed: Buffer): Promise<void> {
  await transaction(ctx, async (tx) => {
    const removed = await tx
      .deleteFrom('second_factor')
      .where('account_id', '=', accountId)
      .where('sealed_seed', '=', sealed)
      .returning('confirmed_at')
      .executeTakeFirst()
    if (removed?.confirmed_at) await notifyRemoved(tx, ctx, accountId)
  })
}

async function notifyRemoved(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  exceptSessionId?: string,
): Promise<void> {
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
  await notifyOwner(tx, ctx, accountId, 'factor_removed', { factor: 'authenticator' })
  await endSessions(tx, accountId, exceptSessionId)
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

export function recoveryHash(ctx: Pick<Ctx, 'keys'>, accountId: string, code: string): Buffer {
  return ctx.keys.mac('recovery code', `${accountId} ${code}`)
}
