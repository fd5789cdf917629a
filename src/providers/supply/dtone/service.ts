import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Airtime, data and PINs. */
export const dtone = supplyService({
  code: 'dtone',
  settings: {
    DTONE_API_KEY: z.string().max(200),
    DTONE_API_SECRET: z.string().max(200).transform(secret),
    DTONE_CALLBACK_CREDENTIALS: z
      .string()
      .max(400)
      .regex(/^[^:]+:.+$/, 'must be a user and a password with a colon between them')
      .transform(secret)
      .optional(),
    DTONE_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    DTONE_API_URL: supplierUrlSetting,
  },
  apiUrl: 'DTONE_API_URL',
  plain: { DTONE_API_KEY: 'id', DTONE_ENVIRONMENT: ['live', 'sandbox'] },
  sandbox: (origin, shared) => ({
    DTONE_API_KEY: 'sandbox',
    DTONE_API_SECRET: shared,
    DTONE_CALLBACK_CREDENTIALS: `sandbox:${shared}`,
    DTONE_ENVIRONMENT: 'sandbox',
    DTONE_API_URL: origin,
  }),
  open: async (settings) => {
    const { createDtoneSupplier, DTONE_TIMEOUT_MS } = await import('./dtone.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    const own = `https://${settings.DTONE_ENVIRONMENT === 'live' ? '' : 'preprod-'}dvs-api.dtone.com`
    return createDtoneSupplier({
      key: settings.DTONE_API_KEY,
      secret: settings.DTONE_API_SECRET,
      callbackCredentials: settings.DTONE_CALLBACK_CREDENTIALS ?? null,
      baseUrl: settings.DTONE_API_URL ?? own,
      client: openSupplyClient({ timeoutMs: DTONE_TIMEOUT_MS }),
    })
  },
})
