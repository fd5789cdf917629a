import { z } from 'zod'

export const itemCode = z
  .string()
  .min(1)
  .max(160)
  .meta({ examples: ['card:steam:us:20'] })
export const rowId = z.uuid().meta({ examples: ['019abc00-0000-7000-8000-000000000001'] })
export const amountShape = z.object({
  currency: z.string().meta({ examples: ['USD'] }),
  minor: z.string().meta({ examples: ['187500'] }),
})
export const costShape = z.strictObject({
  minor: z.string().regex(/^\d{1,15}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
})
export const supplierName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
