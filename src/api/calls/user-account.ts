import { z } from 'zod'
import { takeAccountChange } from '#features/base/limit/commands.ts'
import { auditAccount } from '#features/people/account/commands.ts'
import {
  changeEmail,
  changePassword,
  prove,
  updateProfile,
} from '#features/people/account/flows.ts'
import { findAccountById } from '#features/people/account/queries.ts'
import { proveWithPasskey } from '#features/people/factor/flows.ts'
import { usedCredential } from '#features/base/authenticator/schema.ts'
import { endListedSession, endSessions, recordProof } from '#features/people/session/commands.ts'
import { listSessions } from '#features/people/session/queries.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import { AppError } from '#kernel/error.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { transaction } from '#platform/ctx.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'
import { siteOf } from './user-factor.ts'

const text = z.string().max(300)
const password = z.string().max(1_000)
const code = z
  .string()
  .max(40)
  .meta({ description: 'Six digits, sent by user/send_code', examples: ['204815'] })

const profileShape = z
  .object({
    user_id: z.string().meta({ examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] }),
    uid: z.string().meta({ examples: ['482019377'] }),
    username: z.string().meta({ examples: ['rizky99'] }),
    nickname: z.string().meta({ examples: ['Rizky'] }),
    avatar: z.string().meta({ description: 'Address of the picture; empty without one' }),
    email: z.string().meta({ examples: ['rizky@example.com'] }),
    mobile: z
      .string()
      .meta({ description: 'E.164; empty without one', examples: ['+6281234567890'] }),
    mobile_verified: z.boolean(),
    language: z.enum(LANGUAGE_CODES).meta({ description: 'That mails come in', examples: ['id'] }),
    has_password: z.boolean().meta({
      description:
        'False for who came with another service and has set none: a proof is then a mailed code',
    }),
    register_time_text: z
      .string()
      .meta({ description: 'In the language of the call', examples: ['20 November 2026'] }),
    role_id: z.int().meta({ examples: [0] }),
  })
  .meta({ id: 'Profile' })

async function profileOf({
  ctx,
  person,
  language,
  services,
}: SignedInCaller): Promise<z.input<typeof profileShape>> {
  const account = await findAccountById(ctx.db, person.accountId)
  if (!account) throw new AppError('unauthorised')
  return {
    user_id: person.userId,
    uid: person.uid,
    username: account.userName,
    nickname: account.nickname,
    avatar: person.avatar === null ? '' : uploadAddress(person.avatar),
    email: account.email,
    mobile: person.mobile ?? '',
    mobile_verified: person.mobileVerified,
    language: account.language,
    has_password: account.passwordHash !== null,
    register_time_text: formatDate(language.code, person.registeredAt, services.timeZone),
    role_id: person.roleId,
  }
}

export const userProfile = personalCall({
  path: 'user/profile',
  method: 'GET',
  summary: 'What the account says about the person',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: profileShape,
  example: {},
  answer: profileOf,
})

export const userSaveProfile = personalCall({
  path: 'user/profile',
  method: 'POST',
  summary: 'Change user name, nickname or language',
  description: 'What is not given stays. Answers the profile.',
  access: 'own-hand',
  limit: 'write',
  body: z.strictObject({
    username: text
      .meta({ description: '6 to 32 letters and digits', examples: ['rizky99'] })
      .optional(),
    nickname: text.meta({ description: '1 to 40 characters', examples: ['Rizky'] }).optional(),
    language: z.enum(LANGUAGE_CODES).optional(),
  }),
  data: profileShape,
  example: { nickname: 'Rizky' },
  async answer(caller, { username, nickname, language }) {
    await takeAccountChange(caller.ctx, caller.person.accountId)
    await updateProfile(caller.ctx, caller.person, { userName: username, nickname, language })
    return profileOf(caller)
  },
})

const renewedShape = z
  .object({
    token: z.string().meta({
      description: 'What clients without cookies send as `token` from now on; the old one is dead',
      examples: ['j3kq…'],
    }),
  })
  .meta({ id: 'RenewedSession' })

/** A handle earns no cookie: whoever came with one goes on with the new handle. */
function renewed(
  { cookies, person }: SignedInCaller,
  session: SessionSecrets,
): z.input<typeof renewedShape> {
  if (person.via === 'cookie') cookies.renewSession(session.token)
  return { token: session.handle }
}

export const userPassword = personalCall({
  path: 'user/password',
  method: 'POST',
  summary: 'Change the password, or set the first one',
  description: 'Every other session ends; this one goes on under a new token. The owner is mailed.',
  access: 'fresh',
  limit: 'sign-in',
  body: z.strictObject({ new_password: password.meta({ examples: ['Sepeda9Biru'] }) }),
  data: renewedShape,
  example: { new_password: 'Sepeda9Biru', password: 'Kelapa7Muda' },
  isSecretAnswer: true,
  async answer(caller, body) {
    await takeAccountChange(caller.ctx, caller.person.accountId)
    return renewed(
      caller,
      await changePassword(caller.ctx, caller.person, {
        newPassword: body.new_password,
        strictPasswords: caller.services.strictPasswords,
      }),
    )
  },
})

export const userEmail = personalCall({
  path: 'user/email',
  method: 'POST',
  summary: 'Change the e-mail address',
  description:
    'With the code that user/send_code (`email`) mailed to the new address. Every other session ends; the old address is told.',
  access: 'fresh',
  limit: 'sign-in',
  body: z.strictObject({ email: text.meta({ examples: ['rizky@example.com'] }), code }),
  data: renewedShape,
  example: { email: 'rizky@example.com', code: '204815' },
  isSecretAnswer: true,
  answer: async (caller, body) =>
    renewed(caller, await changeEmail(caller.ctx, caller.person, body)),
})

export const userProve = personalCall({
  path: 'user/prove',
  method: 'POST',
  summary: 'Prove that it is still you',
  description:
    'With one of `password`, `proof_code` (mailed by user/send_code `proof`; only for accounts without a password) and `passkey`. Counts for ten minutes, in the browser that proved. Over the `token` parameter a proof counts for its own call alone: send it there (2403).',
  access: 'signed-in',
  limit: 'sign-in',
  body: z
    .strictObject({
      password: password.optional(),
      proof_code: code.optional(),
      passkey: usedCredential.optional(),
    })
    .superRefine((body, issues) => {
      const given = [body.password, body.proof_code, body.passkey].filter(
        (value) => value !== undefined && value !== '',
      )
      if (given.length !== 1)
        issues.addIssue({
          code: 'custom',
          path: [body.proof_code === undefined ? 'password' : 'proof_code'],
          message: 'required',
        })
    }),
  data: renewedShape,
  example: { password: 'Kelapa7Muda' },
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, person } = caller
    if (person.via === 'handle') throw new AppError('proof_needed')
    if (!body.passkey)
      return renewed(
        caller,
        await prove(ctx, person, {
          password: body.password || undefined,
          code: body.proof_code || undefined,
        }),
      )
    await proveWithPasskey(ctx, person.accountId, siteOf(caller), body.passkey)
    return renewed(caller, await transaction(ctx, (tx) => recordProof(tx, ctx, person.sessionId)))
  },
})

const sessionsShape = z
  .object({
    list: z.array(
      z
        .object({
          id: z.string().meta({ examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] }),
          browser: z.string().meta({ description: 'Empty when unknown', examples: ['Firefox'] }),
          system: z.string().meta({ description: 'Empty when unknown', examples: ['Windows'] }),
          network: z.string().meta({ examples: ['203.0.113.0/24'] }),
          signed_in_text: z
            .string()
            .meta({ description: 'In the language of the call', examples: ['20 November 2026'] }),
          seen_text: z
            .string()
            .meta({ description: 'When it was last used', examples: ['21 November 2026'] }),
          current: z.boolean().meta({ description: 'The session that asks' }),
        })
        .meta({ id: 'Session' }),
    ),
  })
  .meta({ id: 'Sessions' })

async function sessionsOf({
  ctx,
  person,
  language,
  services,
}: SignedInCaller): Promise<z.input<typeof sessionsShape>> {
  const date = (at: Date) => formatDate(language.code, at, services.timeZone)
  const sessions = await listSessions(ctx.db, ctx, person)
  return {
    list: sessions.map(({ id, browser, system, network, createdAt, seenAt, current }) => ({
      id,
      browser,
      system,
      network,
      signed_in_text: date(createdAt),
      seen_text: date(seenAt),
      current,
    })),
  }
}

export const userSessions = personalCall({
  path: 'user/sessions',
  method: 'GET',
  summary: 'Where the account is signed in',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: sessionsShape,
  example: {},
  answer: sessionsOf,
})

export const userEndSessions = personalCall({
  path: 'user/sessions',
  method: 'POST',
  summary: 'Sign out elsewhere',
  description:
    'One session by its `id`, or with `others` every one but this. Answers those that are left.',
  access: 'fresh',
  limit: 'write',
  body: z
    .strictObject({
      id: z.string().regex(PUBLIC_ID).optional(),
      others: z.literal(true).optional(),
    })
    .superRefine((body, issues) => {
      if ((body.id === undefined) === (body.others === undefined))
        issues.addIssue({ code: 'custom', path: ['id'], message: 'required' })
    }),
  data: sessionsShape,
  example: { others: true },
  async answer(caller, { id }) {
    const { ctx, person, cookies } = caller
    await takeAccountChange(ctx, person.accountId)
    await transaction(ctx, async (tx) => {
      if (id === undefined) await endSessions(tx, person.accountId, person.sessionId)
      else if (!(await endListedSession(tx, person, id))) throw new AppError('not_found')
      await auditAccount(tx, ctx, person.accountId, 'end_sessions', [])
    })
    const left = await sessionsOf(caller)
    if (person.via === 'cookie' && !left.list.some(({ current }) => current)) cookies.endSession()
    return left
  },
})
