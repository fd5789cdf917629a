import { z } from 'zod'
import { secret, type Secret } from './secret.ts'
import type { GivenSettings, ReadSettings, ServiceSettings } from './service-settings.ts'

/** Who the shop buys from. */
export interface SupplySettings {
  /** Suppliers that are set up. A demo takes no money, so that it spends none: it does not open them. */
  readonly services: ServiceSettings
  /** Addresses and what belongs to them, also of suppliers whose other settings are entered in the console. */
  readonly apiUrls: GivenSettings
  /** Shared with the demo's own suppliers; null outside the demo. */
  readonly sandboxSecret: Secret | null
}

export const supplySettings = {
  SANDBOX_SUPPLY_SECRET: z.string().min(32).max(200).transform(secret).optional(),
}

export function supplySettingsOf(
  values: z.infer<z.ZodObject<typeof supplySettings>>,
  { settings: services, apiUrls }: ReadSettings,
  isDemo: boolean,
): SupplySettings {
  return Object.freeze({
    services,
    apiUrls,
    sandboxSecret: isDemo ? (values.SANDBOX_SUPPLY_SECRET ?? null) : null,
  })
}
