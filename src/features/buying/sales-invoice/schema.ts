import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import type { Invoicing } from './rules.ts'

const line = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\u2028\u2029]+$/u)
const series = z.string().regex(/^[A-Z0-9]{1,10}$/, 'must be 1 to 10 capital letters and digits')

/** Set: invoices are made. What they must say of the shop has no default. */
export const invoiceSetting: Setting<Invoicing | null> = {
  key: 'invoice',
  summary:
    'Numbered invoices for paid orders: who sells, by which tax number, and how long they are kept.',
  schema: z
    .strictObject({
      name: line,
      address: z.array(line).min(1).max(6),
      tax_id: line,
      series: series.default('INV'),
      credit_series: series.default('CN'),
      kept_years: z.int().min(1).max(30).default(10),
    })
    .refine((value) => value.series !== value.credit_series, {
      path: ['credit_series'],
      message: 'must be another than series',
    }),
  fallback: null,
  example: {
    name: 'Example Trading Ltd',
    address: ['1 High Street', 'Dublin D01 AB12', 'Ireland'],
    tax_id: 'IE1234567A',
  },
}
