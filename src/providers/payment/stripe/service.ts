import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { apiUrlSetting } from '#platform/service-settings.ts'
import { paymentService } from '../service.ts'
import { stripeLimits } from './amounts.ts'

const KEY = /^[rs]k_(?:live|test)_[A-Za-z0-9]{8,250}$/
const SECRETS = /^\s*whsec_[A-Za-z0-9+/=]{8,250}(?:\s*,\s*whsec_[A-Za-z0-9+/=]{8,250})*\s*$/

/** Cards, by Stripe's own page. */
export const stripe = paymentService({
  code: 'stripe',
  settings: {
    STRIPE_SECRET_KEY: z
      .string()
      .regex(KEY, 'must be a secret or restricted key, as it begins with sk_ or rk_')
      .transform(secret),
    STRIPE_WEBHOOK_SECRETS: z
      .string()
      .regex(SECRETS, 'must be signing secrets that begin with whsec_, separated by commas')
      .transform((text) => text.split(',').map((part) => secret(part.trim()))),
    STRIPE_API_URL: apiUrlSetting,
  },
  apiUrl: 'STRIPE_API_URL',
  origins: ['https://checkout.stripe.com'],
  methods: [
    {
      code: 'stripe',
      group: 'card',
      icon: 'card',
      minUsdMinor: 50n,
      maxUsdMinor: 99_999_999n,
    },
  ],
  step: (currency) => stripeLimits(currency)?.step ?? 1n,
  open: async (settings) => {
    const { createStripeProvider } = await import('./stripe.ts')
    return createStripeProvider({
      secretKey: settings.STRIPE_SECRET_KEY,
      webhookSecrets: settings.STRIPE_WEBHOOK_SECRETS,
      ...(settings.STRIPE_API_URL === undefined ? {} : { baseUrl: settings.STRIPE_API_URL }),
    })
  },
})
