import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '#features/people/account/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
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
  /** Signs in anew: a code is shown only soon after that. */
  readonly signInAnew?: () => Promise<void>
}

/** Shoppers made beside the shop: what is tried here is buying, not registering. */
export async function addShoppers(
  shop: FaultShop,
  count: number,
  prefix: string,
  addresses: readonly string[] = [shop.address],
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
        return { accountId: id, token: await newSession(tx, ctx, id) }
      })
      let own = token
      shoppers.push({
        ...shopperOf(shop.address, accountId, () => own, addresses),
        signInAnew: async () => {
          own = await shop.withCtx((later) =>
            transaction(later, (tx) => newSession(tx, later, accountId)),
          )
        },
      })
    }
    return shoppers
  })
}

async function newSession(tx: Tx, ctx: Ctx, accountId: string): Promise<string> {
  const visitor = { address: '127.0.0.1', network: '127.0.0.0/24', userAgent: 'faults' }
  return (await startSession(tx, ctx, { accountId, visitor })).token
}

/** @param addresses of the machines of the shop, which are asked in turn */
export function shopperOf(
  address: string,
  accountId: string,
  token: string | (() => string),
  addresses: readonly string[] = [address],
): Shopper {
  let asked = 0
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer> => {
    const machine = addresses[(asked += 1) % addresses.length] ?? address
    const answer = await fetch(`${machine}/api/${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      headers: {
        cookie: `sid=${typeof token === 'string' ? token : token()}`,
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
