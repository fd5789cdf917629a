import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { COUNTED, DEFAULT_GATE, LIMIT_HOURS_MAX, type GateSettings } from './rules.ts'

const limit = z
  .strictObject({
    per: z.enum(COUNTED),
    hours: z.int().min(1).max(LIMIT_HOURS_MAX),
    units: z.int().min(1).max(100_000).optional(),
    usd_minor: z.int().min(1).max(1_000_000_000).optional(),
    verdict: z.enum(['hold', 'refuse']).default('hold'),
  })
  .refine(
    ({ units, usd_minor }) => units !== undefined || usd_minor !== undefined,
    'a limit says units, usd_minor or both',
  )

/** The row `delivery_gate` of the table `setting`. */
const gate = z
  .strictObject({
    screening: z.boolean().default(DEFAULT_GATE.screening),
    screening_hours: z.int().min(1).max(720).default(DEFAULT_GATE.screeningHours),
    own_keys: z.boolean().default(DEFAULT_GATE.ownKeys),
    limits: z.array(limit).max(12).default([]),
  })
  .transform(
    (row): GateSettings => ({
      screening: row.screening,
      screeningHours: row.screening_hours,
      ownKeys: row.own_keys,
      limits: row.limits.map((each) => ({
        per: each.per,
        hours: each.hours,
        units: each.units ?? null,
        usdMinor: each.usd_minor === undefined ? null : BigInt(each.usd_minor),
        verdict: each.verdict,
      })),
    }),
  )

export const gateSetting: Setting<GateSettings> = {
  key: 'delivery_gate',
  summary:
    'How much may go to one phone, player or shopper before somebody looks at it, and whether a service is asked about shoppers.',
  schema: gate,
  fallback: DEFAULT_GATE,
  example: {
    screening: false,
    screening_hours: 24,
    own_keys: false,
    limits: [
      { per: 'phone', hours: 24, units: 10, usd_minor: 20_000 },
      { per: 'player', hours: 24, usd_minor: 50_000 },
      { per: 'shopper', hours: 24, usd_minor: 100_000 },
    ],
  },
}
