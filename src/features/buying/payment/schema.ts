import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'

export const lateMoneySetting: Setting<number> = {
  key: 'late_money_hours',
  summary:
    'Hours in which somebody may still accept money that came too late for its order, before it goes back to its payer.',
  schema: z.int().min(0).max(168),
  fallback: 0,
  example: 24,
}
