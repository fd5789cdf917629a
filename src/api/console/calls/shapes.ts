import { z } from 'zod'
import { PERMISSIONS, PROOF_KINDS, THEMES } from '#features/team/operator/rules.ts'
import { LANGUAGES, type LanguageCode } from '#kernel/language.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'

export const moment = z.iso.datetime().meta({ examples: ['2026-11-20T15:41:00.000Z'] })
export const publicId = z
  .string()
  .regex(PUBLIC_ID)
  .meta({ examples: ['Zt3qN0f5Qy2mB7sJ1kVx9A'] })
export const operatorName = z
  .string()
  .max(40)
  .meta({ examples: ['mara'] })
export const ticket = z.string().max(100)
export const typedCode = z.string().max(40)
export const password = z.string().min(1).max(500)
export const permission = z.enum(PERMISSIONS)
export const proofKind = z.enum(PROOF_KINDS)
export const theme = z.enum(THEMES)
const CODES = LANGUAGES.map(({ code }) => code) as [LanguageCode, ...LanguageCode[]]
export const language = z.enum(CODES)
export const way = z.enum(['passkey', 'code', 'recovery'])
export const shownFactor = z.enum(['none', 'totp', 'recovery', 'passkey'])
export const nothing = z.object({})
/** For `PublicKeyCredential.parse…OptionsFromJSON`, as WebAuthn has them. */
export const passkeyOptions = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ challenge: 'AAAA', rpId: 'shop.example' }] })

const SHOWN = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
/** As `toJSON()` of a browser's credential writes them, in short. */
export const USED_CREDENTIAL = {
  ...SHOWN,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}
export const NEW_CREDENTIAL = {
  ...SHOWN,
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
}
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
