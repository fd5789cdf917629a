import { z } from 'zod'
import { LANGUAGE_CODES } from '#kernel/language.ts'

/** Columns `data` of a sign-in under way at another service. */
export const pendingSignIn = z.strictObject({
  platform: z.string(),
  intent: z.enum(['sign_in', 'link']),
  /** SHA-256 of the browser's binding, base64url. */
  binding: z.string(),
  redirect: z.string(),
  language: z.enum(LANGUAGE_CODES),
  /** Nonce and code verifier, sealed, base64url. */
  sealed: z.string(),
})

export const askedSecrets = z.strictObject({ nonce: z.string(), codeVerifier: z.string() })

/** Columns `data` of a ticket for an identity that has no account here. */
export const pendingBind = z.strictObject({
  platform: z.string(),
  /** What the service is called. */
  name: z.string(),
  binding: z.string(),
  redirect: z.string(),
  /** What the service told, sealed, base64url. */
  sealed: z.string(),
})

export const reportedIdentity = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  displayName: z.string(),
})
