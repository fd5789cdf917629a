import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import type { LateRule } from './rules.ts'

export const lateDeliverySetting: Setting<LateRule> = {
  key: 'late_delivery',
  summary:
    'What is late: `factor` times as long as 95 of 100 deliveries took, or as was estimated; its buyer is told once. After `refund_after_hours` (null: never) what still waits and is certainly not bought goes back by itself.',
  schema: z
    .strictObject({
      factor: z.number().min(1).max(100).default(2),
      refund_after_hours: z.number().int().min(1).max(720).nullable().default(null),
    })
    .transform(({ factor, refund_after_hours: hours }) => ({ factor, refundAfterHours: hours })),
  fallback: { factor: 2, refundAfterHours: null },
  example: { factor: 2, refund_after_hours: 6 },
}
