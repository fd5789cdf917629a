import { sql } from 'kysely'
import { releaseKeys } from '#features/buying/vault/commands.ts'
import { assert, present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { isRollback, type Db } from '#platform/db.ts'
import { sweepTogether } from '#platform/sweep.ts'
import { expireTogether, lockExpiring } from './write/expire.ts'
import { orderNumber } from './engine/order-number.ts'
import {
  getStanding,
  listExpiring,
  lockOrder,
  lockOrderById,
  type DueOrder,
  type LockedOrder,
  type OrderChanges,
} from './queries.ts'
import { rowOf } from './write/new-order.ts'
import { moveUnits } from './write/units.ts'
import {
  holdOf,
  labelOf,
  LINES_MAX,
  mayMove,
  UNPAID_A_DAY,
  UNPAID_MAX,
  type Purchase,
  type UnpaidLimits,
} from './rules.ts'

export { bearShortfall } from './write/shortfall.ts'
export { lockSeen } from './write/seen.ts'
export { addNote, NOTE_MAX } from './write/note.ts'
export { expireTogether, lockExpiring }
export { reserveStock, takeFromSuppliers, unreserveStock } from './write/reserve.ts'
export { changeUnits, moveUnits, setLineFields } from './write/units.ts'

const NUMBER_TRIES = 5
const EXPIRED_A_PAGE = 500

export interface MadeOrder {
  readonly id: string
  readonly publicId: string
  readonly number: string
}

/** A line that leaves the cart with the order, as it was read. */
export interface TakenLine {
  readonly id: string
  readonly quantity: number
}

export interface OrderOptions {
  /** Lines that leave the cart with the new order, or not at all. */
  readonly cart?: readonly TakenLine[]
  /** An unpaid order of the same goods that was made since then, past the cart, is the one that is meant. */
  readonly sameSince?: Date | undefined
  /** In place of a shopper's limits. */
  readonly unpaid?: UnpaidLimits | undefined
}

/**
 * Makes an order of priced lines. The same request key gives the same order again, without a second one, however often and at
 * once it is sent. Throws 'conflict' when the key stands for another request, 'too_many_unpaid' beyond five unpaid orders,
 * 'unpaid_too_often' where too many of a day came to nothing, 'selling_stopped' where something of it is not sold for the moment, 'unauthorised' for an account that is leaving, 'changed_meanwhile' where the cart is another than was read.
 */
export async function createOrder(
  ctx: Ctx,
  purchase: Purchase,
  requestKey: string,
  { cart, sameSince, unpaid }: OrderOptions = {},
): Promise<MadeOrder> {
  assert(purchase.lines.length > 0 && purchase.lines.length <= LINES_MAX, 'an order has lines')
  const row = rowOf(ctx, purchase, requestKey)
  // A number is taken already only where the shop's key was changed: the next one of the sequence is tried.
  for (let tries = 0; tries < NUMBER_TRIES; tries += 1) {
    const number = orderNumber(BigInt(await drawNext(ctx.db)), (text) =>
      ctx.keys.mac('order number', text),
    )
    const asked = {
      ...row,
      number,
      ...(ctx.isLimited && !unpaid ? { unpaid_a_day: UNPAID_A_DAY } : {}),
      ...(cart ? { cart } : {}),
      ...(sameSince ? { same_since: sameSince } : {}),
    }
    const { outcome, ...made } = await place(ctx.db, asked, unpaid?.atOnce ?? UNPAID_MAX)
    switch (outcome) {
      case 'placed':
      case 'made':
        return made
      case 'too_many_unpaid':
        throw new AppError('too_many_unpaid', { max: unpaid?.atOnce ?? UNPAID_MAX })
      case 'unpaid_too_often':
        throw new AppError('unpaid_too_often', { max: UNPAID_A_DAY })
      case 'stopped':
        throw new AppError('selling_stopped')
      case 'conflict':
      case 'unauthorised':
        throw new AppError(outcome)
      case 'number_taken':
        continue
      default:
        return outcome satisfies never
    }
  }
  throw new Error('no order number is free')
}

interface Placed extends MadeOrder {
  readonly outcome:
    | 'placed'
    | 'made'
    | 'conflict'
    | 'unauthorised'
    | 'too_many_unpaid'
    | 'unpaid_too_often'
    | 'number_taken'
    | 'stopped'
}

/** The function in the database checks and makes everything in one trip. */
async function place(
  db: Db,
  row: Readonly<Record<string, unknown>>,
  unpaidMax: number,
): Promise<Placed> {
  try {
    const { rows } = await sql<{
      placed: Placed
    }>`select place_order(${JSON.stringify(row)}::jsonb, ${unpaidMax}) as placed`.execute(db)
    return present(rows[0], 'a row').placed
  } catch (error) {
    throw isRollback(error) ? new AppError('changed_meanwhile', {}, { cause: error }) : error
  }
}

const DRAWN_AT_ONCE = 32
const drawn = new WeakMap<Db, string[]>()

/** Of the sequence of orders; some are drawn ahead, and those of a process that ends are never used. */
async function drawNext(db: Db): Promise<string> {
  const ahead = drawn.get(db) ?? []
  drawn.set(db, ahead)
  const next = ahead.shift()
  if (next !== undefined) return next
  const { rows } = await sql<{
    next: string
  }>`select nextval('order_sequence')::text as next from generate_series(1, ${DRAWN_AT_ONCE}::integer)`.execute(
    db,
  )
  ahead.push(...rows.slice(1).map((row) => row.next))
  return present(rows[0], 'a row').next
}

export interface OrderEvent {
  readonly reason: string
  readonly details?: Readonly<Record<string, string | number>>
  /** The buyer is told of it, by mail and notice. */
  readonly isToTell?: boolean
}

/**
 * Writes what changed of a locked order, with the hold that disputes of its payments make it, the label that follows from it and from its units, payments and refunds as they
 * stand by now, and what happened. Everything else a step changes is written before. @returns the order as it is now
 */
export async function changeOrder(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  changes: OrderChanges,
  event: OrderEvent,
): Promise<LockedOrder> {
  const changed = { ...order, ...changes }
  const standing = await getStanding(tx, order.id)
  const next = { ...changed, hold: holdOf(changed.hold, standing) }
  const status = labelOf({ ...next, ...standing, isSettled: next.settledAt !== null })
  assert(mayMove(order.status, status), `an order goes from ${order.status} to ${status}`)
  const totalMinor = next.goodsMinor + next.feeMinor
  const moved = await sql`
    with moved as (
      update shop_order set status = ${status}, captured_minor = ${next.capturedMinor.toString()}, refunded_minor = ${next.refundedMinor.toString()}, hold = ${next.hold},
        ended = ${next.ended}, settled_at = ${next.settledAt}, waived_at = ${next.waivedAt}, fee_minor = ${next.feeMinor.toString()}, total_minor = ${totalMinor.toString()}, updated_at = ${ctx.now()},
        cards_delivered = (select count(*) from order_unit u where u.order_id = shop_order.id and u.delivery = 'card_key' and u.delivered_at is not null)
      where id = ${order.id} and status = ${order.status} returning id
    )
    insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, details, is_to_tell)
    select ${ctx.newId()}, id, ${ctx.now()}, ${ctx.actor}, ${ctx.requestId}, ${order.status}, ${status}, ${event.reason}, ${JSON.stringify(event.details ?? {})}::jsonb, ${event.isToTell ?? false}::boolean from moved`.execute(
    tx,
  )
  assert(moved.numAffectedRows === 1n, 'a locked order stays as it was read')
  return { ...next, totalMinor, status }
}

/** Gives a locked order until then to be paid. */
export async function setExpiry(tx: Tx, orderId: string, expiresAt: Date): Promise<void> {
  await tx
    .updateTable('shop_order')
    .set({ expires_at: expiresAt })
    .where('id', '=', orderId)
    .execute()
}

export interface DeliveredUnit {
  readonly id: string
  readonly delivery: 'card_key' | 'store_credit'
  readonly priceMinor: bigint
}

/**
 * Hands over what needs nobody, in one statement: the keys bound to a locked order's cards, and store credit, which the caller
 * books. `isShort`: a card waits that has no key and that no supplier is to deliver.
 */
export async function deliverBound(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  orderId: string,
): Promise<{ readonly delivered: readonly DeliveredUnit[]; readonly isShort: boolean }> {
  const { rows } = await sql<{
    waiting: number
    delivered: { id: string; delivery: DeliveredUnit['delivery']; price: string }[] | null
  }>`
    with waiting as materialized (
      select id, delivery from order_unit where order_id = ${orderId} and delivery in ('card_key', 'store_credit') and status = 'queued' and not to_order
    ), given as (
      update card_key set status = 'delivered', delivered_at = ${ctx.now()} from waiting where card_key.unit_id = waiting.id and card_key.status = 'claimed' returning unit_id
    ), handed as (
      update order_unit set status = 'delivered', delivered_at = ${ctx.now()} from (
        select unit_id from given union all select id from waiting where delivery = 'store_credit'
      ) as given where order_unit.id = given.unit_id returning order_unit.id, order_unit.delivery, order_unit.price_minor
    )
    select (select count(*)::integer from waiting) as waiting, (select json_agg(json_build_object('id', id, 'delivery', delivery, 'price', price_minor::text)) from handed) as delivered`.execute(
    tx,
  )
  const delivered = (rows[0]?.delivered ?? []).map(({ id, delivery, price }) => ({
    id,
    delivery,
    priceMinor: BigInt(price),
  }))
  return { delivered, isShort: delivered.length < (rows[0]?.waiting ?? 0) }
}

/**
 * Ends a locked order that holds no money: its units are released, and so are the keys reserved for them. Its buyer hears of it
 * where the shop has cancelled it.
 */
export async function endOrder(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  ended: 'cancelled' | 'expired',
): Promise<LockedOrder> {
  await releaseKeys(tx, await moveUnits(tx, order.id, 'queued', 'released'))
  return changeOrder(
    tx,
    ctx,
    order,
    { ended },
    { reason: ended, isToTell: ended === 'cancelled' && !ctx.actor.startsWith('account:') },
  )
}

/**
 * Cancels a shopper's unpaid order; one that is cancelled stays so. While a payment is open nothing is done and 'payment_open' is
 * answered: its provider is asked first; so is 'part_paid' while it holds a part of its price: that goes back first. Throws
 * 'order_closed' for one that is paid or over, 'not_found' for what is not theirs.
 */
export async function cancelOrder(
  ctx: Ctx,
  accountId: string,
  publicId: string,
): Promise<'cancelled' | 'payment_open' | 'part_paid'> {
  return transaction(ctx, async (tx) => {
    const order = await lockOrder(tx, accountId, publicId)
    if (order.status === 'cancelled') return 'cancelled'
    if (order.status === 'waiting_for_payment') return 'payment_open'
    if (order.hold === 'underpaid' && order.settledAt === null) return 'part_paid'
    if (order.status !== 'pending_payment') throw new AppError('order_closed')
    await endOrder(tx, ctx, order, 'cancelled')
    return 'cancelled'
  })
}

/** Expires an order whose time is over and that has no payment open. @returns whether it is expired now */
export async function expireOrder(ctx: Ctx, orderId: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    if (order.status !== 'pending_payment' || order.expiresAt > now)
      return order.status === 'expired'
    await endOrder(tx, ctx, order, 'expired')
    return true
  })
}

/** Expires everything that is due; the worker calls it again and again. @returns for how many orders that was tried */
export async function expireDue(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  return sweepTogether<DueOrder>(ctx, {
    what: 'an order that expires',
    name: ({ id }) => id,
    signal,
    next: (last) => listExpiring(ctx.db, ctx.now(), last, EXPIRED_A_PAGE),
    together: (orders) =>
      transaction(ctx, async (tx) =>
        expireTogether(
          tx,
          ctx,
          await lockExpiring(
            tx,
            ctx,
            orders.map(({ id }) => id),
            'pending_payment',
          ),
        ),
      ),
    work: ({ id }) => expireOrder(ctx, id),
  })
}

/**
 * Part of erasing a person: what they said for an order and where they bought it from goes; numbers, goods, amounts and the
 * country stay, as the books and the law need them, on an account that is nobody's any more.
 */
export async function eraseOrder(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('shop_order')
    .set({ request_key: sql<string>`id::text` })
    .where('account_id', '=', accountId)
    .execute()
  await sql`delete from order_note where order_id in (select id from shop_order where account_id = ${accountId})`.execute(
    tx,
  )
}
