import { z } from 'zod'
import {
  parseSettings,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'
import type { SupplyProvider } from './provider.ts'
import { trySupplier, type TriedSupplier } from './try-out.ts'

/** All that the shop knows of a supplier's service before it is opened. */
export interface SupplyService extends ServiceDeclaration {
  /** Settings that are no secrets: an id is shown by its end, a choice among words whole. Any other is never shown. */
  readonly plain?: Readonly<Record<string, 'id' | readonly string[]>>
  /** The setting that says whose account it is; left out where only a secret does. */
  readonly account?: string
  /** Tries settings by asking for the balance, which only reads. */
  readonly tryOut: (given: GivenSettings, now: () => Date) => Promise<TriedSupplier>
  readonly open: (given: GivenSettings, now: () => Date) => Promise<SupplyProvider>
  /** What the demo's own stands behind: an origin on this machine, and the secret shared with it. */
  readonly sandbox: (origin: string, shared: string) => Readonly<Record<string, string>>
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Money and secrets go there: in the clear on this machine only. */
export const supplierUrlSetting = z
  .string()
  .refine((text) => {
    const url = URL.parse(text)
    const isOrigin = url?.pathname === '/' && url.search === '' && url.username === ''
    return isOrigin && (url.protocol === 'https:' || LOOPBACK.has(url.hostname))
  }, 'must be an https address with nothing after its host, or http on this machine')
  .transform((text) => new URL(text).origin)
  .optional()

/** Declares a supplier in its folder; `open` gets its settings read, and imports what it needs only then. */
export function supplyService<Shape extends z.ZodRawShape>(
  service: Omit<SupplyService, 'open' | 'settings' | 'tryOut'> & {
    readonly settings: Shape
    readonly open: (
      settings: z.infer<z.ZodObject<Shape>>,
      now: () => Date,
    ) => Promise<SupplyProvider>
  },
): SupplyService {
  const open: SupplyService['open'] = (given, now) =>
    service.open(parseSettings(service.settings, given), now)
  return {
    ...service,
    open,
    tryOut: async (given, now) => trySupplier(await open(given, now)),
  }
}
