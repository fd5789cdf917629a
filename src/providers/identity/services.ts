import { apple } from './apple/service.ts'
import { discord } from './discord/service.ts'
import { facebook } from './facebook/service.ts'
import { google } from './google/service.ts'
import { oidc } from './oidc/service.ts'
import type { IdentityService } from './service.ts'

/** Every sign-in service that this program knows, in the order of their buttons. A new one is its folder and a line here. */
export const IDENTITY_SERVICES: readonly IdentityService[] = [
  google,
  apple,
  facebook,
  discord,
  oidc,
]
