import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { screeningService } from '../service.ts'

/** A base address; whether it may be inside the operator's own network is said by another setting. */
const address = z
  .string()
  .refine((text) => {
    const url = URL.parse(text)
    return (
      (url?.protocol === 'https:' || url?.protocol === 'http:') &&
      url.username === '' &&
      url.search === '' &&
      url.hash === ''
    )
  }, 'must be an http or https address')
  .transform((text) => text.replace(/\/+$/, ''))

/** OpenSanctions' API, and yente, the program behind it, which anybody may run. */
export const yente = screeningService({
  code: 'yente',
  name: 'yente (OpenSanctions)',
  settings: {
    YENTE_URL: address,
    YENTE_NETWORK: z
      .enum(['outside', 'inside'], { error: 'must be outside or inside' })
      .default('outside'),
    YENTE_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{8,200}$/, 'must be a key without spaces')
      .transform(secret)
      .optional(),
    YENTE_DATASET: z
      .string()
      .regex(/^[a-z0-9_]{1,60}$/, 'must be the name of a dataset, as sanctions')
      .default('sanctions'),
    YENTE_THRESHOLD: z
      .string()
      .regex(/^(?:0\.\d{1,3}|1(?:\.0)?)$/, 'must be a score between 0 and 1, as 0.7')
      .default('0.7'),
  },
  open: async (settings) => {
    const { openYente } = await import('./yente.ts')
    return openYente({
      url: settings.YENTE_URL,
      isInside: settings.YENTE_NETWORK === 'inside',
      apiKey: settings.YENTE_API_KEY ?? null,
      dataset: settings.YENTE_DATASET,
      threshold: settings.YENTE_THRESHOLD,
    })
  },
})
