import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Indonesia's phones and games. */
export const digiflazz = supplyService({
  code: 'digiflazz',
  settings: {
    DIGIFLAZZ_USERNAME: z.string().max(200),
    DIGIFLAZZ_API_KEY: z.string().max(200).transform(secret),
    DIGIFLAZZ_WEBHOOK_SECRET: z.string().max(200).transform(secret).optional(),
    DIGIFLAZZ_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    DIGIFLAZZ_API_URL: supplierUrlSetting,
  },
  apiUrl: 'DIGIFLAZZ_API_URL',
  plain: { DIGIFLAZZ_USERNAME: 'id', DIGIFLAZZ_ENVIRONMENT: ['live', 'sandbox'] },
  account: 'DIGIFLAZZ_USERNAME',
  sandbox: (origin, shared) => ({
    DIGIFLAZZ_USERNAME: 'sandbox',
    DIGIFLAZZ_API_KEY: shared,
    DIGIFLAZZ_WEBHOOK_SECRET: shared,
    DIGIFLAZZ_ENVIRONMENT: 'sandbox',
    DIGIFLAZZ_API_URL: origin,
  }),
  open: async (settings, now) => {
    const { createDigiflazzSupplier, DIGIFLAZZ_TIMEOUT_MS } = await import('./digiflazz.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    return createDigiflazzSupplier({
      username: settings.DIGIFLAZZ_USERNAME,
      apiKey: settings.DIGIFLAZZ_API_KEY,
      webhookSecret: settings.DIGIFLAZZ_WEBHOOK_SECRET ?? null,
      isTest: settings.DIGIFLAZZ_ENVIRONMENT === 'sandbox',
      baseUrl: settings.DIGIFLAZZ_API_URL ?? 'https://api.digiflazz.com',
      client: openSupplyClient({ timeoutMs: DIGIFLAZZ_TIMEOUT_MS, maxBytes: 4 * 1024 * 1024 }),
      now,
    })
  },
})
