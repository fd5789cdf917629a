import type { z } from 'zod'
import {
  parseSettings,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'
import type { ScreeningProvider } from './provider.ts'

/** All that the shop knows of a screening service before it is asked. */
export interface ScreeningService extends ServiceDeclaration {
  readonly name: string
  readonly open: (given: GivenSettings) => Promise<ScreeningProvider>
}

/** Declares a service in its folder; `open` gets its settings read, and imports what it needs only then. */
export function screeningService<Shape extends z.ZodRawShape>(
  service: Omit<ScreeningService, 'open' | 'settings'> & {
    readonly settings: Shape
    readonly open: (settings: z.infer<z.ZodObject<Shape>>) => Promise<ScreeningProvider>
  },
): ScreeningService {
  return { ...service, open: (given) => service.open(parseSettings(service.settings, given)) }
}
