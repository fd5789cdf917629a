import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { LOW_DAYS_MOST } from './rules.ts'

const DEFAULT_LOW_DAYS = 3

export const lowStockSetting: Setting<number> = {
  key: 'low_stock_days',
  summary:
    'Days of cover below which a shelf of card keys counts as low and somebody is told, where the shelf has no number of its own.',
  schema: z.int().min(0).max(LOW_DAYS_MOST),
  fallback: DEFAULT_LOW_DAYS,
  example: 7,
}
