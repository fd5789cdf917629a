import { z } from 'zod'
import { secret, type Secret } from './secret.ts'
import type { ServiceSettings } from './service-settings.ts'

/** How people sign in with accounts that they have elsewhere. */
export interface IdentitySettings {
  /** Outside services that are set up. */
  readonly services: ServiceSettings
  /** What the shop and the demo's own provider share, made anew at every start; null outside the demo. */
  readonly sandboxSecret: Secret | null
}

export const identitySettings = {
  SANDBOX_IDENTITY_SECRET: z.string().max(500).transform(secret).optional(),
}
