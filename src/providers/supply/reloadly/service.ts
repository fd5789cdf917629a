import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Airtime, data and gift cards. */
export const reloadly = supplyService({
  code: 'reloadly',
  settings: {
    RELOADLY_CLIENT_ID: z.string().max(200),
    RELOADLY_CLIENT_SECRET: z.string().max(200).transform(secret),
    RELOADLY_WEBHOOK_SECRETS: z
      .string()
      .max(1_000)
      .transform((text) => text.split(',').map((part) => secret(part.trim())))
      .optional(),
    RELOADLY_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    RELOADLY_API_URL: supplierUrlSetting,
  },
  apiUrl: 'RELOADLY_API_URL',
  plain: { RELOADLY_CLIENT_ID: 'id', RELOADLY_ENVIRONMENT: ['live', 'sandbox'] },
  account: 'RELOADLY_CLIENT_ID',
  sandbox: (origin, shared) => ({
    RELOADLY_CLIENT_ID: 'sandbox',
    RELOADLY_CLIENT_SECRET: shared,
    RELOADLY_WEBHOOK_SECRETS: shared,
    RELOADLY_ENVIRONMENT: 'sandbox',
    RELOADLY_API_URL: origin,
  }),
  open: async (settings, now) => {
    const { createReloadlySupplier, RELOADLY_TIMEOUT_MS } = await import('./reloadly.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    return createReloadlySupplier({
      clientId: settings.RELOADLY_CLIENT_ID,
      clientSecret: settings.RELOADLY_CLIENT_SECRET,
      webhookSecrets: settings.RELOADLY_WEBHOOK_SECRETS ?? [],
      environment: settings.RELOADLY_ENVIRONMENT,
      client: openSupplyClient({ timeoutMs: RELOADLY_TIMEOUT_MS }),
      ...(settings.RELOADLY_API_URL === undefined ? {} : { baseUrl: settings.RELOADLY_API_URL }),
      now,
    })
  },
})
