import { recordAudit } from '#features/base/audit/commands.ts'
import { stepOf } from '#features/base/authenticator/engine/time-code.ts'
import type { MadeCredential } from '#features/base/authenticator/engine/passkey.ts'
import {
  newRecoveryCode,
  PASSKEYS_MAX,
  readCode,
  RECOVERY_CODES,
} from '#features/base/authenticator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { SEAL, type Operator, type ShownFactor } from '../rules.ts'
import { hasFactor } from '../read/factor.ts'
import { actingAs } from './acting.ts'
import { endOperatorSessions } from './session.ts'

type OnlyCode = 'time' | 'any'

/**
 * Takes a code of the app (one step of 30 s off at most, each step once) or, where any will do, a recovery code (once). The statement
 * itself decides who was first. Throws `check_fields` with `code_wrong`.
 */
export async function takeOperatorCode(
  tx: Tx,
  ctx: Ctx,
  operatorId: string,
  code: string,
  only: OnlyCode,
): Promise<ShownFactor> {
  const typed = readCode(code)
  if (typed.kind === 'time' && (await takeTimeCode(tx, ctx, operatorId, typed.code))) return 'totp'
  if (
    only === 'any' &&
    typed.kind === 'recovery' &&
    (await takeRecoveryCode(tx, ctx, operatorId, typed.code))
  )
    return 'recovery'
  throw fieldError('code', 'code_wrong')
}

async function takeTimeCode(tx: Tx, ctx: Ctx, operatorId: string, code: string): Promise<boolean> {
  const row = await tx
    .selectFrom('operator_totp')
    .select('sealed_seed')
    .where('operator_id', '=', operatorId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const step = row ? stepOf(code, ctx.keys.open(SEAL, row.sealed_seed), ctx.now()) : null
  if (step === null) return false
  const taken = await tx
    .updateTable('operator_totp')
    .set({ last_step: step })
    .where('operator_id', '=', operatorId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

async function takeRecoveryCode(
  tx: Tx,
  ctx: Ctx,
  operatorId: string,
  code: string,
): Promise<boolean> {
  const taken = await tx
    .updateTable('operator_recovery_code')
    .set({ used_at: ctx.now() })
    .where('operator_id', '=', operatorId)
    .where('code_hash', '=', recoveryHash(ctx, operatorId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** Keeps a seed, which counts for nothing until a code of it has come back. Throws `changed_meanwhile` where an app is on already. */
export async function keepSeed(ctx: Ctx, operatorId: string, seed: Uint8Array): Promise<void> {
  const kept = await ctx.db
    .insertInto('operator_totp')
    .values({ operator_id: operatorId, sealed_seed: ctx.keys.seal(SEAL, seed) })
    .onConflict((conflict) =>
      conflict
        .column('operator_id')
        .doUpdateSet(({ ref }) => ({ sealed_seed: ref('excluded.sealed_seed'), last_step: 0 }))
        .where('operator_totp.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  if (kept.numInsertedOrUpdatedRows !== 1n) throw new AppError('changed_meanwhile')
}

/** Who gets a factor, and the session that goes on: every other one ends, as it may be somebody else's who knew less. */
export interface FactorHolder {
  readonly operator: Operator
  readonly sessionId?: string | undefined
}

/** Turns the app on with its first code. @returns recovery codes where the operator had none, to be shown this once */
export async function confirmSeed(
  tx: Tx,
  ctx: Ctx,
  holder: FactorHolder,
  code: string,
): Promise<readonly string[]> {
  const { id } = holder.operator
  const row = await tx
    .selectFrom('operator_totp')
    .select('sealed_seed')
    .where('operator_id', '=', id)
    .where('confirmed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('changed_meanwhile')
  const typed = readCode(code)
  const step =
    typed.kind === 'time'
      ? stepOf(typed.code, ctx.keys.open(SEAL, row.sealed_seed), ctx.now())
      : null
  if (step === null) throw fieldError('code', 'code_wrong')
  const isFirst = !(await hasFactor(tx, id))
  await tx
    .updateTable('operator_totp')
    .set({ confirmed_at: ctx.now(), last_step: step })
    .where('operator_id', '=', id)
    .execute()
  return noteAdded(tx, ctx, holder, 'totp', isFirst)
}

/** Keeps a verified passkey. Throws `passkey_limit`, and `passkey_failed` for one that somebody has already. */
export async function keepPasskey(
  tx: Tx,
  ctx: Ctx,
  holder: FactorHolder,
  passkey: MadeCredential & { readonly name: string },
): Promise<{ readonly id: string; readonly recoveryCodes: readonly string[] }> {
  const { id } = holder.operator
  await tx.selectFrom('operator').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('operator_passkey')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('operator_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= PASSKEYS_MAX) throw new AppError('passkey_limit', { max: PASSKEYS_MAX })
  const isFirst = !(await hasFactor(tx, id))
  const publicId = newPublicId(ctx)
  const inserted = await tx
    .insertInto('operator_passkey')
    .values({
      id: ctx.newId(),
      public_id: publicId,
      operator_id: id,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      is_backed_up: passkey.isBackedUp,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new AppError('passkey_failed')
  return { id: publicId, recoveryCodes: await noteAdded(tx, ctx, holder, 'passkey', isFirst) }
}

async function noteAdded(
  tx: Tx,
  ctx: Ctx,
  { operator, sessionId }: FactorHolder,
  factor: 'totp' | 'passkey',
  isFirst: boolean,
): Promise<readonly string[]> {
  await recordAudit(tx, actingAs(ctx, operator), ctx.now(), [
    {
      action: 'factor_added',
      subject: 'operator',
      subjectCode: operator.name,
      before: null,
      after: { factor },
    },
  ])
  await endOperatorSessions(tx, operator.id, sessionId)
  return isFirst ? writeRecoveryCodes(tx, ctx, operator.id) : []
}

/** Takes a factor away: a passkey by its public id, or the app. Throws 'not_found', and 'last_way_in' for the last one where one is required. */
export async function removeOperatorFactor(
  ctx: Ctx,
  holder: FactorHolder,
  which: { readonly passkey: string } | 'totp',
  isRequired: boolean,
): Promise<void> {
  const { operator, sessionId } = holder
  await transaction(ctx, async (tx, now) => {
    await tx
      .selectFrom('operator')
      .select('id')
      .where('id', '=', operator.id)
      .forNoKeyUpdate()
      .execute()
    const removed =
      which === 'totp'
        ? await tx
            .deleteFrom('operator_totp')
            .where('operator_id', '=', operator.id)
            .executeTakeFirst()
        : await tx
            .deleteFrom('operator_passkey')
            .where('operator_id', '=', operator.id)
            .where('public_id', '=', which.passkey)
            .executeTakeFirst()
    if (removed.numDeletedRows === 0n) throw new AppError('not_found')
    if (isRequired && !(await hasFactor(tx, operator.id))) throw new AppError('last_way_in')
    await recordAudit(tx, actingAs(ctx, operator), now, [
      {
        action: 'factor_removed',
        subject: 'operator',
        subjectCode: operator.name,
        before: { factor: which === 'totp' ? 'totp' : 'passkey' },
        after: null,
      },
    ])
    await endOperatorSessions(tx, operator.id, sessionId)
  })
}

/** Ten new recovery codes; the old ones, used or not, are worth nothing any more. Throws `changed_meanwhile` where there is no factor they stand in for. */
export function renewOperatorCodes(ctx: Ctx, operator: Operator): Promise<readonly string[]> {
  return transaction(ctx, async (tx, now) => {
    await tx
      .selectFrom('operator')
      .select('id')
      .where('id', '=', operator.id)
      .forNoKeyUpdate()
      .execute()
    if (!(await hasFactor(tx, operator.id))) throw new AppError('changed_meanwhile')
    await recordAudit(tx, actingAs(ctx, operator), now, [
      {
        action: 'renew_recovery',
        subject: 'operator',
        subjectCode: operator.name,
        before: null,
        after: null,
      },
    ])
    return writeRecoveryCodes(tx, ctx, operator.id)
  })
}

async function writeRecoveryCodes(
  tx: Tx,
  ctx: Ctx,
  operatorId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ctx))
  await tx.deleteFrom('operator_recovery_code').where('operator_id', '=', operatorId).execute()
  await tx
    .insertInto('operator_recovery_code')
    .values(
      codes.map((code) => ({
        operator_id: operatorId,
        code_hash: recoveryHash(ctx, operatorId, code.replace('-', '')),
      })),
    )
    .execute()
  return codes
}

function recoveryHash(ctx: Pick<Ctx, 'keys'>, operatorId: string, code: string): Buffer {
  return ctx.keys.mac('operator recovery code', `${operatorId} ${code}`)
}

/** Notes that a passkey has signed. A counter that stands still or goes back tells of a copy and throws `passkey_failed`; zero for good means that the authenticator keeps none. */
export async function noteOperatorPasskeyUse(
  tx: Tx,
  ctx: Ctx,
  id: string,
  { counter, isBackedUp }: { readonly counter: number; readonly isBackedUp: boolean },
): Promise<void> {
  const kept = await tx
    .updateTable('operator_passkey')
    .set({ counter, is_backed_up: isBackedUp, used_at: ctx.now() })
    .where('id', '=', id)
    .where(({ or, and, eb, val }) =>
      or([eb('counter', '<', String(counter)), and([eb('counter', '=', '0'), val(counter === 0)])]),
    )
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw new AppError('passkey_failed')
}

/** What an operator's passkeys answer with: made with the first one, and kept. */
export async function handleOfOperator(ctx: Ctx, operatorId: string): Promise<string> {
  await ctx.db
    .updateTable('operator')
    .set({ handle: newPublicId(ctx) })
    .where('id', '=', operatorId)
    .where('handle', 'is', null)
    .execute()
  const row = await ctx.db
    .selectFrom('operator')
    .select('handle')
    .where('id', '=', operatorId)
    .executeTakeFirst()
  if (!row?.handle) throw new AppError('not_found')
  return row.handle
}
