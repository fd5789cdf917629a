import { createHash, randomUUID } from 'node:crypto'
import { acceptCase } from '#features/buying/after-sales/commands.ts'
import { present } from '#kernel/assert.ts'
import { asOperator } from '../support/operators.ts'
import type { Journal } from './journal.ts'
import type { FaultShop } from './shop.ts'
import { completed, decide, insist, type Answer, type Shopper } from './shopper.ts'

/** What people do at the payment service and afterwards. */
export const ACTS = [
  'approve',
  'decline',
  'abandon',
  'underpay',
  'overpay',
  'pay_late',
  'ask_refund',
  'dispute',
  'charge_back',
] as const
export type Act = (typeof ACTS)[number]

export type Outcome =
  | 'delivered'
  | 'abandoned'
  | 'declined'
  | 'sold_out'
  | 'returned'
  | 'refunded'
  | 'charged_back'

export interface Wish {
  /** For what takes an operator. */
  readonly shop?: Pick<FaultShop, 'withCtx'>
  readonly journal: Journal
  readonly item: string
  readonly quantity: number
  /** For each step. */
  readonly patienceMs: number
}

/** Does it, from the order to its end; every acknowledgement goes into the journal. */
export async function act(shopper: Shopper, kind: Act, wish: Wish): Promise<Outcome> {
  const begun = await begin(shopper, wish)
  if (begun === null) return 'sold_out'
  const bought = { ...begun, shopper, wish }
  switch (kind) {
    case 'abandon':
      return 'abandoned'
    case 'decline':
      await atService(bought, 'decline')
      return 'declined'
    case 'underpay':
      return underpay(bought)
    case 'pay_late':
      return payLate(bought)
    case 'approve':
    case 'overpay':
      await pay(bought, kind)
      await reveal(bought)
      return 'delivered'
    case 'ask_refund':
      await pay(bought, 'approve')
      return askRefund(bought)
    case 'dispute':
      await pay(bought, 'approve')
      await reveal(bought)
      await atService(bought, 'dispute')
      await atService(bought, 'dispute_won')
      return 'delivered'
    case 'charge_back':
      wish.journal.note({ kind: 'taken_back', order: bought.order })
      await pay(bought, 'approve')
      await atService(bought, 'reverse')
      return 'charged_back'
    default:
      return kind satisfies never
  }
}

export interface Begun {
  readonly order: string
  readonly redirectUrl: string
}

export interface Bought extends Begun {
  readonly shopper: Shopper
  readonly wish: Wish
}

/** Orders and goes to the cashier. @returns null when there is nothing left to buy */
export async function begin(shopper: Shopper, wish: Wish): Promise<Begun | null> {
  const order = await placeOrder(shopper, wish)
  if (order === null) return null
  const started = await insist(async () => {
    const answer = await shopper.post('pay/start', { order, method: 'card' })
    return answer.code === SERVICE_AWAY ? { ...answer, status: 503 } : answer
  }, wish.patienceMs)
  return isSoldOut(started) ? null : { order, redirectUrl: started.data.redirect_url }
}

/** @returns its public id, or null when there is nothing left to buy */
export async function placeOrder(
  shopper: Shopper,
  { journal, item, quantity, patienceMs }: Wish,
): Promise<string | null> {
  const key = randomUUID()
  const made = await insist(
    () => shopper.post('order/create', { lines: [{ item, quantity, fields: {} }] }, key),
    patienceMs,
  )
  if (isSoldOut(made)) return null
  const order: string = made.data.order
  journal.note({ kind: 'order', order })
  return order
}

const atService = ({ redirectUrl, wish }: Bought, outcome: string) =>
  decide(redirectUrl, outcome, wish.patienceMs)

/** Pays and waits for the goods. */
export async function pay(bought: Bought, outcome: 'approve' | 'overpay'): Promise<void> {
  const { shopper, order, wish } = bought
  await atService(bought, outcome)
  wish.journal.note({ kind: 'paid', order })
  await completed(shopper, order, wish.patienceMs)
  wish.journal.note({ kind: 'completed', order })
}

/** Has every key of an order shown. */
async function reveal({ shopper, order, wish }: Bought): Promise<void> {
  const { journal, patienceMs } = wish
  const keys = await insist(() => shopper.get(`cardpwd/index?order=${order}`), patienceMs)
  for (const { id } of keys.data.list as { id: string }[]) {
    const revealed = await insist(async () => {
      const answer = await shopper.post('cardpwd/reveal', { id })
      if (answer.code !== PROOF_WANTED || !shopper.signInAnew) return answer
      await shopper.signInAnew()
      return { ...answer, status: 503 }
    }, patienceMs)
    if (revealed.code !== 1)
      throw new Error(`a delivered key is not shown: ${revealed.code} ${revealed.msg}`)
    journal.note({
      kind: 'revealed',
      order,
      unit: id,
      hash: createHash('sha256').update(JSON.stringify(revealed.data.parts)).digest('hex'),
    })
  }
}

/** Sends too little, and then the rest. */
async function underpay(bought: Bought): Promise<Outcome> {
  await atService(bought, 'underpay')
  await pay(bought, 'approve')
  await reveal(bought)
  return 'delivered'
}

/** Cancels, and then pays nevertheless: the money goes back. */
async function payLate(bought: Bought): Promise<Outcome> {
  const { shopper, order, wish } = bought
  await insist(() => shopper.post('order/cancel', { order }), wish.patienceMs)
  await atService(bought, 'approve')
  return 'returned'
}

/** Asks for the money of goods nobody has looked at, and an operator agrees. */
async function askRefund({ shopper, order, wish }: Bought): Promise<Outcome> {
  const { journal, shop, patienceMs } = wish
  journal.note({ kind: 'taken_back', order })
  await insist(
    () => shopper.post('order/refund_request', { order, reason: 'wrong_goods', to: 'original' }),
    patienceMs,
  )
  await insist(async () => {
    await present(shop, 'a shop').withCtx(async (ctx) => {
      const open = await ctx.db
        .selectFrom('service_case as c')
        .innerJoin('shop_order as o', 'o.id', 'c.order_id')
        .select('c.public_id')
        .where('o.public_id', '=', order)
        .where('c.status', '=', 'open')
        .executeTakeFirst()
      // None: it was decided, and the answer lost with the database.
      if (open) await acceptCase(asOperator(ctx), open.public_id, '')
    })
    return { status: 200 }
  }, patienceMs)
  return 'refunded'
}

export async function cancelUnpaid(shopper: Shopper, patienceMs: number): Promise<void> {
  const { data } = await insist(() => shopper.get('order/index?status=unpaid'), patienceMs)
  for (const { order } of data.list as { order: string }[])
    await insist(() => shopper.post('order/cancel', { order }), patienceMs)
}

const OUT_OF_STOCK = 2421
/** They signed in too long ago. */
const PROOF_WANTED = 2403
/** The payment service does not answer: it comes back like the shop's own processes. */
const SERVICE_AWAY = 2436

/** Throws when something else is in the way. */
function isSoldOut({ code, msg }: Answer): boolean {
  if (code !== 1 && code !== OUT_OF_STOCK) throw new Error(`it is refused with ${code}: ${msg}`)
  return code === OUT_OF_STOCK
}
