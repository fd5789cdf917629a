import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  cancelUnpaid,
  checkPayment,
  startPaying,
  type PaymentServices,
} from '#features/buying/payment/flows.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { countDueRefunds } from '#features/buying/refund/write/due.ts'
import { countStock } from '#features/buying/vault/queries.ts'
import { isAppError } from '#kernel/error.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { addCurrencies, addItem, buy, stock, type TestItem } from '../support/buying.ts'
import { minutesLater } from '../support/clock.ts'
import { createFakePayments, type FakePayments } from '../support/fake-payment.ts'
import { createChance } from './chance.ts'
import { somebody } from '../support/people.ts'
import { brokenPromises, unbalanced } from './verdict.ts'
import { removeDataFolder } from '../support/data-folder.ts'

export interface Flash {
  readonly seed: number
  readonly orders: number
  readonly keys: number
}

export interface FlashReport {
  readonly delivered: number
  readonly soldOut: number
  readonly returned: number
  readonly seconds: number
  readonly faults: readonly string[]
}

const PRICE_MINOR = 1_000n
const AT_ONCE = 64
const ORDERS_PER_ACCOUNT = 5

/** All reach for the payment of the same item at once; a fifth of those who reserved it walk away, and others get theirs. */
export function runRace(flash: Flash): Promise<FlashReport> {
  return withShop(async (shop) => {
    const { orders, keys, seed } = flash
    const chance = createChance(seed)
    await stock(shop.ctx, shop.item, 'F', keys)
    const made = await makeOrders(shop, orders)
    const began = performance.now()
    let waiting = made
    let soldOut = 0
    const pay = async (order: MadeOrder): Promise<MadeOrder | null> => {
      const outcome = await reach(shop, order)
      if (outcome === 'out_of_stock') return order
      if (chance.happens(0.2))
        await cancelUnpaid(shop.ctx, shop.services, order.accountId, order.publicId)
      else await settle(shop, order)
      return null
    }
    // Whoever was refused comes back while somebody else's key is free again.
    do {
      waiting = (await eachAtOnce(waiting, pay)).filter((order) => order !== null)
      soldOut = waiting.length
    } while ((await countStock(shop.ctx.db, shop.item.id)).free > 0 && waiting.length > 0)
    return report(shop, flash, { soldOut, began })
  })
}

/** All pay after their orders have expired, while few of the keys are left: those buy, and everybody else's money goes back. */
export function runLate(flash: Flash): Promise<FlashReport> {
  return withShop(async (shop) => {
    const { orders, keys } = flash
    await stock(shop.ctx, shop.item, 'L', orders)
    const made = await makeOrders(shop, orders)
    await eachAtOnce(made, (order) => reach(shop, order))
    const later: Shop = { ...shop, ctx: minutesLater(shop.ctx, 30) }
    await eachAtOnce(made, ({ attempt }) => checkPayment(later.ctx, later.services, attempt()))
    const sold = await later.ctx.db
      .selectFrom('card_key')
      .select('id')
      .where('status', '=', 'free')
      .limit(orders - keys)
      .execute()
    await later.ctx.db
      .updateTable('card_key')
      .set({ status: 'void' })
      .where(
        'id',
        'in',
        sold.map(({ id }) => id),
      )
      .execute()
    const began = performance.now()
    await eachAtOnce(made, (order) => settle(later, order))
    while ((await countDueRefunds(later.ctx.db, later.ctx.now())) > 0)
      await submitRefunds(later.ctx, later.services.providers)
    return report(later, flash, { soldOut: 0, began })
  })
}

interface Shop {
  readonly ctx: Ctx
  readonly item: TestItem
  readonly payments: FakePayments
  readonly services: PaymentServices
}

interface MadeOrder {
  readonly publicId: string
  readonly accountId: string
  /** Id of its payment's attempt, once it has one. */
  readonly attempt: () => string
  readonly paysBy: (attempt: string) => void
}

async function makeOrders({ ctx, item }: Shop, count: number): Promise<MadeOrder[]> {
  const accounts = Array.from(
    { length: Math.ceil(count / ORDERS_PER_ACCOUNT) },
    (_, number) => number,
  )
  const made = await eachAtOnce(accounts, async () => {
    const { accountId } = await somebody(ctx, { withPassword: false })
    const own: MadeOrder[] = []
    for (let number = 0; number < ORDERS_PER_ACCOUNT; number += 1) {
      const { publicId } = await buy(ctx, [{ item }], { accountId })
      let attempt = ''
      own.push({ publicId, accountId, attempt: () => attempt, paysBy: (id) => void (attempt = id) })
    }
    return own
  })
  return made.flat().slice(0, count)
}

/** Reserves the goods and opens the payment. */
async function reach(
  { ctx, services }: Shop,
  order: MadeOrder,
): Promise<'reserved' | 'out_of_stock'> {
  try {
    const { attempt } = await startPaying(ctx, services, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'fake',
      method: 'card',
      feeMinor: 0n,
    })
    const { id } = await ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('public_id', '=', attempt)
      .executeTakeFirstOrThrow()
    order.paysBy(id)
    return 'reserved'
  } catch (error) {
    if (isAppError(error) && error.code === 'out_of_stock') return 'out_of_stock'
    throw error
  }
}

/** The payer pays; the notice and the sweep come at once. */
async function settle({ ctx, services, payments }: Shop, { attempt }: MadeOrder): Promise<void> {
  payments.pay(attempt(), { minor: PRICE_MINOR, currency: 'USD' })
  await Promise.all([
    checkPayment(ctx, services, attempt()),
    checkPayment(ctx, services, attempt()),
  ])
}

async function report(
  { ctx, item, payments }: Shop,
  { orders, keys }: Flash,
  { soldOut, began }: { readonly soldOut: number; readonly began: number },
): Promise<FlashReport> {
  const seconds = (performance.now() - began) / 1000
  const stocked = await countStock(ctx.db, item.id)
  const returned = payments.refunds().length
  const kept = payments.kept('USD')
  const faults = [
    ...(stocked.delivered === Math.min(keys, orders)
      ? []
      : [`${stocked.delivered} keys were delivered, not ${keys}`]),
    ...(stocked.free + stocked.claimed === 0
      ? []
      : [`${stocked.free} keys are left and ${stocked.claimed} still reserved`]),
    ...(kept === PRICE_MINOR * BigInt(stocked.delivered)
      ? []
      : [`the shop kept ${kept} for ${stocked.delivered} keys`]),
    ...(await brokenPromises(ctx)),
    ...(await unbalanced(ctx)),
  ]
  return { delivered: stocked.delivered, soldOut, returned, seconds, faults }
}

async function withShop<T>(work: (shop: Shop) => Promise<T>): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-flash-'))
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory, log })
  try {
    await migrate(server.url)
    const db = openDatabase({ url: server.url, poolSize: 16, statementTimeoutMs: 60_000 })
    try {
      const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32, 7)), log, actor: 'system' })
      await addCurrencies(ctx)
      const payments = createFakePayments()
      return await work({
        ctx,
        item: await addItem(ctx),
        payments,
        services: {
          providers: new Map([['fake', payments.provider]]),
          publicUrl: 'https://shop.example',
        },
      })
    } finally {
      await db.destroy()
    }
  } finally {
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}

/** Works off a list, so many at a time. */
async function eachAtOnce<T, R>(list: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T)
    }),
  )
  return results
}
