import { auditAccount, lockAccount, notifyOwner } from '#features/people/account/commands.ts'
import { hasOtherWayIn } from '#features/people/factor/queries.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { OfferedService, ReportedIdentity } from './rules.ts'

export interface NewLink {
  readonly accountId: string
  readonly service: OfferedService
  readonly identity: ReportedIdentity
}

/**
 * Links an identity to an account, and tells its owner; linking it again changes nothing. Throws `identity_taken` when it is
 * linked to another account, `identity_failed` (`data: {reason: 'already_linked'}`) when another one of the same service is
 * linked to this account, `unauthorised` for an account that is not active.
 */
export async function linkIdentity(tx: Tx, ctx: Ctx, link: NewLink): Promise<void> {
  const { accountId, service } = link
  const account = await lockAccount(tx, accountId)
  if (!(await insertIdentity(tx, ctx, link))) return
  await notifyOwner(tx, ctx, account, 'identity_linked', { service: service.name })
  await postNotice(tx, ctx, {
    accountId,
    kind: 'identity_linked',
    params: { platform: service.name },
  })
  await auditAccount(tx, ctx, accountId, 'link', [service.platform])
}

/** True when it was not linked before. Throws as `linkIdentity` does, but for the account. */
export async function insertIdentity(
  tx: Tx,
  ctx: Ctx,
  { accountId, service, identity }: NewLink,
): Promise<boolean> {
  const made = await tx
    .insertInto('linked_identity')
    .values({
      id: ctx.newId(),
      account_id: accountId,
      platform: service.platform,
      issuer: identity.issuer,
      subject: identity.subject,
      display_name: identity.displayName,
      linked_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return true
  const holder = await tx
    .selectFrom('linked_identity')
    .select('account_id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  if (!holder) throw new AppError('identity_failed', {}, { data: { reason: 'already_linked' } })
  if (holder.account_id !== accountId) throw new AppError('identity_taken')
  return false
}

/**
 * Unlinks a service and tells the owner. Throws `not_found` when it is not linked, `last_way_in` when neither a password nor a
 * passkey nor another service would be left, `unauthorised` for an account that is not active.
 */
export async function unlinkIdentity(
  tx: Tx,
  ctx: Ctx,
  { accountId, service }: { readonly accountId: string; readonly service: OfferedService },
): Promise<void> {
  const account = await lockAccount(tx, accountId)
  const row = await tx
    .selectFrom('linked_identity')
    .select('id')
    .where('account_id', '=', accountId)
    .where('platform', '=', service.platform)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (!(await hasOtherWayIn(tx, accountId, { identity: row.id }))) throw new AppError('last_way_in')
  await tx.deleteFrom('linked_identity').where('id', '=', row.id).execute()
  await notifyOwner(tx, ctx, account, 'identity_unlinked', { service: service.name })
  await postNotice(tx, ctx, {
    accountId,
    kind: 'identity_unlinked',
    params: { platform: service.name },
  })
  await auditAccount(tx, ctx, accountId, 'unlink', [service.platform])
}

/** Unlinks everything, without a word: for an account that is being closed. */
export async function eraseIdentity(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('linked_identity').where('account_id', '=', accountId).execute()
}
