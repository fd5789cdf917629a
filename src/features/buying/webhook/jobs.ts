import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/ctx.ts'
import type { SupplyClient } from '#providers/supply/wire/client.ts'
import { recordAttempt, takeDelivery, type TakenDelivery } from './commands.ts'
import { changeNotice, type Message, type Outbox } from './engine/outbox.ts'
import { webhookSecret, webhookSignature } from './engine/signed.ts'
import { listDueEndpoints } from './queries.ts'
import { ENDPOINTS_AT_ONCE, isTaken } from './rules.ts'

/** How often it is looked whether something is due. */
const LOOKED_EVERY_MS = 1_000

export interface Dispatching {
  /** Resolves when nothing is under way any more. */
  readonly stop: () => Promise<void>
}

/** Of orders. */
const ORDERS: Outbox = {
  places: ENDPOINTS_AT_ONCE,
  listDue: ({ db, now }, busy, limit) => listDueEndpoints(db, now(), busy, limit),
  async take(ctx, endpoint) {
    const delivery = await takeDelivery(ctx, endpoint)
    return delivery && messageOf(ctx, delivery)
  },
  record: recordAttempt,
}

function messageOf({ keys }: Pick<Ctx, 'keys'>, delivery: TakenDelivery): Message {
  const { id, attempts, url, endpoint, salt } = delivery
  return {
    id,
    attempts,
    url,
    secret: webhookSecret(keys, endpoint, salt),
    body: JSON.stringify(changeNotice(delivery)),
  }
}

/**
 * Tells resellers of their orders, each endpoint in a place of its own and one thing at a time: one that hangs keeps up none of the others,
 * and gives its place up after the first attempt that fails.
 */
export function startDispatching(
  ctx: Ctx,
  client: SupplyClient,
  outbox: Outbox = ORDERS,
): Dispatching {
  const running = new Map<string, Promise<void>>()
  const end = new AbortController()
  const turn = async () => {
    const free = outbox.places - running.size
    if (free <= 0) return
    for (const endpoint of await outbox.listDue(ctx, [...running.keys()], free))
      running.set(
        endpoint,
        serve(ctx, client, outbox, endpoint, end.signal).finally(() => running.delete(endpoint)),
      )
  }
  const follow = async () => {
    while (!end.signal.aborted) {
      await turn().catch((error: unknown) =>
        ctx.log.warn('what resellers are to be told could not be looked for', { error }),
      )
      await sleep(LOOKED_EVERY_MS, undefined, { signal: end.signal }).catch(() => {})
    }
  }
  const following = follow()
  return {
    async stop() {
      end.abort()
      await following
      await Promise.all(running.values())
    },
  }
}

/** Tells an endpoint all that is due, until something is not taken. */
async function serve(
  ctx: Ctx,
  client: SupplyClient,
  outbox: Outbox,
  endpoint: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const message = await outbox.take(ctx, endpoint)
      if (!message || !(await tell(ctx, client, outbox, message))) return
    }
  } catch (error) {
    ctx.log.error('a reseller was not told of an order; it is tried again', { endpoint, error })
  }
}

/** @returns whether it was taken */
async function tell(
  ctx: Ctx,
  client: SupplyClient,
  outbox: Outbox,
  message: Message,
): Promise<boolean> {
  const { url, secret, body } = message
  const exchange = await client({
    method: 'POST',
    url,
    headers: { 'lukado-signature': webhookSignature(secret, ctx.now(), body) },
    body,
  })
  const isDelivered = exchange.kind === 'answer' && isTaken(exchange.status)
  const answer = exchange.kind === 'answer' ? String(exchange.status) : exchange.why
  await outbox.record(ctx, message, { isDelivered, answer })
  return isDelivered
}
