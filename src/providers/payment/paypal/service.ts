import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { apiUrlSetting } from '#platform/service-settings.ts'
import { paymentService } from '../service.ts'
import { paypalLimits } from './amounts.ts'

/** The payer's PayPal account, on PayPal's pages. */
export const paypal = paymentService({
  code: 'paypal',
  settings: {
    PAYPAL_CLIENT_ID: z.string().max(200),
    PAYPAL_CLIENT_SECRET: z.string().max(200).transform(secret),
    PAYPAL_WEBHOOK_ID: z.string().max(200),
    PAYPAL_ENVIRONMENT: z
      .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
      .default('live'),
    PAYPAL_API_URL: apiUrlSetting,
  },
  apiUrl: 'PAYPAL_API_URL',
  origins: ['https://www.paypal.com', 'https://www.sandbox.paypal.com'],
  methods: [
    {
      code: 'paypal',
      group: 'card',
      icon: 'wallet',
      minUsdMinor: 100n,
      maxUsdMinor: 1_000_000n,
    },
  ],
  step: (currency) => paypalLimits(currency)?.step ?? 1n,
  plain: {
    PAYPAL_CLIENT_ID: 'id',
    PAYPAL_WEBHOOK_ID: 'id',
    PAYPAL_ENVIRONMENT: ['live', 'sandbox'],
  },
  modeOf: ({ PAYPAL_ENVIRONMENT: environment }) => (environment === 'live' ? 'live' : 'test'),
  tryOut: async (settings, now) => {
    const { tryPaypalSettings } = await import('./try-out.ts')
    return tryPaypalSettings({
      clientId: settings.PAYPAL_CLIENT_ID,
      clientSecret: settings.PAYPAL_CLIENT_SECRET,
      environment: settings.PAYPAL_ENVIRONMENT,
      now,
      ...(settings.PAYPAL_API_URL === undefined ? {} : { baseUrl: settings.PAYPAL_API_URL }),
    })
  },
  open: async (settings, now) => {
    const { createPaypalProvider } = await import('./paypal.ts')
    return createPaypalProvider({
      clientId: settings.PAYPAL_CLIENT_ID,
      clientSecret: settings.PAYPAL_CLIENT_SECRET,
      webhookId: settings.PAYPAL_WEBHOOK_ID,
      environment: settings.PAYPAL_ENVIRONMENT,
      ...(settings.PAYPAL_API_URL === undefined ? {} : { baseUrl: settings.PAYPAL_API_URL }),
      now,
    })
  },
})
