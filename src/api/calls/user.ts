import { z } from 'zod'
import { openSession } from '#features/people/account/commands.ts'
import { requestCode } from '#features/people/mailed-code/flows.ts'
import { register, resetPassword } from '#features/people/account/flows.ts'
import { deviceOrNew } from '#features/people/device/commands.ts'
import {
  DEVICE_COOKIE,
  DEVICE_COOKIE_SECONDS,
  deviceCookie,
} from '#features/people/device/rules.ts'
import { finishSecondFactor } from '#features/people/factor/commands.ts'
import { signInWithPasskey } from '#features/people/factor/flows.ts'
import { usedCredential } from '#features/base/authenticator/schema.ts'
import { bindTicket, readTicket, registerThird } from '#features/people/identity/flows.ts'
import { BINDING_COOKIE } from '#features/people/identity/rules.ts'
import { findPerson, isSessionThere } from '#features/people/session/queries.ts'
import type { SessionSecrets } from '#features/people/session/rules.ts'
import { signIn, unfreeze } from '#features/people/sign-in/flows.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { personalCall, type Caller } from '../personal/call.ts'
import { rememberDevice, signedIn } from './signed-in.ts'
import { siteOf } from './user-factor.ts'
import { signedInShape } from './user-info.ts'
import { sendPhoneCode } from './user-phone.ts'

/** Longer than anything that could be right; what is wrong about the rest is said at the field. */
const TEXT_MAX = 300
const PASSWORD_MAX = 1_000
const text = z.string().max(TEXT_MAX)
const password = z.string().max(PASSWORD_MAX)
const code = z
  .string()
  .max(40)
  .meta({ description: 'Six digits, mailed by user/send_code', examples: ['204815'] })
const key = z
  .string()
  .max(100)
  .meta({
    description: 'Of the mailed link',
    examples: ['j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8'],
  })
const username = text.meta({ description: '6 to 32 letters and digits', examples: ['rizky99'] })
const newPassword = password.meta({
  description:
    '8 to 20 characters, upper and lower case letters and digits, no symbols; or, with strict passwords, 8 to 128 of any kind',
  examples: ['Kelapa7Muda'],
})

export const userSendCode = personalCall({
  path: 'user/send_code',
  method: 'POST',
  summary: 'Have a code sent',
  description:
    'A code of six digits, good for ten minutes and five tries; a new one takes the place of the old. `register` and `reset` (an e-mail address, or a user name) answer alike whether there is an account or not. `email` (the new address), `phone` (the number) and `proof` (`account` is not read; for accounts without a password) need somebody signed in.',
  access: 'anyone',
  limit: 'code',
  body: z.strictObject({
    type: z.enum(['register', 'reset', 'email', 'phone', 'proof']),
    account: text.default(''),
    country: z
      .string()
      .max(2)
      .optional()
      .meta({
        description: '`phone`: whose number it is, where it is typed without its country code',
        examples: ['ID'],
      }),
  }),
  data: z.literal(true),
  example: { type: 'register', account: 'rizky@example.com' },
  async answer(caller, { type, account, country }) {
    const { ctx, person, cookies } = caller
    const device = deviceCookie(deviceOrNew(ctx, caller.visitor.device))
    const visitor = { ...caller.visitor, device }
    cookies.keep(DEVICE_COOKIE, device, DEVICE_COOKIE_SECONDS)
    if (type !== 'phone') await requestCode(ctx, { type, account, person, visitor })
    else if (person)
      await sendPhoneCode({ ...caller, person }, { typed: account, country, field: 'account' })
    else throw new AppError('unauthorised')
    return true as const
  },
})

export const userRegister = personalCall({
  path: 'user/register',
  method: 'POST',
  summary: 'Register and sign in',
  description:
    '`email`: with the code of user/send_code. `link`: with the key of the mailed link. `third`: with the ticket of user/callback (2404); `email` and `code` where that service confirmed no address; a user name is made up where none is given. A user name that is taken leaves code, link and ticket as they are.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('email'),
      email: text,
      code,
      username,
      password: newPassword,
    }),
    z.strictObject({ type: z.literal('link'), key, username, password: newPassword }),
    z.strictObject({
      type: z.literal('third'),
      ticket: key,
      username: username.optional(),
      email: text.optional(),
      code: code.optional(),
    }),
  ]),
  data: signedInShape,
  example: {
    type: 'email',
    email: 'rizky@example.com',
    code: '204815',
    username: 'rizky99',
    password: 'Kelapa7Muda',
  },
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, services, visitor, person, cookies } = caller
    const replaces = person?.sessionId ?? null
    if (body.type === 'third') {
      const { ticket, email, code: typed, username: userName } = body
      return signedIn(
        caller,
        await registerThird(ctx, {
          ticket,
          email,
          code: typed,
          userName,
          binding: cookies.read(BINDING_COOKIE),
          visitor,
          replaces,
        }),
        'registration',
      )
    }
    const proof = body.type === 'email' ? { email: body.email, code: body.code } : { key: body.key }
    return signedIn(
      caller,
      await register(ctx, {
        proof,
        userName: body.username,
        password: body.password,
        strictPasswords: services.strictPasswords,
        visitor,
        replaces,
      }),
      'registration',
    )
  },
})

type Missing = 'account' | 'password' | 'ticket' | 'code'

/** Fields that the way of signing in somebody chose still needs. */
function missingOf(
  body: Readonly<Partial<Record<Missing | 'passkey', unknown>>>,
): readonly Missing[] {
  if (body.passkey !== undefined) return []
  const needed =
    body.account === undefined &&
    body.password === undefined &&
    (body.ticket !== undefined || body.code !== undefined)
      ? (['ticket', 'code'] as const)
      : (['account', 'password'] as const)
  return needed.filter((name) => body[name] === undefined || body[name] === '')
}

export const userLogin = personalCall({
  path: 'user/login',
  method: 'POST',
  summary: 'Sign in',
  description:
    'With `account` (e-mail address or user name) and `password`; a `ticket` of user/callback (2404) beside them links that identity. With `passkey`, what the browser made for user/passkey_options. Or, after 2405, with `ticket` of its data and `code` of the authenticator app or a recovery code. Beside these two, `link` is the ticket of user/callback. After five wrong tries from one network comes a pause (429), longer each time; a browser where the account was signed in before is not paused by others. `stay`: whether the sign-in outlives the window.',
  access: 'anyone',
  limit: 'sign-in',
  body: z
    .strictObject({
      account: text.optional(),
      password: password.optional(),
      ticket: z.string().max(100).optional(),
      code: z.string().max(40).optional(),
      passkey: usedCredential.optional(),
      link: z.string().max(100).optional(),
      stay: z.boolean().default(true),
    })
    .superRefine((body, issues) => {
      for (const name of missingOf(body))
        issues.addIssue({ code: 'custom', path: [name], message: 'required' })
    }),
  data: signedInShape,
  example: { account: 'rizky@example.com', password: 'Kelapa7Muda' },
  isSecretAnswer: true,
  async answer(caller, body) {
    const { ctx, visitor, person } = caller
    const replaces = person?.sessionId ?? null
    if (body.account !== undefined) {
      await assertTicket(caller, body.ticket)
      const session = await signIn(ctx, {
        account: body.account,
        password: body.password ?? '',
        visitor,
        replaces,
      })
      const answer = await signedIn(caller, session, 'password', body.stay)
      await linkTicket(caller, session, body.ticket)
      return answer
    }
    const accountId = body.passkey
      ? await signInWithPasskey(ctx, siteOf(caller), body.passkey)
      : await finishSecondFactor(ctx, {
          ticket: body.ticket ?? '',
          code: body.code ?? '',
          device: visitor.device,
        })
    const session = await transaction(ctx, (tx) =>
      openSession(tx, ctx, { accountId, visitor, replaces }),
    )
    const answer = await signedIn(
      caller,
      session,
      body.passkey ? 'passkey' : 'second factor',
      body.stay,
    )
    await linkTicket(caller, session, body.link)
    return answer
  },
})

/** Looked at before the password is, so that nobody signs in for a link that cannot be made. */
async function assertTicket({ ctx, cookies }: Caller, ticket: string | undefined): Promise<void> {
  if (
    ticket !== undefined &&
    !(await readTicket(ctx, { ticket, binding: cookies.read(BINDING_COOKIE) }))
  )
    throw new AppError('ticket_expired')
}

async function linkTicket(
  { ctx, cookies }: Caller,
  session: SessionSecrets,
  ticket: string | undefined,
): Promise<void> {
  const person =
    ticket === undefined
      ? null
      : await findPerson(ctx.db, ctx, { cookie: session.token, handle: null })
  if (ticket !== undefined && person)
    await bindTicket(ctx, {
      ticket,
      binding: cookies.read(BINDING_COOKIE),
      accountId: person.accountId,
    })
}

export const userReset = personalCall({
  path: 'user/reset',
  method: 'POST',
  summary: 'Set a new password for one forgotten',
  description:
    'With `account` and the mailed `code`, or with the `key` of the mailed link. Every session of the account ends; sign in afterwards.',
  access: 'anyone',
  limit: 'sign-in',
  body: z
    .strictObject({
      account: text.optional(),
      code: code.optional(),
      key: key.optional(),
      password: newPassword,
    })
    .superRefine((body, issues) => {
      for (const name of body.key === undefined ? (['account', 'code'] as const) : [])
        if (body[name] === undefined || body[name] === '')
          issues.addIssue({ code: 'custom', path: [name], message: 'required' })
    }),
  data: z.literal(true),
  example: { account: 'rizky@example.com', code: '204815', password: 'Kelapa7Muda' },
  async answer(caller, body) {
    const { ctx, services, cookies, person, visitor } = caller
    const proof =
      body.key === undefined
        ? { account: body.account ?? '', code: body.code ?? '' }
        : { key: body.key }
    const accountId = await resetPassword(ctx, {
      proof,
      password: body.password,
      strictPasswords: services.strictPasswords,
      visitor,
    })
    rememberDevice(caller, accountId)
    if (person?.via === 'cookie' && !(await isSessionThere(ctx.db, person.sessionId)))
      cookies.endSession()
    return true as const
  },
})

export const userUnfreeze = personalCall({
  path: 'user/unfreeze',
  method: 'POST',
  summary: 'Lift a pause of signing in',
  description:
    'With the key of the link mailed to the owner when somebody keeps guessing. Signs nobody in; the browser counts as known from then on.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({ key }),
  data: z.literal(true),
  example: { key: 'j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8' },
  async answer(caller, body) {
    rememberDevice(caller, await unfreeze(caller.ctx, { ...body, visitor: caller.visitor }))
    return true as const
  },
})
