import { recordAudit } from '#features/base/audit/commands.ts'
import { PASSKEYS_MAX } from '#features/base/authenticator/rules.ts'
import { endSessions } from '#features/people/session/commands.ts'
import { AppError } from '#kernel/error.ts'
import { type Ctx, transaction } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { hasOtherWayIn } from '../queries.ts'
import { notifyOwner } from './owner.ts'
import type { FactorOwner } from './authenticator.ts'

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
export async function savePasskey(
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
    await notifyOwner(tx, ctx, accountId, 'factor_added', { factor: 'passkey', name: passkey.name })
  })
  return publicId
}

/** Notes that a passkey has signed. A counter that stands still or goes back tells of a copy and throws `passkey_failed`; zero for good means that the authenticator keeps none. */
export async function recordPasskeyUse(
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
    await notifyOwner(tx, ctx, accountId, 'factor_removed', { factor: 'passkey', name: row.name })
    await endSessions(tx, accountId, sessionId)
  })
}
