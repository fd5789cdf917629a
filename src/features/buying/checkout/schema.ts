import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import type { TaxRates } from './rules.ts'

/** By country, the tax that prices include, in hundredths of a percent. */
const taxRates = z.record(
  z.string().regex(/^[A-Z]{2}$/),
  z.strictObject({ basis_points: z.int().min(0).max(10_000), included: z.literal(true) }),
)

export const taxSetting: Setting<TaxRates> = {
  key: 'tax',
  summary: "Tax that prices include, by the buyer's country, in hundredths of a percent.",
  schema: taxRates,
  fallback: {},
  example: { DE: { basis_points: 1_900, included: true } },
}
