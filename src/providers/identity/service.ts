import { z } from 'zod'
import { secret, type Secret } from '#platform/secret.ts'
import {
  parseSettings,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'
import type { IdentityProvider } from './provider.ts'

/** All that the shop knows of a service that signs people in before it is opened. */
export interface IdentityService extends ServiceDeclaration {
  readonly open: (given: GivenSettings, now: () => Date) => Promise<IdentityProvider>
}

/** Declares a service in its folder; `open` gets its settings read, and imports what it needs only then. */
export function identityService<Shape extends z.ZodRawShape>(
  service: Omit<IdentityService, 'open' | 'settings'> & {
    readonly settings: Shape
    readonly open: (
      settings: z.infer<z.ZodObject<Shape>>,
      now: () => Date,
    ) => Promise<IdentityProvider>
  },
): IdentityService {
  return {
    ...service,
    open: (given, now) => service.open(parseSettings(service.settings, given), now),
  }
}

export interface ClientSettings {
  readonly clientId: string
  readonly clientSecret: Secret
}

export const clientId = z.string().max(300)
export const clientSecret = z.string().max(500).transform(secret)
