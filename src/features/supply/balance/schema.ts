import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { DEFAULT_COVER, type CoverSettings } from './rules.ts'

/** The row `supply_balance` of the table `setting`. */
export const coverSetting: Setting<CoverSettings> = {
  key: 'supply_balance',
  summary: 'Hours that a balance at a supplier has to last for; below them somebody is told.',
  schema: z
    .strictObject({ alert_hours: z.int().min(1).max(2_000).default(DEFAULT_COVER.alertHours) })
    .transform((row): CoverSettings => ({ alertHours: row.alert_hours })),
  fallback: DEFAULT_COVER,
  example: { alert_hours: 48 },
}
