import { z } from 'zod'
import { PASSKEY_NAME_MAX } from './rules.ts'

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
/** WebAuthn §5.8.3: at most 1,023 bytes. */
const credentialId = base64url(1_364)
const BODY_MAX = 20_000

/** What else a browser adds to its answer changes nothing and is left out. */
const envelope = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
}

/** What `navigator.credentials.create()` answers, as its `toJSON()` writes it. */
export const newCredential = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: base64url(BODY_MAX),
    attestationObject: base64url(BODY_MAX),
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
})
export type NewCredential = z.infer<typeof newCredential>

/** What `navigator.credentials.get()` answers, as its `toJSON()` writes it. */
export const usedCredential = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: base64url(BODY_MAX),
    authenticatorData: base64url(BODY_MAX),
    signature: base64url(BODY_MAX),
    userHandle: base64url(100).nullish(),
  }),
})
export type UsedCredential = z.infer<typeof usedCredential>

export const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(PASSKEY_NAME_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

/** What the browser says of its own message; the challenge finds the row that it answers. */
export const clientData = z.object({ challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })
