import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { RATE_MAX_AGE_HOURS } from './rules.ts'

/** From one hour to a year. */
export const rateAgeSetting: Setting<number> = {
  key: 'rate_max_age_hours',
  summary: 'Hours after which a rate of exchange is too old to sell by.',
  schema: z.int().min(1).max(8_784),
  fallback: RATE_MAX_AGE_HOURS,
  example: 24,
}
