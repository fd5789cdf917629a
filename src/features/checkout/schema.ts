import { z } from 'zod'

/** The row `tax` of the table `setting`: by country, the tax that prices include, in hundredths of a percent. */
export const taxRates = z.record(
  z.string().regex(/^[A-Z]{2}$/),
  z.strictObject({ basis_points: z.int().min(0).max(10_000), included: z.literal(true) }),
)
