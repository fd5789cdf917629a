import { webhookSecret } from '#features/buying/webhook/engine/signed.ts'
import { changeNotice, type Outbox } from '#features/buying/webhook/engine/outbox.ts'
import { recordTestAttempt, takeTestDelivery } from './commands.ts'
import { listDueTestKeys } from './queries.ts'
import { numberOf, statusOf } from './engine/standing.ts'

/** What resellers are told of their test orders. Its few places are its own: what is tried keeps nobody from hearing of an order. */
export const TEST_OUTBOX: Outbox = {
  places: 4,
  listDue: ({ db, now }, busy, limit) => listDueTestKeys(db, now(), busy, limit),
  async take(ctx, keyId) {
    const delivery = await takeTestDelivery(ctx, keyId)
    if (!delivery) return null
    const { id, attempts, url, key, salt, order, lines, orderedAt } = delivery
    const status = statusOf({ lines, createdAt: orderedAt }, ctx.now())
    const body = {
      ...changeNotice({ ...delivery, orderNumber: numberOf(order), status }),
      test: true,
    }
    return {
      id,
      attempts,
      url,
      secret: webhookSecret(ctx.keys, key, salt),
      body: JSON.stringify(body),
    }
  },
  record: recordTestAttempt,
}
