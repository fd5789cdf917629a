import { z } from 'zod'
import { secret, type Secret } from '#platform/secret.ts'
import { apiUrlSetting } from '#platform/service-settings.ts'
import { paymentService } from '../service.ts'
import { stripeLimits } from './amounts.ts'
import type { StripeOptions } from './stripe.ts'

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
  modeOf: ({ STRIPE_SECRET_KEY: key }) => (/^[rs]k_test_/.test(key.reveal()) ? 'test' : 'live'),
  tryOut: async (settings) => {
    const { tryStripeSettings } = await import('./try-out.ts')
    return tryStripeSettings(optionsOf(settings))
  },
  open: async (settings) => {
    const { createStripeProvider } = await import('./stripe.ts')
    return createStripeProvider(optionsOf(settings))
  },
})

function optionsOf(settings: {
  readonly STRIPE_SECRET_KEY: Secret
  readonly STRIPE_WEBHOOK_SECRETS: readonly Secret[]
  readonly STRIPE_API_URL?: string | undefined
}): StripeOptions {
  return {
    secretKey: settings.STRIPE_SECRET_KEY,
    webhookSecrets: settings.STRIPE_WEBHOOK_SECRETS,
    ...(settings.STRIPE_API_URL === undefined ? {} : { baseUrl: settings.STRIPE_API_URL }),
  }
}
