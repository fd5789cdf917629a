import { endSessions } from '#features/people/session/commands.ts'
import { eraseVerification } from '#features/people/verification/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { AccountStatus } from '../rules.ts'

/** A shopper as operators' commands take hold of them. */
export interface LockedShopper {
  /** Of the row; what the audit names, and no page shows. */
  readonly id: string
  readonly publicId: string
  readonly status: AccountStatus
  readonly email: string
  readonly language: LanguageCode
  readonly level: number
}

/** The shopper of a public id, nobody else's to change until the transaction ends. Throws 'not_found' for nobody, and for who was erased. */
export async function lockShopper(tx: Tx, publicId: string): Promise<LockedShopper> {
  const row = await tx
    .selectFrom('account')
    .select(['id', 'status', 'email', 'language', 'role_id'])
    .where('user_id', '=', publicId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row || row.status === 'erased' || row.email === null) throw new AppError('not_found')
  const { id, status, email, language, role_id: level } = row
  return { id, publicId, status, email, language, level }
}

/** The same of one who may buy. Throws 'changed_meanwhile' for who is frozen or leaving. */
export async function lockActiveShopper(tx: Tx, publicId: string): Promise<LockedShopper> {
  const shopper = await lockShopper(tx, publicId)
  if (shopper.status !== 'active') throw new AppError('changed_meanwhile')
  return shopper
}

/**
 * Shuts an account: signed out everywhere, codes and links under way are worth nothing, and nobody signs in or calls with its keys until it is
 * released. What was paid is delivered all the same. Throws 'changed_meanwhile' unless it is active.
 */
export async function freezeAccount(
  tx: Tx,
  { now }: Pick<Ctx, 'now'>,
  shopper: LockedShopper,
): Promise<void> {
  if (shopper.status !== 'active') throw new AppError('changed_meanwhile')
  await tx
    .updateTable('account')
    .set({ status: 'frozen', frozen_at: now() })
    .where('id', '=', shopper.id)
    .execute()
  await endSessions(tx, shopper.id)
  await eraseVerification(tx, shopper.id)
}

/** Opens it again. Throws 'changed_meanwhile' unless it is frozen. */
export async function releaseAccount(tx: Tx, shopper: LockedShopper): Promise<void> {
  if (shopper.status !== 'frozen') throw new AppError('changed_meanwhile')
  await tx
    .updateTable('account')
    .set({ status: 'active', frozen_at: null })
    .where('id', '=', shopper.id)
    .execute()
}
