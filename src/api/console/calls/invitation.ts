import { z } from 'zod'
import {
  acceptInvitation,
  inviteOperator,
  lookAtInvitation,
  sendInvitationAgain,
  takeInvitationBack,
} from '#features/office/invitation/commands.ts'
import { emailOf } from '#features/people/account/rules.ts'
import { listInvitations } from '#features/team/operator/queries.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { openCall, operatorCall } from '../call.ts'
import { signInStep, stepOf } from './session.ts'
import {
  displayName,
  language,
  moment,
  nothing,
  operatorName,
  password,
  publicId,
} from './shapes.ts'

const key = z.string().max(100)
const email = z.string().max(254)
const role = z.string().max(40)
const EXAMPLE_KEY = 'x'.repeat(43)

function addressOf(given: string): string {
  const address = emailOf(given)
  if (address === null) throw fieldError('email', 'email_format')
  return address
}

const invitationLook = openCall({
  path: 'console/invitation',
  summary: 'What the link of an invitation leads to',
  description:
    'It is not used up. The first owner chooses name and address; for anybody else they are given.',
  body: z.strictObject({ key }),
  data: z.object({
    name: operatorName.nullable(),
    display_name: z.string().nullable(),
    email: z.string().nullable(),
    role: z.string(),
    invited_by: z.string().nullable(),
    ends: moment,
  }),
  example: { key: EXAMPLE_KEY },
  async answer({ ctx }, given) {
    const invited = await lookAtInvitation(ctx, given.key)
    return {
      name: invited.name,
      display_name: invited.displayName,
      email: invited.email,
      role: invited.role,
      invited_by: invited.invitedBy,
      ends: invited.expiresAt.toISOString(),
    }
  },
})

const invitationAccept = openCall({
  path: 'console/invitation/accept',
  summary: 'Make the account that an invitation leads to',
  description:
    'The link is used up. What follows is as after a right password: the first factor is made with the ticket.',
  body: z.strictObject({
    key,
    password,
    name: operatorName.optional(),
    email: email.optional(),
    display_name: displayName.optional(),
  }),
  data: signInStep,
  example: { key: EXAMPLE_KEY, password: 'correct horse battery' },
  async answer(caller, given) {
    const step = await acceptInvitation(caller.ctx, {
      key: given.key,
      name: given.name ?? null,
      email: given.email === undefined ? null : addressOf(given.email),
      displayName: given.display_name ?? null,
      password: given.password,
      visitor: caller.visitor,
      replaces: caller.cookieToken,
      // In a demo, too, where one may sign in without: it shows how a team comes in.
      isFactorRequired: true,
    })
    return stepOf(caller, step, [])
  },
})

const teamInvitations = operatorCall({
  path: 'console/team/invitations',
  summary: 'Who is invited and has not come yet, the newest first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      name: operatorName,
      display_name: z.string().nullable(),
      email: z.string(),
      role: z.string(),
      language,
      invited_by: z.string(),
      /** For a second person, before the mail goes. */
      waits: z.boolean(),
      invited: moment,
      ends: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const listed = await listInvitations(ctx.db)
    return listed.map(({ displayName: shown, invitedBy, createdAt, expiresAt, ...one }) => ({
      ...one,
      display_name: shown,
      invited_by: invitedBy,
      invited: createdAt.toISOString(),
      ends: expiresAt.toISOString(),
    }))
  },
})

const teamInvite = operatorCall({
  path: 'console/team/invite',
  summary: 'Invite somebody by mail',
  description:
    'The link is good for 72 hours and one account. Nobody gives a role that may do more than their own. `waits`: somebody else approves it before the mail goes.',
  body: z.strictObject({
    name: operatorName,
    display_name: displayName.optional(),
    email,
    role,
    language,
  }),
  data: z.object({ id: publicId, waits: publicId.nullable() }),
  example: { name: 'lena', email: 'lena.hoff@example.com', role: 'support', language: 'de' },
  async answer({ ctx }, given) {
    return inviteOperator(ctx, {
      name: given.name,
      displayName: given.display_name ?? null,
      email: addressOf(given.email),
      role: given.role,
      language: given.language,
    }).catch(asUnknownRole)
  },
})

/** A role is chosen from a list: one that is gone meanwhile is told of at its field. */
function asUnknownRole(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found')
    throw fieldError('role', 'not_allowed')
  throw error
}

const teamInviteAgain = operatorCall({
  path: 'console/team/invitations/again',
  summary: 'Send another link; the one before is worth nothing any more',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await sendInvitationAgain(ctx, id)
    return {}
  },
})

const teamInviteWithdraw = operatorCall({
  path: 'console/team/invitations/withdraw',
  summary: 'Withdraw an invitation: its link opens nothing any more',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await takeInvitationBack(ctx, id)
    return {}
  },
})

export const INVITATION_CALLS = [
  invitationLook,
  invitationAccept,
  teamInvitations,
  teamInvite,
  teamInviteAgain,
  teamInviteWithdraw,
] as const
