import { z } from 'zod'
import { newCredential, passkeyName, usedCredential } from '#features/base/authenticator/schema.ts'
import {
  changeOperatorPassword,
  changeProfile,
  endListedSession,
  endOtherSessions,
  removeOperatorFactor,
  renewOperatorCodes,
} from '#features/team/operator/commands.ts'
import {
  addAuthenticator,
  addOperatorPasskey,
  askForOperatorPasskey,
  askToMakePasskey,
  beginAuthenticator,
  freshProof,
  signOut,
  type SignedIn,
} from '#features/team/operator/flows.ts'
import { listOperatorSessions, readFactors, waysOf } from '#features/team/operator/queries.ts'
import {
  isProofFresh,
  mayDo,
  operatorPasswordProblem,
  PERMISSIONS,
  PROOF_KINDS,
} from '#features/team/operator/rules.ts'
import { emailOf } from '#features/people/account/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import {
  displayName,
  language,
  moment,
  NEW_CREDENTIAL,
  nothing,
  operatorName,
  passkeyOptions,
  password,
  permission,
  proofKind,
  publicId,
  shownFactor,
  theme,
  typedCode,
  way,
} from './shapes.ts'
import { appInvitation, recoveryCodes } from './session.ts'

/** Who is there by a token has no session, and so nothing of it. */
function ownSession({ signedIn }: OperatorCaller): SignedIn {
  if (!signedIn) throw new AppError('forbidden')
  return signedIn
}

const me = operatorCall({
  path: 'console/me',
  summary: 'Who is signed in, and what they may do',
  body: z.object({}),
  data: z.object({
    name: operatorName,
    display_name: z.string(),
    email: z.string().nullable(),
    role: z.string(),
    permissions: z.array(permission),
    language,
    theme,
    /** How a fresh proof can be made; empty where the password does it, as in a demo. */
    ways: z.array(way),
    /** Kinds whose proof is fresh now. */
    proofs: z.array(proofKind),
    session: z
      .object({ id: publicId, factor: shownFactor, began: moment, ends: moment })
      .nullable(),
    is_demo: z.boolean(),
  }),
  example: {},
  async answer({ ctx, signedIn, services }) {
    const { operator } = ctx
    const session = signedIn?.session ?? null
    const now = ctx.now()
    return {
      name: operator.name,
      display_name: session?.profile.displayName ?? operator.name,
      email: session?.profile.email ?? null,
      role: operator.role,
      permissions: PERMISSIONS.filter((one) => mayDo(operator, one)),
      language: session?.profile.language ?? 'en',
      theme: session?.profile.theme ?? 'system',
      ways: waysOf(await readFactors(ctx.db, operator.id)),
      proofs: PROOF_KINDS.filter((kind) => session !== null && isProofFresh(session, kind, now)),
      session: session && {
        id: session.publicId,
        factor: session.factor,
        began: session.createdAt.toISOString(),
        ends: session.expiresAt.toISOString(),
      },
      is_demo: services.isDemo,
    }
  },
})

const signOutCall = operatorCall({
  path: 'console/sign_out',
  summary: 'End this session',
  body: z.strictObject({}),
  data: nothing,
  example: {},
  async answer(caller) {
    await signOut(ownSession(caller))
    caller.keep(null)
    return {}
  },
})

const preferences = operatorCall({
  path: 'console/preferences',
  summary: 'Change language, theme or the name that colleagues read',
  body: z.strictObject({
    language: language.optional(),
    theme: theme.optional(),
    display_name: displayName.optional(),
  }),
  data: nothing,
  example: { theme: 'dark' },
  async answer({ ctx }, given) {
    await changeProfile(ctx, {
      language: given.language,
      theme: given.theme,
      displayName: given.display_name,
    })
    return {}
  },
})

const proofOptions = operatorCall({
  path: 'console/proof_options',
  summary: 'What to ask a passkey for, to prove that it is still you',
  body: z.strictObject({}),
  data: passkeyOptions,
  example: {},
  answer: async ({ ctx, site }) => ({
    ...(await askForOperatorPasskey(ctx, site, { proofOf: ctx.operator.id })),
  }),
})

const proof = operatorCall({
  path: 'console/proof',
  summary: 'Prove that it is still you, for ten minutes and one kind of thing',
  description:
    'By a passkey or a code of the app, never a recovery code; by the password where there is no factor, as in a demo.',
  body: z.strictObject({
    kind: proofKind,
    code: typedCode.optional(),
    credential: usedCredential.optional(),
    password: password.optional(),
  }),
  data: nothing,
  example: { kind: 'staff', code: '123456' },
  async answer(caller, { kind, code, credential, password: given }) {
    const shown = credential
      ? { credential, site: caller.site }
      : code !== undefined
        ? { code }
        : { password: given ?? missing('password') }
    caller.keep(await freshProof(ownSession(caller), kind, shown))
    return {}
  },
})

function missing(field: string): never {
  throw fieldError(field, 'required')
}

export const sessionShape = z.object({
  id: publicId,
  operator: operatorName,
  browser: z.string(),
  system: z.string(),
  network: z.string(),
  factor: shownFactor,
  began: moment,
  seen: moment,
  is_current: z.boolean(),
})

export async function sessionsOf(
  { ctx, signedIn }: OperatorCaller,
  operatorId: string | null,
): Promise<z.input<typeof sessionShape>[]> {
  const currentId = signedIn?.session.id ?? null
  const listed = await listOperatorSessions(ctx.db, ctx.now(), { operatorId, currentId })
  return listed.map(({ createdAt, seenAt, isCurrent, ...session }) => ({
    ...session,
    began: createdAt.toISOString(),
    seen: seenAt.toISOString(),
    is_current: isCurrent,
  }))
}

export const sessions = operatorCall({
  path: 'console/sessions',
  summary: 'Where you are signed in',
  body: z.object({}),
  data: z.array(sessionShape),
  example: {},
  answer: (caller) => sessionsOf(caller, caller.ctx.operator.id),
})

const endSession = operatorCall({
  path: 'console/sessions/end',
  summary: 'End a session: one of yours, or with `staff.manage` anybody’s',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await endListedSession(ctx, id)
    return {}
  },
})

const endOthers = operatorCall({
  path: 'console/sessions/end_others',
  summary: 'End every session of yours but this one',
  body: z.strictObject({}),
  data: z.object({ ended: z.number() }),
  example: {},
  answer: async (caller) => ({
    ended: await endOtherSessions(caller.ctx, ownSession(caller).session.id),
  }),
})

export const factors = operatorCall({
  path: 'console/factors',
  summary: 'Your passkeys, app and recovery codes',
  body: z.object({}),
  data: z.object({
    passkeys: z.array(
      z.object({
        id: publicId,
        name: z.string(),
        is_backed_up: z.boolean(),
        added: moment,
        used: moment.nullable(),
      }),
    ),
    has_app: z.boolean(),
    recovery_codes_left: z.number(),
  }),
  example: {},
  async answer({ ctx }) {
    const { passkeys, hasApp, recoveryCodesLeft } = await readFactors(ctx.db, ctx.operator.id)
    return {
      passkeys: passkeys.map(({ id, name, isBackedUp, createdAt, usedAt }) => ({
        id,
        name,
        is_backed_up: isBackedUp,
        added: createdAt.toISOString(),
        used: usedAt?.toISOString() ?? null,
      })),
      has_app: hasApp,
      recovery_codes_left: recoveryCodesLeft,
    }
  },
})

const holderOf = (caller: OperatorCaller) => {
  const { session } = ownSession(caller)
  return { operator: caller.ctx.operator, session, sessionId: session.id }
}

const factorsApp = operatorCall({
  path: 'console/factors/app',
  summary: 'Begin with an authenticator app',
  body: z.strictObject({}),
  data: appInvitation,
  example: {},
  answer: (caller) => beginAuthenticator(caller.ctx, holderOf(caller), caller.site.shopName),
})

const factorsAppConfirm = operatorCall({
  path: 'console/factors/app_confirm',
  summary: 'Turn the app on with its first code; other sessions end',
  body: z.strictObject({ code: typedCode }),
  data: recoveryCodes,
  example: { code: '123456' },
  async answer(caller, { code }) {
    const made = await addAuthenticator(caller.ctx, holderOf(caller), code)
    return { recovery_codes: [...made.recoveryCodes] }
  },
})

const factorsPasskeyOptions = operatorCall({
  path: 'console/factors/passkey_options',
  summary: 'What to ask a new passkey for',
  body: z.strictObject({}),
  data: passkeyOptions,
  example: {},
  answer: async (caller) => ({
    ...(await askToMakePasskey(caller.ctx, holderOf(caller), caller.site)),
  }),
})

const factorsPasskey = operatorCall({
  path: 'console/factors/passkey',
  summary: 'Keep the new passkey; other sessions end',
  body: z.strictObject({ name: passkeyName, credential: newCredential }),
  data: recoveryCodes,
  example: { name: 'Phone', credential: NEW_CREDENTIAL },
  async answer(caller, { name, credential }) {
    const { site } = caller
    const made = await addOperatorPasskey(caller.ctx, holderOf(caller), { site, credential, name })
    return { recovery_codes: [...made.recoveryCodes] }
  },
})

const factorsRemove = operatorCall({
  path: 'console/factors/remove',
  summary: 'Take a passkey or the app away; other sessions end',
  description: 'Without `passkey` the app goes. The last factor stays where one is required.',
  body: z.strictObject({ passkey: publicId.optional() }),
  data: nothing,
  example: { passkey: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer(caller, { passkey }) {
    const which = passkey === undefined ? 'totp' : { passkey }
    await removeOperatorFactor(caller.ctx, holderOf(caller), which, !caller.services.isDemo)
    return {}
  },
})

const factorsRecoveryCodes = operatorCall({
  path: 'console/factors/recovery_codes',
  summary: 'Ten new recovery codes; the old ones are worth nothing any more',
  body: z.strictObject({}),
  data: recoveryCodes,
  example: {},
  answer: async ({ ctx }) => ({
    recovery_codes: [...(await renewOperatorCodes(ctx, ctx.operator))],
  }),
})

export const email = operatorCall({
  path: 'console/email',
  summary: 'Change your e-mail address',
  body: z.strictObject({ email: z.string().max(254) }),
  data: nothing,
  example: { email: 'mara@shop.example' },
  async answer({ ctx }, given) {
    const address = emailOf(given.email)
    if (address === null) throw fieldError('email', 'email_format')
    await changeProfile(ctx, { email: address })
    return {}
  },
})

const passwordCall = operatorCall({
  path: 'console/password',
  summary: 'Choose a new password; other sessions and your tokens end',
  body: z.strictObject({ password }),
  data: nothing,
  example: { password: 'correct horse battery' },
  async answer(caller, given) {
    const { ctx } = caller
    const { session } = ownSession(caller)
    if (operatorPasswordProblem(ctx.operator.name, given.password) !== null)
      throw fieldError('password', 'password_operator')
    await changeOperatorPassword(ctx, ctx.operator.name, given.password, session.id)
    return {}
  },
})

export const SELF_CALLS = [
  me,
  signOutCall,
  preferences,
  proofOptions,
  proof,
  sessions,
  endSession,
  endOthers,
  factors,
  factorsApp,
  factorsAppConfirm,
  factorsPasskeyOptions,
  factorsPasskey,
  factorsRemove,
  factorsRecoveryCodes,
  email,
  passwordCall,
] as const
