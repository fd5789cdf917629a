import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '#features/people/account/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction } from '#platform/ctx.ts'
import type { Journal } from './journal.ts'
import type { FaultShop } from './shop.ts'

const CALL_MS = 20_000
const RETRY_MS = 100
const POLL_MS = 150

/** An answer of the wire contract. */
export interface Answer {
  readonly status: number
  readonly code: number
  readonly msg: string
  // What a call answers with is read where it is asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

/** Somebody signed in, who talks to the shop as a browser does. */
export interface Shopper {
  readonly accountId: string
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body: unknown, idempotencyKey?: string) => Promise<Answer>
}

/** Shoppers made beside the shop: what is tried here is buying, not registering. */
export async function addShoppers(
  shop: FaultShop,
  count: number,
  prefix: string,
): Promise<Shopper[]> {
  return shop.withCtx(async (ctx) => {
    const shoppers: Shopper[] = []
    for (let number = 0; number < count; number += 1) {
      const name = `${prefix}${number}x${Buffer.from(ctx.random(4)).toString('hex')}`
      const { accountId, token } = await transaction(ctx, async (tx) => {
        const id = await createAccount(tx, ctx, {
          email: `${name}@faults.example`,
          userName: name,
          passwordHash: null,
          language: 'en',
        })
        const session = await startSession(tx, ctx, {
          accountId: id,
          visitor: { address: '127.0.0.1', network: '127.0.0.0/24', userAgent: 'faults' },
        })
        return { accountId: id, token: session.token }
      })
      shoppers.push(shopperOf(shop.address, accountId, token))
    }
    return shoppers
  })
}

export function shopperOf(address: string, accountId: string, token: string): Shopper {
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer> => {
    const answer = await fetch(`${address}/api/${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      headers: {
        cookie: `sid=${token}`,
        origin: address,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // An export answers with a file.
    const isFile = answer.headers.has('content-disposition')
    const envelope = isFile
      ? { code: 1, msg: '', data: await answer.text() }
      : ((await answer.json()) as Omit<Answer, 'status'>)
    return { ...envelope, status: answer.status }
  }
  return {
    accountId,
    get: (path) => ask('GET', path),
    post: (path, body, key) => ask('POST', path, body, key),
  }
}

/**
 * Asks until there is an answer that is one: a shop that is just being killed gives none, or a 5xx, or says that the first request
 * of this key is still running.
 */
export async function insist<T extends { readonly status: number }>(
  ask: () => Promise<T>,
  untilMs: number,
): Promise<T> {
  const seen = new Map<number, number>()
  for (const deadline = performance.now() + untilMs; ; await sleep(RETRY_MS)) {
    const answer = await ask().catch(() => null)
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
      return answer
    seen.set(answer?.status ?? 0, (seen.get(answer?.status ?? 0) ?? 0) + 1)
    if (performance.now() > deadline)
      throw new Error(
        `no answer in ${untilMs} ms to ${ask.toString().slice(0, 80)}: ${JSON.stringify([...seen])}`,
      )
  }
}

export type Outcome = 'delivered' | 'abandoned' | 'declined' | 'sold_out'

export interface Purchase {
  readonly journal: Journal
  readonly item: string
  readonly quantity: number
  readonly decision: 'approve' | 'decline' | 'abandon'
  /** For each step. */
  readonly patienceMs: number
}

/** A whole purchase, from the order to the key before the shopper's eyes; every acknowledgement goes into the journal. */
export async function purchase(
  shopper: Shopper,
  { journal, item, quantity, decision, patienceMs }: Purchase,
): Promise<Outcome> {
  const key = randomUUID()
  const made = await insist(
    () => shopper.post('order/create', { lines: [{ item, quantity, fields: {} }] }, key),
    patienceMs,
  )
  if (isSoldOut(made)) return 'sold_out'
  const order: string = made.data.order
  journal.note({ kind: 'order', order })
  const started = await insist(
    () => shopper.post('pay/start', { order, method: 'card' }),
    patienceMs,
  )
  if (isSoldOut(started)) return 'sold_out'
  await decide(started.data.redirect_url, decision, patienceMs)
  if (decision === 'abandon') return 'abandoned'
  if (decision === 'decline') return 'declined'
  journal.note({ kind: 'paid', order })
  await completed(shopper, order, patienceMs)
  journal.note({ kind: 'completed', order })
  const keys = await insist(() => shopper.get(`cardpwd/index?order=${order}`), patienceMs)
  for (const { id } of keys.data.list as { id: string }[]) {
    const revealed = await insist(() => shopper.post('cardpwd/reveal', { id }), patienceMs)
    if (revealed.code !== 1)
      throw new Error(`a delivered key is not shown: ${revealed.code} ${revealed.msg}`)
    journal.note({
      kind: 'revealed',
      order,
      unit: id,
      hash: createHash('sha256').update(JSON.stringify(revealed.data.parts)).digest('hex'),
    })
  }
  return 'delivered'
}

const OUT_OF_STOCK = 2421

/** Throws when something else is in the way. */
function isSoldOut({ code, msg }: Answer): boolean {
  if (code !== 1 && code !== OUT_OF_STOCK) throw new Error(`it is refused with ${code}: ${msg}`)
  return code === OUT_OF_STOCK
}

/** Decides on the payment service's side, as its page would. */
export async function decide(
  redirectUrl: string,
  outcome: string,
  patienceMs: number,
): Promise<void> {
  const page = new URL(redirectUrl)
  const session = page.pathname.split('/').at(-1) ?? ''
  await insist(async () => {
    const answer = await fetch(`${page.origin}/sandbox/payment/sessions/${session}/decide`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: page.origin },
      body: JSON.stringify({ outcome }),
      signal: AbortSignal.timeout(CALL_MS),
    })
    await answer.arrayBuffer()
    // Decided already: by a request whose answer was lost with the shop's process.
    return answer.status === 409 ? { status: 200 } : answer
  }, patienceMs)
}

/** Waits until an order is completed. */
export async function completed(
  shopper: Shopper,
  order: string,
  patienceMs: number,
): Promise<void> {
  for (
    const deadline = performance.now() + patienceMs;
    performance.now() < deadline;
    await sleep(POLL_MS)
  ) {
    const { data } = await insist(() => shopper.get(`pay/status?order=${order}`), patienceMs)
    if (data.status === 'completed') return
  }
  throw new Error(`order ${order} is paid and not completed after ${patienceMs} ms`)
}
