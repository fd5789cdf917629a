import { z } from 'zod'
import { disableEndpoint, replayDeliveries } from '#features/buying/webhook/commands.ts'
import { listDeliveries, listEndpoints } from '#features/buying/webhook/queries.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, publicId } from './shapes.ts'

const PAGE = 50

const webhooksList = operatorCall({
  path: 'console/webhooks/list',
  summary: 'Where resellers are told of their orders, and how that goes',
  body: z.object({}),
  data: z.array(
    z.object({
      endpoint: publicId,
      account: z.string().nullable(),
      url: z.string(),
      is_on: z.boolean(),
      waiting: z.number(),
      given_up: z.number(),
      delivered: z.number(),
      tried: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    return (await listEndpoints(ctx.db)).map((each) => ({
      endpoint: each.endpoint,
      account: each.email,
      url: each.url,
      is_on: each.status === 'on',
      waiting: each.waiting,
      given_up: each.givenUp,
      delivered: each.delivered,
      tried: each.lastAttemptAt?.toISOString() ?? null,
    }))
  },
})

const webhooksDeliveries = operatorCall({
  path: 'console/webhooks/deliveries',
  summary: 'What an endpoint was told, newest first',
  description: 'A page at a time: `next` is the `before` of the following one, null at the end.',
  body: z.object({ endpoint: publicId, before: publicId.optional() }),
  data: z.object({
    deliveries: z.array(
      z.object({
        delivery: publicId,
        order: z.string(),
        order_status: z.string(),
        state: z.enum(['waiting', 'delivered', 'given_up']),
        attempts: z.number(),
        /** What the endpoint answered last. */
        answer: z.string().nullable(),
        made: moment,
        due: moment.nullable(),
      }),
    ),
    next: publicId.nullable(),
  }),
  example: { endpoint: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { endpoint, before }) {
    const found = await listDeliveries(ctx.db, endpoint, PAGE + 1, before)
    const { shown, last } = pageOf(found, PAGE)
    return {
      deliveries: shown.map((each) => ({
        delivery: each.delivery,
        order: each.orderNumber,
        order_status: each.orderStatus,
        state: each.state,
        attempts: each.attempts,
        answer: each.answer,
        made: each.createdAt.toISOString(),
        due: each.state === 'waiting' ? each.dueAt.toISOString() : null,
      })),
      next: last?.delivery ?? null,
    }
  },
})

const webhooksReplay = operatorCall({
  path: 'console/webhooks/replay',
  summary: 'Tell something again: one delivery, or all that an endpoint never took',
  body: z.strictObject({ id: publicId.describe('Of a delivery, or of an endpoint') }),
  data: z.object({ deliveries: z.number() }),
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  answer: async ({ ctx }, { id }) => ({ deliveries: await replayDeliveries(ctx, id) }),
})

const webhooksDisable = operatorCall({
  path: 'console/webhooks/disable',
  summary: 'Tell an endpoint nothing more; what waits for it is given up',
  body: z.strictObject({ endpoint: publicId }),
  data: nothing,
  example: { endpoint: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { endpoint }) {
    await disableEndpoint(ctx, endpoint)
    return {}
  },
})

export const WEBHOOKS_CALLS = [
  webhooksList,
  webhooksDeliveries,
  webhooksReplay,
  webhooksDisable,
] as const
