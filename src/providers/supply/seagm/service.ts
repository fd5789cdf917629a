import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Game top-ups, recharges and cards. */
export const seagm = supplyService({
  code: 'seagm',
  settings: {
    SEAGM_UID: z.string().max(200),
    SEAGM_SECRET: z.string().max(200).transform(secret),
    SEAGM_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    SEAGM_API_URL: supplierUrlSetting,
  },
  apiUrl: 'SEAGM_API_URL',
  plain: { SEAGM_UID: 'id', SEAGM_ENVIRONMENT: ['live', 'sandbox'] },
  account: 'SEAGM_UID',
  sandbox: (origin, shared) => ({
    SEAGM_UID: 'sandbox',
    SEAGM_SECRET: shared,
    SEAGM_ENVIRONMENT: 'sandbox',
    SEAGM_API_URL: origin,
  }),
  open: async (settings, now) => {
    const { createSeagmSupplier, SEAGM_TIMEOUT_MS } = await import('./seagm.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    const own = `https://openapi.seagm.${settings.SEAGM_ENVIRONMENT === 'live' ? 'com' : 'io'}`
    return createSeagmSupplier({
      uid: settings.SEAGM_UID,
      secret: settings.SEAGM_SECRET,
      baseUrl: settings.SEAGM_API_URL ?? own,
      client: openSupplyClient({ timeoutMs: SEAGM_TIMEOUT_MS }),
      now,
    })
  },
})
