import { z } from 'zod'
import { LANGUAGE_CODES } from '#kernel/language.ts'

/** Payload of the job `mail_reset_code`. */
export const resetCodePayload = z.strictObject({
  userName: z.string().max(200),
  language: z.enum(LANGUAGE_CODES),
  asker: z.string().max(22).optional(),
})

/** Payload of the job `sign_in_paused`. */
export const signInPausedPayload = z.strictObject({
  kind: z.enum(['email', 'user_name']),
  text: z.string().max(300),
})
