import type { Selectable } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { OperatorInvitationTable } from '#platform/tables.ts'
import { newPublicId } from '#platform/secrets.ts'
import { findRole } from '../read/role.ts'
import { INVITATION_MS, isOperatorName, requireAsMighty, requirePermission } from '../rules.ts'
import type { OperatorCtx } from './acting.ts'

export interface NewInvitation {
  /** What the account will be called for ever. */
  readonly name: string
  readonly displayName: string | null
  readonly email: string
  readonly role: string
  readonly language: LanguageCode
}

/** An invitation that is not over. */
export interface OpenInvitation extends NewInvitation {
  readonly id: string
  readonly publicId: string
  readonly invitedBy: string
}

const COLUMNS = [
  'id',
  'public_id',
  'name',
  'display_name',
  'email',
  'role',
  'language',
  'invited_by',
] as const

type Row = Pick<Selectable<OperatorInvitationTable>, (typeof COLUMNS)[number]>

const opened = (row: Row): OpenInvitation => ({
  id: row.id,
  publicId: row.public_id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  role: row.role,
  language: row.language,
  invitedBy: row.invited_by,
})

const ends = (now: Date) => new Date(now.getTime() + INVITATION_MS)

/**
 * Writes down who is invited, as what. Throws 'email_taken' for the address of an operator, `check_fields` for a name that is taken or
 * will not do, 'not_found' for a role that is none, 'forbidden' for one that may do more than who invites, and 'conflict' where the
 * address or the name is invited already. @returns its public id
 */
export async function keepInvitation(
  tx: Tx,
  ctx: OperatorCtx,
  wanted: NewInvitation & { readonly waits: boolean },
): Promise<string> {
  requirePermission(ctx, 'staff.manage')
  const { name, email, role, waits } = wanted
  if (!isOperatorName(name)) throw fieldError('name', 'operator_name')
  const powers = await findRole(tx, role)
  if (!powers) throw new AppError('not_found')
  requireAsMighty(ctx, powers)
  const known = await tx
    .selectFrom('operator')
    .select(['name', 'email'])
    .where(({ or, eb }) => or([eb('email', '=', email), eb('name', '=', name)]))
    .execute()
  if (known.some((one) => one.email === email)) throw new AppError('email_taken')
  if (known.length > 0) throw fieldError('name', 'operator_name_taken')
  const now = ctx.now()
  const publicId = newPublicId(ctx)
  const made = await tx
    .insertInto('operator_invitation')
    .values({
      id: ctx.newId(),
      public_id: publicId,
      name,
      display_name: wanted.displayName,
      email,
      role,
      language: wanted.language,
      invited_by: ctx.actor,
      waits,
      created_at: now,
      expires_at: ends(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) throw fieldError('email', 'invited_already')
  await note(tx, ctx, publicId, waits ? 'invite_asked' : 'invite', { name, role })
  return publicId
}

/** An open invitation, held until the transaction ends. Throws 'not_found'. */
export async function lockInvitation(tx: Tx, publicId: string): Promise<OpenInvitation> {
  const row = await tx
    .selectFrom('operator_invitation')
    .select(COLUMNS)
    .where('public_id', '=', publicId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return opened(row)
}

/** A second person has approved it: its time begins. */
export async function approveInvitation(
  tx: Tx,
  ctx: OperatorCtx,
  invitation: OpenInvitation,
): Promise<void> {
  await tx
    .updateTable('operator_invitation')
    .set({ waits: false, expires_at: ends(ctx.now()) })
    .where('id', '=', invitation.id)
    .execute()
  const { publicId, name, role } = invitation
  await note(tx, ctx, publicId, 'invite', { name, role })
}

/** Its time begins anew, for another link. Throws 'not_found' for one that waits for a second person, and 'forbidden' as when it was written. */
export async function renewInvitation(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
): Promise<OpenInvitation> {
  requirePermission(ctx, 'staff.manage')
  const invitation = await lockInvitation(tx, publicId)
  const powers = await findRole(tx, invitation.role)
  if (powers) requireAsMighty(ctx, powers)
  const kept = await tx
    .updateTable('operator_invitation')
    .set({ expires_at: ends(ctx.now()) })
    .where('id', '=', invitation.id)
    .where('waits', '=', false)
    .executeTakeFirst()
  if (kept.numUpdatedRows !== 1n) throw new AppError('not_found')
  await note(tx, ctx, publicId, 'invite_again', { name: invitation.name })
  return invitation
}

/** Its link is worth nothing any more. @returns false where it is not open */
export async function closeInvitation(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
): Promise<boolean> {
  const row = await tx
    .updateTable('operator_invitation')
    .set({ withdrawn_at: ctx.now() })
    .where('public_id', '=', publicId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  if (row) await note(tx, ctx, publicId, 'invite_withdrawn', { name: row.name })
  return row !== undefined
}

/** Whoever is shut out brings nobody in. */
export async function withdrawInvitationsBy(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  actor: string,
): Promise<void> {
  await tx
    .updateTable('operator_invitation')
    .set({ withdrawn_at: ctx.now() })
    .where('invited_by', '=', actor)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute()
}

/** Uses up the open invitation of an address. Throws 'link_expired' where there is none any more. */
export async function takeInvitation(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  email: string,
): Promise<OpenInvitation> {
  const row = await tx
    .updateTable('operator_invitation')
    .set({ accepted_at: ctx.now() })
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('waits', '=', false)
    .where('expires_at', '>', ctx.now())
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw new AppError('link_expired')
  return opened(row)
}

/** The trail names whom it is about by what they will be called, never by their address. */
function note(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  action: string,
  after: Readonly<Record<string, string>>,
): Promise<void> {
  return recordAudit(tx, ctx, ctx.now(), [
    { action, subject: 'operator_invitation', subjectCode: publicId, before: null, after },
  ])
}
