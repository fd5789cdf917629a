import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createAccount } from '#features/people/account/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { Talk } from '../load/talk.ts'

/** Somebody signed in, who buys. */
export interface Shopper {
  readonly accountId: string
  /** Of the session. */
  readonly token: string
}

export async function addShoppers(ctx: Ctx, count: number): Promise<Shopper[]> {
  const shoppers: Shopper[] = []
  for (let number = 0; number < count; number += 1) {
    shoppers.push(
      await transaction(ctx, async (tx) => {
        const accountId = await createAccount(tx, ctx, {
          email: `purchase${number}@shopper.example`,
          userName: `purchase${number}`,
          passwordHash: null,
          language: 'en',
        })
        const { token } = await startSession(tx, ctx, {
          accountId,
          visitor: { address: '127.0.0.1', network: '127.0.0.0/24', userAgent: 'bench' },
        })
        return { accountId, token }
      }),
    )
  }
  return shoppers
}

/** Moments of a purchase, in milliseconds of `performance.now()`. */
export interface Purchased {
  /** Public id of the order. */
  readonly order: string
  readonly begun: number
  /** The payment service has answered that it is paid; its notice leaves at the same time. */
  readonly paid: number
  /** The shopper's list of keys shows the key of the order. */
  readonly visible: number
}

export interface Way {
  readonly shop: Talk
  readonly payment: Talk
  /** Code of an item. */
  readonly item: string
  readonly watch: Watch
}

/** Resolves once an order is completed. */
export type Watch = (order: string) => Promise<void>

const LOOKED_EVERY_MS = 10
const PATIENCE_MS = 30_000

/**
 * Looks at all orders that are waited for at once, in the database itself, so that waiting costs the shop nothing: each shopper
 * then asks the shop once.
 */
export function createWatch(ctx: Ctx): Watch {
  const waiting = new Map<
    string,
    {
      readonly resolve: () => void
      readonly reject: (error: Error) => void
      readonly deadline: number
    }
  >()
  let running = false
  const look = async () => {
    running = true
    for (; waiting.size > 0; await sleep(LOOKED_EVERY_MS)) {
      const { rows } = await sql<{
        order: string
      }>`select public_id as "order" from shop_order where public_id = any(${[...waiting.keys()]}::text[]) and status = 'completed'`.execute(
        ctx.db,
      )
      for (const { order } of rows) waiting.get(order)?.resolve()
      for (const { order } of rows) waiting.delete(order)
      for (const [order, { reject, deadline }] of waiting)
        if (performance.now() > deadline)
          reject(new Error(`order ${order} is paid and has no key after ${PATIENCE_MS} ms`))
    }
    running = false
  }
  return (order) =>
    new Promise((resolve, reject) => {
      waiting.set(order, { resolve, reject, deadline: performance.now() + PATIENCE_MS })
      if (!running) look().catch(reject)
    })
}

/**
 * A whole purchase as a browser makes it: into the cart, an order of the cart, the payment begun, approved at the payment service
 * (as its page would), and the key of the order in the list of the own ones. Nobody asks the payment service meanwhile, as the
 * page that payers come back to would: the key is there by the service's notice alone.
 */
export async function purchase(
  shopper: Shopper,
  { shop, payment, item, watch }: Way,
): Promise<Purchased> {
  const begun = performance.now()
  await call(shop, shopper, 'cart/add', { item, quantity: 1 })
  const { order } = await call<{ order: string }>(shop, shopper, 'order/create', { cart: true })
  const { redirect_url: page } = await call<{ redirect_url: string }>(shop, shopper, 'pay/start', {
    order,
    method: 'card',
  })
  const session = new URL(page).pathname.split('/').at(-1) ?? ''
  const decided = await payment('POST', `/sandbox/payment/sessions/${session}/decide`, [], {
    outcome: 'approve',
  })
  if (decided.status !== 200)
    throw new Error(`the payment service answers ${decided.status}: ${decided.text.slice(0, 200)}`)
  const paid = performance.now()
  await watch(order)
  const { list } = await call<{ list: readonly unknown[] }>(
    shop,
    shopper,
    `cardpwd/index?order=${order}`,
  )
  if (list.length !== 1) throw new Error(`order ${order} has ${list.length} keys`)
  return { order, begun, paid, visible: performance.now() }
}

/** A call of the shop. Throws unless it answers that it was done. */
async function call<Data>(
  shop: Talk,
  { token }: Shopper,
  path: string,
  body?: object,
): Promise<Data> {
  const { text } = await shop(
    body === undefined ? 'GET' : 'POST',
    `/api/${path}`,
    [`cookie: sid=${token}`],
    body,
  )
  const { code, data } = JSON.parse(text) as { code: number; data: Data }
  if (code !== 1) throw new Error(`${path} answers ${text.slice(0, 300)}`)
  return data
}
