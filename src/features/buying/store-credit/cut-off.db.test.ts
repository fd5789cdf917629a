import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { atProvider, storeCreditOf } from '#features/base/ledger/rules.ts'
import { expireDue } from '#features/buying/order/commands.ts'
import { refuseAttempt, startPayment } from '#features/buying/payment/commands.ts'
import {
  cancelUnpaid,
  checkPayment,
  createAsking,
  endOpenPayment,
  expireUnheard,
  startPaying,
  sweepPayments,
} from '#features/buying/payment/flows.ts'
import { reconcileProvider } from '#features/buying/reconciliation/flows.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { type Ctx, transaction } from '#platform/ctx.ts'
import { getBalance, getGuardedBalance } from '../../../../test/support/books.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { grantCredit, storeCreditPayments } from './commands.ts'

const database = useDatabase()
const CODE = 'store-credit'
const services = () => ({
  providers: new Map([[CODE, storeCreditPayments(database.ctx)]]),
  publicUrl: 'https://shop.example',
})

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  expect(await getBalance(database.ctx.db, atProvider(CODE), 'USD')).toBe(0n)
})

/** Somebody with 10.00 USD of credit has confirmed to pay an order of 10.00 USD by it, and the process died. */
async function confirmed() {
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  await transaction(database.ctx, (tx) =>
    grantCredit(tx, database.ctx, {
      accountId,
      money: { minor: 1_000n, currency: 'USD' },
      email: 'a@b.example',
    }),
  )
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const order = await buy(database.ctx, [{ item }], { accountId })
  const wanted = {
    order: order.publicId,
    accountId,
    provider: CODE,
    method: CODE,
    feeMinor: 0n,
  }
  const attempt = await startPayment(database.ctx, wanted)
  const take = () =>
    storeCreditPayments(database.ctx).create({
      ourReference: attempt.id,
      amount: { minor: 1_000n, currency: 'USD' },
      orderNumber: order.number,
      startedAt: new Date(),
      returnUrl: 'https://shop.example/',
      language: 'en',
    })
  return { order, accountId, attempt, wanted, take }
}

type Confirmed = Awaited<ReturnType<typeof confirmed>>

async function standing({ order, accountId, attempt }: Confirmed) {
  const { rows } = await sql<{ order: string; attempt: string }>`
    select o.status as "order", p.status as attempt from shop_order o join payment_attempt p on p.order_id = o.id where o.id = ${order.id} and p.id = ${attempt.id}`.execute(
    database.ctx.db,
  )
  const credit = await getGuardedBalance(database.ctx.db, storeCreditOf(accountId), 'USD')
  return { ...rows[0], credit }
}

const PAID = { order: 'completed', attempt: 'captured', credit: 0n }

const sweepAll = async (ctx: Ctx) => {
  await expireUnheard(ctx)
  await sweepPayments(ctx, services())
  await expireDue(ctx)
}

test('credit that was taken pays its order, though the process died before it was booked and the time ran out', async () => {
  const cut = await confirmed()
  await cut.take()
  await sweepAll(minutesLater(database.ctx, 16))
  expect(await standing(cut)).toEqual(PAID)
})

test('a day later too: what was taken is never left behind by an order that ends by itself', async () => {
  const cut = await confirmed()
  await cut.take()
  await expireUnheard(minutesLater(database.ctx, 25 * 60))
  expect(await standing(cut)).toMatchObject({ order: 'waiting_for_payment', attempt: 'created' })
  await sweepAll(minutesLater(database.ctx, 25 * 60))
  expect(await standing(cut)).toEqual(PAID)
})

test('the books decide while the credit is being taken: the order ends, or is paid, never both', async () => {
  for (let round = 0; round < 6; round += 1) {
    const cut = await confirmed()
    const late = minutesLater(database.ctx, 16)
    const [taken] = await Promise.allSettled([cut.take(), expireUnheard(late), sweepAll(late)])
    await sweepAll(minutesLater(database.ctx, 20))
    expect(await standing(cut)).toEqual(
      taken?.status === 'fulfilled'
        ? PAID
        : { order: 'expired', attempt: expect.stringMatching(/expired|failed/), credit: 1_000n },
    )
  }
})

test('a payment that has taken credit cannot end without it: the database refuses', async () => {
  const cut = await confirmed()
  await cut.take()
  await refuseAttempt(database.ctx, cut.attempt.id, 'insufficient_credit')
  await expect(
    sql`update payment_attempt set status = 'expired' where id = ${cut.attempt.id}`.execute(
      database.ctx.db,
    ),
  ).rejects.toThrow('credit that was taken')
  await checkPayment(database.ctx, services(), cut.attempt.id)
  expect(await standing(cut)).toEqual(PAID)
})

test.each([
  ['a moment ago: it is paid after all', 20, PAID],
  ['long ago: the credit is given back', 30 * 60, { order: 'refunded', credit: 1_000n }],
])('a shop that lost credit already, %s', async (_when, minutes, expected) => {
  const cut = await confirmed()
  await cut.take()
  await endAsBefore(cut)
  expect(await violations(database.ctx)).toEqual([
    `store credit and its payment differ: ${cut.attempt.id}`,
  ])
  const later = minutesLater(database.ctx, minutes)
  await reconcileProvider(later, storeCreditPayments(later), (id) =>
    checkPayment(later, services(), id),
  )
  await submitRefunds(later, services().providers)
  expect(await standing(cut)).toMatchObject(expected)
})

/** What the release before made of it. */
async function endAsBefore({ order, attempt }: Confirmed): Promise<void> {
  await transaction(database.ctx, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    const { id } = order
    await sql`update payment_attempt set status = 'expired', failure = 'never begun at its provider', check_at = null where id = ${attempt.id}`.execute(
      tx,
    )
    await sql`update card_key k set status = 'free', unit_id = null, claimed_at = null from order_unit u where u.id = k.unit_id and u.order_id = ${id}`.execute(
      tx,
    )
    await sql`update order_unit set status = 'released' where order_id = ${id}`.execute(tx)
    await sql`update shop_order set status = 'expired', ended = 'expired' where id = ${id}`.execute(
      tx,
    )
    await sql`insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason) values (uuidv7(), ${id}, now(), 'system', 'r', 'waiting_for_payment', 'expired', 'expired')`.execute(
      tx,
    )
  })
}

test('who cancels what was cut off has nothing taken', async () => {
  const cut = await confirmed()
  await cancelUnpaid(database.ctx, services(), cut.accountId, cut.order.publicId)
  expect(await standing(cut)).toEqual({ order: 'cancelled', attempt: 'failed', credit: 1_000n })
  await expect(cut.take()).rejects.toThrow('closed')
})

test('who chooses another way has nothing taken, and may choose', async () => {
  const cut = await confirmed()
  await endOpenPayment(database.ctx, services(), cut.order.id)
  expect(await standing(cut)).toEqual({
    order: 'pending_payment',
    attempt: 'failed',
    credit: 1_000n,
  })
})

test('who cancels what was taken is told that it is paid', async () => {
  const cut = await confirmed()
  await cut.take()
  expect(
    await refused(cancelUnpaid(database.ctx, services(), cut.accountId, cut.order.publicId)),
  ).toMatchObject({ code: 'order_closed' })
  expect(await standing(cut)).toEqual(PAID)
})

test('nothing is taken later for somebody who left; who comes back and confirms anew pays', async () => {
  const cut = await confirmed()
  await createAsking(database.ctx, services())(cut.attempt.id)
  expect(await standing(cut)).toMatchObject({ order: 'waiting_for_payment', credit: 1_000n })
  await sweepAll(minutesLater(database.ctx, 1))
  expect(await standing(cut)).toEqual({
    order: 'pending_payment',
    attempt: 'failed',
    credit: 1_000n,
  })
  await startPaying(database.ctx, services(), cut.wanted)
  expect(await standing(cut)).toEqual({ order: 'completed', attempt: 'failed', credit: 0n })
})
