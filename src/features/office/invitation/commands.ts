import { postMail } from '#features/people/mail/commands.ts'
import {
  askAboutStaff,
  endActs,
  inTurn,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { findWaiting, hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import { consumeSecret, issueVerification } from '#features/people/verification/commands.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import {
  afterPassword,
  approveInvitation,
  closeInvitation,
  createFirstOwnerIn,
  createInvited,
  keepInvitation,
  lockInvitation,
  operatorHash,
  renewInvitation,
  takeInvitation,
  type AfterPassword,
  type NewInvitation,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import {
  findColleague,
  findInvitation,
  findRole,
  hasOperators,
} from '#features/team/operator/queries.ts'
import {
  isHeavy,
  isOperatorName,
  mayDo,
  requireAsMighty,
  requirePermission,
} from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { assertHashingFree } from '#platform/password-hash.ts'
import { securityEvent } from '#platform/security-log.ts'
import { OWNER_LINK_MS } from './rules.ts'

/**
 * Invites somebody by mail. To a role that moves money, goods or the team it waits for whoever else could approve it. Throws as
 * `keepInvitation` does. @returns the public ids of the invitation, and of the act that waits
 */
export function inviteOperator(
  ctx: OperatorCtx,
  wanted: NewInvitation,
): Promise<{ readonly id: string; readonly waits: Waits }> {
  return inTurn(ctx, async (tx, now) => {
    const powers = await findRole(tx, wanted.role)
    const waits =
      powers !== null && isHeavy(powers) && (await hasAnotherApprover(tx, now, [ctx.operator.name]))
    const id = await keepInvitation(tx, ctx, { ...wanted, waits })
    if (!waits) {
      await mailInvitation(tx, ctx, ctx.operator.name, wanted)
      return { id, waits: null }
    }
    const { name, role } = wanted
    const details = { name, role, version: powers.version }
    return {
      id,
      waits: await askAboutStaff(tx, ctx, { kind: 'staff_invite', subject: id, details }),
    }
  })
}

/** What approving it does. Throws 'changed_meanwhile' where it was withdrawn or its role was changed. */
export async function sendWaitingInvitation(
  tx: Turn,
  ctx: OperatorCtx,
  { subject, askedBy, details }: Act,
): Promise<void> {
  const invitation = await lockInvitation(tx, subject).catch(asChanged)
  const powers = await findRole(tx, invitation.role)
  const asker = await findColleague(tx, nameOf(askedBy))
  if (!powers || powers.version !== details['version'] || invitation.role !== details['role'])
    throw new AppError('changed_meanwhile')
  if (!asker?.isActive || !mayDo(asker, 'staff.manage')) throw new AppError('changed_meanwhile')
  requireAsMighty(ctx, powers)
  await approveInvitation(tx, ctx, invitation)
  await mailInvitation(tx, ctx, asker.name, invitation)
}

const nameOf = (actor: string) => actor.slice('operator:'.length)

function asChanged(error: unknown): never {
  throw isAppError(error) && error.code === 'not_found' ? new AppError('changed_meanwhile') : error
}

/** What refusing it does, where it is still there. */
export async function withdrawWaitingInvitation(
  tx: Turn,
  ctx: OperatorCtx,
  { subject }: Act,
): Promise<void> {
  await closeInvitation(tx, ctx, subject)
}

/** Sends another link; the one before is worth nothing any more. Throws 'not_found' for one that is not open. */
export async function sendInvitationAgain(ctx: OperatorCtx, publicId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await mailInvitation(tx, ctx, ctx.operator.name, await renewInvitation(tx, ctx, publicId))
  })
}

/** Its link opens nothing any more. Throws 'not_found' for one that is not open. */
export async function takeInvitationBack(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'staff.manage')
  await transaction(ctx, async (tx, now) => {
    const waiting = await findWaiting(tx, 'staff_invite', publicId, now)
    if (waiting) await endActs(tx, ctx, [waiting])
    if (!(await closeInvitation(tx, ctx, publicId))) throw new AppError('not_found')
  })
}

async function mailInvitation(
  tx: Tx,
  ctx: OperatorCtx,
  name: string,
  { email, language }: Pick<NewInvitation, 'email' | 'language'>,
): Promise<void> {
  await postMail(tx, ctx, {
    kind: 'operator_invited',
    accountId: null,
    recipient: email,
    language,
    params: { name },
  })
}

/** The secret of a link for the first owner; an earlier one is worth nothing any more. Throws 'conflict' where there are operators. */
export async function issueOwnerLink(ctx: Ctx): Promise<string> {
  if (await hasOperators(ctx.db)) throw new AppError('conflict')
  const { secret } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'owner_link',
      accountId: null,
      target: 'owner',
      withCode: false,
      withSecret: true,
      ttl: OWNER_LINK_MS,
    }),
  )
  return present(secret, 'a secret')
}

export interface Invited {
  /** Null for the first owner, who chooses them. */
  readonly name: string | null
  readonly email: string | null
  readonly displayName: string | null
  readonly role: string
  readonly language: LanguageCode | null
  readonly invitedBy: string | null
  readonly expiresAt: Date
}

/** What a link is an invitation to, without using it up. Throws 'link_expired'. */
export async function lookAtInvitation(ctx: Ctx, key: string): Promise<Invited> {
  const mailed = await peekSecret(ctx.db, ctx, { purpose: 'operator_invitation', secret: key })
  if (mailed) {
    const found = await findInvitation(ctx.db, ctx.now(), mailed.target)
    if (!found) throw new AppError('link_expired')
    return found
  }
  const first = await peekSecret(ctx.db, ctx, { purpose: 'owner_link', secret: key })
  if (!first || (await hasOperators(ctx.db))) throw new AppError('link_expired')
  const { expiresAt } = first
  const unsaid = { name: null, email: null, displayName: null, language: null, invitedBy: null }
  return { ...unsaid, role: 'owner', expiresAt }
}

export interface Acceptance {
  readonly key: string
  /** Of the first owner; whoever is invited has the name and the address that the invitation says. */
  readonly name: string | null
  readonly email: string | null
  readonly displayName: string | null
  readonly password: string
  readonly visitor: Visitor
  readonly replaces: string | null
  readonly isFactorRequired: boolean
}

/**
 * Makes the account that a link invites to: once, with a password that nobody else knows; then goes on as a sign-in whose password was
 * right. Throws 'link_expired', 'conflict' for a name or an address that was given away meanwhile, and `check_fields`.
 */
export async function acceptInvitation(ctx: Ctx, given: Acceptance): Promise<AfterPassword> {
  // Before the work of hashing, which a stranger could cause otherwise.
  const invited = await lookAtInvitation(ctx, given.key)
  const name = invited.name ?? given.name ?? ''
  if (invited.email === null) assertFirst(given)
  assertHashingFree()
  const passwordHash = await operatorHash(name, given.password)
  const operator = await transaction(ctx, async (tx) => {
    const displayName = given.displayName ?? invited.displayName
    if (invited.email === null) {
      await consumeSecret(tx, ctx, { purpose: 'owner_link', secret: given.key })
      const own = { ...ctx, actor: `operator:${name}` }
      const profile = { email: given.email, displayName, language: ctx.locale }
      return createFirstOwnerIn(tx, own, { name, passwordHash, ...profile })
    }
    const used = await consumeSecret(tx, ctx, { purpose: 'operator_invitation', secret: given.key })
    const { role, invitedBy, language, email } = await takeInvitation(tx, ctx, used.target)
    const profile = { email, displayName, language }
    return createInvited(tx, ctx, { name, passwordHash, role, invitedBy, ...profile })
  })
  securityEvent(ctx.log, 'operator.joined', { operator: name, role: operator.role })
  const credentials = { operator, passwordHash, isActive: true }
  return afterPassword(ctx, credentials, given)
}

function assertFirst({ name, email }: Pick<Acceptance, 'name' | 'email'>): void {
  if (name === null || !isOperatorName(name)) throw fieldError('name', 'operator_name')
  if (email === null) throw fieldError('email', 'required')
}
