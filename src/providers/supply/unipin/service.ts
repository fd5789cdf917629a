import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

/** Games, with a check of the player, and vouchers. Its hosts are told with the contract, so that the address is a setting that is needed. */
export const unipin = supplyService({
  code: 'unipin',
  settings: {
    UNIPIN_PARTNER_ID: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be an id without spaces'),
    UNIPIN_SECRET: z.string().max(200).transform(secret),
    UNIPIN_API_URL: supplierUrlSetting.unwrap(),
    UNIPIN_VOUCHER_CURRENCY: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be the code of a currency, as IDR')
      .optional(),
  },
  apiUrl: 'UNIPIN_API_URL',
  plain: { UNIPIN_PARTNER_ID: 'id', UNIPIN_VOUCHER_CURRENCY: 'id' },
  account: 'UNIPIN_PARTNER_ID',
  sandbox: (origin, shared) => ({
    UNIPIN_PARTNER_ID: 'sandbox',
    UNIPIN_SECRET: shared,
    UNIPIN_API_URL: origin,
    UNIPIN_VOUCHER_CURRENCY: 'USD',
  }),
  open: async (settings, now) => {
    const { createUnipinSupplier, UNIPIN_TIMEOUT_MS } = await import('./unipin.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    return createUnipinSupplier({
      partnerId: settings.UNIPIN_PARTNER_ID,
      secret: settings.UNIPIN_SECRET,
      baseUrl: settings.UNIPIN_API_URL,
      voucherCurrency: settings.UNIPIN_VOUCHER_CURRENCY ?? null,
      client: openSupplyClient({ timeoutMs: UNIPIN_TIMEOUT_MS }),
      now,
    })
  },
})
