import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Game keys. */
export const kinguin = supplyService({
  code: 'kinguin',
  settings: {
    KINGUIN_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{8,200}$/, 'must be a key without spaces')
      .transform(secret),
    KINGUIN_EVENT_SECRET: z.string().min(8).max(200).transform(secret).optional(),
    KINGUIN_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    KINGUIN_API_URL: supplierUrlSetting,
  },
  apiUrl: 'KINGUIN_API_URL',
  plain: { KINGUIN_ENVIRONMENT: ['live', 'sandbox'] },
  sandbox: (origin, shared) => ({
    KINGUIN_API_KEY: shared,
    KINGUIN_EVENT_SECRET: shared,
    KINGUIN_ENVIRONMENT: 'sandbox',
    KINGUIN_API_URL: origin,
  }),
  open: async (settings) => {
    const { createKinguinSupplier, KINGUIN_TIMEOUT_MS } = await import('./kinguin.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    const own = `https://gateway.${settings.KINGUIN_ENVIRONMENT === 'live' ? '' : 'sandbox.'}kinguin.net`
    return createKinguinSupplier({
      apiKey: settings.KINGUIN_API_KEY,
      eventSecret: settings.KINGUIN_EVENT_SECRET ?? null,
      baseUrl: `${settings.KINGUIN_API_URL ?? own}/esa/api`,
      client: openSupplyClient({ timeoutMs: KINGUIN_TIMEOUT_MS }),
    })
  },
})
