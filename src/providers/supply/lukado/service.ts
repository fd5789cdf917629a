import { z } from 'zod'
import { newRequestId } from '#platform/ctx.ts'
import { secret } from '#platform/secret.ts'
import { supplierUrlSetting, supplyService } from '../service.ts'

const shared = z.string().min(16, 'must be as the other shop gave it').max(200).transform(secret)

/** Another shop of this program. */
export const lukado = supplyService({
  code: 'lukado',
  settings: {
    SUPPLY_LUKADO_URL: supplierUrlSetting.unwrap(),
    SUPPLY_LUKADO_KEY: z
      .string()
      .regex(/^[\w-]{10,40}$/, 'must be the id of a key')
      .refine((id) => !id.startsWith('test_'), 'is a test key: what it buys is no code')
      .transform(secret),
    SUPPLY_LUKADO_SECRET: shared,
    SUPPLY_LUKADO_CURRENCY: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency like USD')
      .default('USD'),
    SUPPLY_LUKADO_WEBHOOK_SECRET: shared.optional(),
    SUPPLY_LUKADO_NETWORK: z
      .enum(['outside', 'inside'], { error: 'must be outside or inside' })
      .default('outside'),
  },
  apiUrl: 'SUPPLY_LUKADO_URL',
  environmentOnly: ['SUPPLY_LUKADO_NETWORK'],
  plain: { SUPPLY_LUKADO_CURRENCY: 'id' },
  sandbox: (origin, sharedSecret) => ({
    SUPPLY_LUKADO_URL: origin,
    SUPPLY_LUKADO_KEY: 'sandbox-key-0',
    SUPPLY_LUKADO_SECRET: sharedSecret,
    SUPPLY_LUKADO_WEBHOOK_SECRET: sharedSecret,
  }),
  open: async (settings, now) => {
    const { createLukadoSupplier, LUKADO_TIMEOUT_MS } = await import('./lukado.ts')
    const { openHookClient } = await import('../hook/client.ts')
    const { openSupplyClient } = await import('../wire/client.ts')
    const maxBytes = 8 * 1024 * 1024
    return createLukadoSupplier({
      origin: settings.SUPPLY_LUKADO_URL,
      key: settings.SUPPLY_LUKADO_KEY.reveal(),
      secret: settings.SUPPLY_LUKADO_SECRET,
      currency: settings.SUPPLY_LUKADO_CURRENCY,
      webhookSecret: settings.SUPPLY_LUKADO_WEBHOOK_SECRET ?? null,
      client:
        settings.SUPPLY_LUKADO_NETWORK === 'inside'
          ? openSupplyClient({ timeoutMs: LUKADO_TIMEOUT_MS, maxBytes })
          : openHookClient(LUKADO_TIMEOUT_MS, true, maxBytes),
      now,
      newNonce: newRequestId,
    })
  },
})
