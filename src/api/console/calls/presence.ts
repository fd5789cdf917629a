import { z } from 'zod'
import { leaveOrder, lookAtOrder } from '#features/office/live/commands.ts'
import { operatorCall } from '../call.ts'
import { nothing } from './shapes.ts'

const order = z
  .string()
  .regex(/^\d{13}$/)
  .meta({ examples: ['4821730951266'] })

const ordersLook = operatorCall({
  path: 'console/orders/look',
  summary: 'Say that you have an order before you, and hear who else has',
  description: 'Said anew every ten seconds; nothing of it is kept longer than half a minute.',
  body: z.strictObject({ order }),
  data: z.object({ others: z.array(z.string()).meta({ examples: [['Anna']] }) }),
  example: { order: '4821730951266' },
  answer: async ({ ctx }, given) => ({
    others: (await lookAtOrder(ctx, given.order)).map(({ name }) => name),
  }),
})

const ordersLeave = operatorCall({
  path: 'console/orders/leave',
  summary: 'Say that you have an order before you no more',
  body: z.strictObject({ order }),
  data: nothing,
  example: { order: '4821730951266' },
  async answer({ ctx }, given) {
    await leaveOrder(ctx, given.order)
    return {}
  },
})

export const PRESENCE_CALLS = [ordersLook, ordersLeave] as const
