import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { isReceiver, isWebhookSecret } from './rules.ts'

export interface AlertSettings {
  readonly email: string | null
  readonly language: LanguageCode
  readonly webhook: { readonly url: string; readonly secret: string } | null
}

const URL_MAX = 2_000

export const alertsSetting: Setting<AlertSettings> = {
  key: 'alerts',
  summary: 'whom the shop tells when something needs a person',
  schema: z
    .strictObject({
      email: z.email('must be an email address').max(254).optional(),
      language: z.enum(LANGUAGE_CODES).default('en'),
      webhook: z
        .string()
        .max(URL_MAX)
        .refine(
          isReceiver,
          'must be an https address without a name, password or fragment, or http on this machine',
        )
        .optional(),
      webhook_secret: z
        .string()
        .refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64')
        .optional(),
    })
    .refine(
      ({ webhook, webhook_secret: secret }) => webhook === undefined || secret !== undefined,
      'webhook needs webhook_secret, which must be set before it',
    )
    .transform(({ email, language, webhook, webhook_secret: secret }) => ({
      email: email ?? null,
      language,
      webhook: webhook !== undefined && secret !== undefined ? { url: webhook, secret } : null,
    })),
  fallback: { email: null, language: 'en', webhook: null },
  secretParts: ['webhook_secret'],
  isTold: true,
  example: {
    email: 'owner@corner.example',
    language: 'en',
    webhook: 'https://alerts.corner.example/shop',
    webhook_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
  },
}
