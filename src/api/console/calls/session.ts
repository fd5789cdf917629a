import { z } from 'zod'
import { newCredential, passkeyName, usedCredential } from '#features/base/authenticator/schema.ts'
import {
  addAuthenticator,
  addOperatorPasskey,
  askForOperatorPasskey,
  askToMakePasskey,
  beginAuthenticator,
  proveFactor,
  signInWithPasskey,
  startSignIn,
  type Enrolling,
} from '#features/team/operator/flows.ts'
import type { AfterPassword } from '#features/team/operator/commands.ts'
import type { FactorWay } from '#features/team/operator/queries.ts'
import { fieldError } from '#kernel/error.ts'
import { openCall, type ConsoleCaller } from '../call.ts'
import {
  NEW_CREDENTIAL,
  nothing,
  passkeyOptions,
  password,
  ticket,
  typedCode,
  USED_CREDENTIAL,
  way,
} from './shapes.ts'

export const signInStep = z.object({
  step: z.enum(['signed_in', 'factor', 'enrol']),
  /** For what follows; null once signed in. */
  ticket: z.string().nullable(),
  ways: z.array(way),
})

const signInCall = openCall({
  path: 'console/sign_in',
  summary: 'The first half of signing in',
  description:
    'By name or e-mail address. `factor`: show one of `ways` with the ticket. `enrol`: there is none yet, make one with the ticket. In a demo an operator without a factor is signed in.',
  body: z.strictObject({ account: z.string().trim().min(1).max(254), password }),
  data: signInStep,
  example: { account: 'mara', password: 'correct horse battery' },
  async answer(caller, { account, password: given }): Promise<z.input<typeof signInStep>> {
    const { ctx, visitor, services } = caller
    const step = await startSignIn(ctx, {
      account,
      password: given,
      visitor,
      replaces: caller.cookieToken,
      isFactorRequired: !services.isDemo,
    })
    return stepOf(caller, step, step.step === 'factor' ? step.ways : [])
  },
})

/** What follows a right password, as it is answered; a session is kept by the browser. */
export function stepOf(
  caller: ConsoleCaller,
  step: AfterPassword,
  ways: readonly FactorWay[],
): z.input<typeof signInStep> {
  if (step.step !== 'signed_in') return { step: step.step, ticket: step.ticket, ways: [...ways] }
  caller.keep(step.token)
  return { step: 'signed_in', ticket: null, ways: [] }
}

const signInFactor = openCall({
  path: 'console/sign_in_factor',
  summary: 'The second half of signing in',
  description: 'With a code of the app, a recovery code, or what a passkey has signed.',
  body: z.strictObject({
    ticket,
    code: typedCode.optional(),
    credential: usedCredential.optional(),
  }),
  data: nothing,
  example: { ticket: 'x'.repeat(43), code: '123456' },
  async answer(caller, { ticket: given, code, credential }) {
    const { ctx, visitor, site } = caller
    const token = await proveFactor(ctx, {
      ticket: given,
      proof: credential ? { credential, site } : { code: code ?? missing('code') },
      visitor,
      replaces: caller.cookieToken,
    })
    caller.keep(token)
    return {}
  },
})

function missing(field: string): never {
  throw fieldError(field, 'required')
}

const signInOptions = openCall({
  path: 'console/sign_in_options',
  summary: 'What to ask a passkey for, to sign in',
  description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`. Good for one answer.',
  body: z.strictObject({}),
  data: passkeyOptions,
  example: {},
  answer: async ({ ctx, site }) => ({ ...(await askForOperatorPasskey(ctx, site, 'sign_in')) }),
})

const signInPasskey = openCall({
  path: 'console/sign_in_passkey',
  summary: 'Sign in with a passkey alone',
  description: 'The device and the finger or PIN are two factors in one.',
  body: z.strictObject({ credential: usedCredential }),
  data: nothing,
  example: { credential: USED_CREDENTIAL },
  async answer(caller, { credential }) {
    const { ctx, visitor, site } = caller
    caller.keep(
      await signInWithPasskey(ctx, { credential, site, visitor, replaces: caller.cookieToken }),
    )
    return {}
  },
})

const enrolling = (caller: ConsoleCaller, given: string): Enrolling => ({
  ticket: given,
  visitor: caller.visitor,
  replaces: caller.cookieToken,
})

export const appInvitation = z.object({
  /** otpauth://totp/… */
  uri: z.string(),
  /** To type, in groups of four. */
  seed: z.string(),
  /** SVG. */
  qr: z.string(),
})
export const recoveryCodes = z.object({
  /** Shown this once; empty where there were some before. */
  recovery_codes: z.array(z.string()),
})

const enrolApp = openCall({
  path: 'console/enrol_app',
  summary: 'Make the first factor: the seed of an authenticator app',
  body: z.strictObject({ ticket }),
  data: appInvitation,
  example: { ticket: 'x'.repeat(43) },
  answer: (caller, { ticket: given }) =>
    beginAuthenticator(caller.ctx, enrolling(caller, given), caller.site.shopName),
})

const enrolAppConfirm = openCall({
  path: 'console/enrol_app_confirm',
  summary: 'Turn the app on with its first code, and sign in',
  body: z.strictObject({ ticket, code: typedCode }),
  data: recoveryCodes,
  example: { ticket: 'x'.repeat(43), code: '123456' },
  async answer(caller, { ticket: given, code }) {
    const made = await addAuthenticator(caller.ctx, enrolling(caller, given), code)
    caller.keep(made.token)
    return { recovery_codes: [...made.recoveryCodes] }
  },
})

const enrolPasskeyOptions = openCall({
  path: 'console/enrol_passkey_options',
  summary: 'What to ask a new passkey for, as the first factor',
  description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`. Good for one answer.',
  body: z.strictObject({ ticket }),
  data: passkeyOptions,
  example: { ticket: 'x'.repeat(43) },
  answer: async (caller, { ticket: given }) => ({
    ...(await askToMakePasskey(caller.ctx, enrolling(caller, given), caller.site)),
  }),
})

const enrolPasskey = openCall({
  path: 'console/enrol_passkey',
  summary: 'Keep the new passkey, and sign in',
  body: z.strictObject({ ticket, name: passkeyName, credential: newCredential }),
  data: recoveryCodes,
  example: { ticket: 'x'.repeat(43), name: 'Phone', credential: NEW_CREDENTIAL },
  async answer(caller, { ticket: given, name, credential }) {
    const by = enrolling(caller, given)
    const made = await addOperatorPasskey(caller.ctx, by, { site: caller.site, credential, name })
    caller.keep(made.token)
    return { recovery_codes: [...made.recoveryCodes] }
  },
})

export const SESSION_CALLS = [
  signInCall,
  signInFactor,
  signInOptions,
  signInPasskey,
  enrolApp,
  enrolAppConfirm,
  enrolPasskeyOptions,
  enrolPasskey,
] as const
