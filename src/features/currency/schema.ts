import { z } from 'zod'

/** The row `rate_max_age_hours` of the table `setting`: from one hour to a year. */
export const rateMaxAgeHours = z.int().min(1).max(8_784)
