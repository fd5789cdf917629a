import { z } from 'zod'

/** How long deliveries of a product take, in seconds from payment. */
export const deliveryPace = z.object({
  usual_seconds: z
    .int()
    .min(1)
    .meta({ description: 'Half of the latest deliveries took no longer', examples: [9] }),
  most_seconds: z
    .int()
    .min(1)
    .meta({ description: '95 of 100 took no longer', examples: [25] }),
  now_seconds: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: 'Half of those of the last hour, where that is much longer; else null',
      examples: [120],
    }),
})
