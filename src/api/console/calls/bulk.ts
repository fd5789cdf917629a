import { z } from 'zod'
import { askForBulk, cancelBulk, dismissBulk } from '#features/office/bulk/commands.ts'
import { listBulkRuns } from '#features/office/bulk/queries.ts'
import { BULK_ACTS, BULK_FAILURES, BULK_ORDERS_MAX } from '#features/office/bulk/rules.ts'
import { bulkView } from '#features/office/bulk/views.ts'
import { operatorCall } from '../call.ts'
import { nothing, publicId } from './shapes.ts'

const ID = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const order = z
  .string()
  .regex(/^\d{13}$/)
  .meta({ examples: ['4821730951266'] })

const severalAsk = operatorCall({
  path: 'console/orders/several',
  summary: 'Cancel, or try again, several orders; the worker does it',
  description:
    'Each is left alone that has changed since this call. `cancel` needs `order.decide`, `requeue` needs `order.deliver`.',
  body: z.strictObject({
    act: z.enum(BULK_ACTS),
    orders: z.array(order).min(1).max(BULK_ORDERS_MAX),
  }),
  data: z.object({ id: publicId }),
  example: { act: 'requeue', orders: ['4821730951266'] },
  answer: async ({ ctx }, given) => ({ id: await askForBulk(ctx, given) }),
})

const severalList = operatorCall({
  path: 'console/orders/several/list',
  summary: 'How far what you asked for has come, and which orders could not be done',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      act: z.enum(BULK_ACTS),
      state: z.enum(['waiting', 'running', 'done', 'cancelled']),
      count: z.number(),
      done: z.number(),
      failures: z.array(z.object({ order, why: z.enum(BULK_FAILURES), text: z.string() })),
    }),
  ),
  example: {},
  answer: async ({ ctx, t }) =>
    (await listBulkRuns(ctx.db, ctx.operator.id)).map((run) => bulkView(t, run)),
})

const severalCancel = operatorCall({
  path: 'console/orders/several/cancel',
  summary: 'End what is under way; what is done stays done',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: ID },
  async answer({ ctx }, { id }) {
    await cancelBulk(ctx, id)
    return {}
  },
})

const severalDismiss = operatorCall({
  path: 'console/orders/several/dismiss',
  summary: 'Put away what came of it',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: ID },
  async answer({ ctx }, { id }) {
    await dismissBulk(ctx, id)
    return {}
  },
})

export const BULK_CALLS = [severalAsk, severalList, severalCancel, severalDismiss] as const
