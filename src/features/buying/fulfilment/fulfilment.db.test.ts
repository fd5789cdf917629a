import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { walk } from '../../../../test/support/walk.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { refused } from '../../../../test/support/people.ts'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import {
  claimUnit,
  completeUnit,
  expireClaims,
  failUnit,
  measureDeliveries,
  refundFailed,
  releaseUnit,
  retryShortOrders,
} from './commands.ts'
import { deliveryTimes, listHandUnits, listHandUnitsOf } from './queries.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let item: TestItem

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

type Bought = Awaited<ReturnType<typeof buy>>
const later = (minutes: number) => minutesLater(database.ctx, minutes)

async function bought(quantity = 1, card: TestItem | null = null): Promise<Bought> {
  const order = await buy(database.ctx, [
    { item, quantity, delivery: 'direct_charge' },
    ...(card ? [{ item: card, quantity: 2 }] : []),
  ])
  await pay(order, BigInt(quantity + (card ? 2 : 0)) * 1_000n)
  return order
}

async function pay(order: Bought, minor: bigint): Promise<void> {
  await payFor(database.ctx, fake, order, minor)
}

const unitsOf = async (order: Bought) =>
  await database.ctx.db
    .selectFrom('order_unit')
    .selectAll()
    .where('order_id', '=', order.id)
    .orderBy('id')
    .execute()
const statusOf = async (order: Bought) =>
  await database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
const eventsOf = async (order: Bought) =>
  await database.ctx.db
    .selectFrom('order_event')
    .select(['reason', 'is_to_tell', 'details'])
    .where('order_id', '=', order.id)
    .orderBy('seq')
    .execute()
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

test('thirty-two people at once take thirty-two different units, and the thirty-third finds none', async () => {
  for (let index = 0; index < 8; index += 1) await bought(4)
  const taken: (string | undefined)[] = []
  // One order's units wait for each other, so that whoever comes away empty looks again.
  while (taken.length < 32) {
    const claims = await Promise.all(
      Array.from({ length: 32 - taken.length }, (_, index) =>
        claimUnit(asOperator(database.ctx, `person${taken.length + index}`), null),
      ),
    )
    taken.push(...claims.flatMap((claim) => claim?.unit ?? []))
  }
  expect(new Set(taken).size).toBe(32)
  expect(await claimUnit(asOperator(database.ctx, 'late'), null)).toBeNull()
  for (const { unit, claimedBy, claimedUntil } of await listHandUnits(database.ctx.db)) {
    expect(claimedUntil).toEqual(expect.any(Date))
    await releaseUnit(asOperator(database.ctx, claimedBy ?? ''), unit)
  }
  for (const { unit } of await listHandUnits(database.ctx.db)) {
    await claimUnit(asOperator(database.ctx, 'ann'), unit)
    await completeUnit(asOperator(database.ctx, 'ann'), unit, 'R-1')
  }
})

test("one unit that thirty-two want is one person's", async () => {
  const [unit] = await unitsOf(await bought())
  const outcomes = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      outcome(claimUnit(asOperator(database.ctx, `person${index}`), unit?.public_id ?? '')),
    ),
  )
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(1)
  expect(outcomes.filter((each) => each === 'conflict')).toHaveLength(31)
  await expireAndSettle(unit?.public_id ?? '')
})

/** So that no test leaves a unit under way for the next one. */
async function expireAndSettle(unit: string): Promise<void> {
  await expireClaims(later(31))
  await completeUnit(asOperator(database.ctx, 'boss'), unit, 'seen in the account')
}

test('a unit done is delivered, booked and told once, however often it is said, and another proof is refused', async () => {
  const order = await bought(2)
  const [first, second] = (await unitsOf(order)).map(({ public_id: id }) => id)
  expect((await statusOf(order)).status).toBe('waiting_for_shipment')
  await claimUnit(asOperator(database.ctx, 'ann'), first ?? '')
  expect((await statusOf(order)).status).toBe('shipping')
  expect(
    (await refused(completeUnit(asOperator(database.ctx, 'bob'), first ?? '', 'R-1'))).code,
  ).toBe('conflict')
  expect(
    new Set(
      await Promise.all(
        Array.from({ length: 32 }, () =>
          outcome(completeUnit(asOperator(database.ctx, 'ann'), first ?? '', 'R-1')),
        ),
      ),
    ),
  ).toEqual(new Set(['done']))
  expect(
    (await refused(completeUnit(asOperator(database.ctx, 'ann'), first ?? '', 'R-2'))).code,
  ).toBe('conflict')
  await claimUnit(asOperator(database.ctx, 'ann'), second ?? '')
  await completeUnit(asOperator(database.ctx, 'ann'), second ?? '', 'R-2')
  expect((await statusOf(order)).status).toBe('completed')
  const delivered = (await eventsOf(order)).filter(({ reason }) => reason === 'delivered')
  expect(delivered.map(({ is_to_tell }) => is_to_tell)).toEqual([false, true])
  expect(delivered[1]?.details).toEqual({ line: 0, units: 2 })
})

test('a unit that failed is refunded to where it was paid from, once, and cannot be done any more', async () => {
  const order = await bought(2)
  const [first, second] = (await unitsOf(order)).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), first ?? '')
  await Promise.all(
    Array.from({ length: 8 }, () =>
      failUnit(asOperator(database.ctx, 'ann'), first ?? '', 'wrong_account'),
    ),
  )
  await refundFailed(database.ctx)
  const before = fake.kept('USD')
  await submitRefunds(database.ctx, services.providers)
  expect(before - fake.kept('USD')).toBe(1_000n)
  expect(
    (await refused(completeUnit(asOperator(database.ctx, 'ann'), first ?? '', 'R-1'))).code,
  ).toBe('order_closed')
  expect((await refused(claimUnit(asOperator(database.ctx, 'ann'), first ?? ''))).code).toBe(
    'order_closed',
  )
  expect((await eventsOf(order)).filter(({ reason }) => reason === 'unit_failed')).toHaveLength(1)
  await claimUnit(asOperator(database.ctx, 'ann'), second ?? '')
  await completeUnit(asOperator(database.ctx, 'ann'), second ?? '', 'R-1')
  expect((await statusOf(order)).status).toBe('completed')
})

test('a unit asked back meanwhile is neither taken nor done; one under way is not asked back', async () => {
  const order = await bought(2)
  const [first, second] = await unitsOf(order)
  const refund = (id: string) =>
    requestRefund(database.ctx, {
      orderId: order.id,
      unitIds: [id],
      destination: 'original',
      reason: 'changed_mind',
      requestedBy: 'system',
      approvedBy: 'system',
    })
  await claimUnit(asOperator(database.ctx, 'ann'), second?.public_id ?? '')
  expect((await refused(refund(second?.id ?? ''))).code).toBe('order_closed')
  await refund(first?.id ?? '')
  expect(
    (await refused(claimUnit(asOperator(database.ctx, 'ann'), first?.public_id ?? ''))).code,
  ).toBe('order_closed')
  await completeUnit(asOperator(database.ctx, 'ann'), second?.public_id ?? '', 'R-1')
  await submitRefunds(database.ctx, services.providers)
  expect((await statusOf(order)).status).toBe('completed')
})

test('while a decision about the order is open nothing of it is taken or done', async () => {
  const order = await bought(2)
  const [first, second] = (await unitsOf(order)).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), first ?? '')
  const attempt = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.set(attempt.id, { isDisputed: true })
  await checkPayment(database.ctx, services, attempt.id)
  expect(
    (await refused(completeUnit(asOperator(database.ctx, 'ann'), first ?? '', 'R-1'))).code,
  ).toBe('order_closed')
  expect((await refused(claimUnit(asOperator(database.ctx, 'bob'), second ?? ''))).code).toBe(
    'order_closed',
  )
  expect(await claimUnit(asOperator(database.ctx, 'bob'), null)).toBeNull()
  fake.set(attempt.id, { isDisputed: false })
  await checkPayment(database.ctx, services, attempt.id)
  await completeUnit(asOperator(database.ctx, 'ann'), first ?? '', 'R-1')
  await claimUnit(asOperator(database.ctx, 'bob'), null)
  await completeUnit(asOperator(database.ctx, 'bob'), second ?? '', 'R-2')
})

test('what is taken up and not finished in time is in doubt: nobody delivers it anew, and a person settles it', async () => {
  const order = await bought()
  const [unit] = (await unitsOf(order)).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), unit ?? '')
  expect(await expireClaims(later(29))).toBe(0)
  expect(
    (await Promise.all([expireClaims(later(31)), expireClaims(later(31))])).reduce(
      (sum, count) => sum + count,
    ),
  ).toBe(1)
  expect(await listHandUnits(database.ctx.db)).toMatchObject([
    { unit, status: 'in_doubt', claimedBy: 'ann' },
  ])
  expect((await statusOf(order)).status).toBe('processing')
  expect((await refused(claimUnit(asOperator(database.ctx, 'bob'), unit ?? ''))).code).toBe(
    'order_closed',
  )
  await completeUnit(asOperator(database.ctx, 'bob'), unit ?? '', 'seen in the account')
  expect((await statusOf(order)).status).toBe('completed')
})

test('every step stands in the audit trail with who did it', async () => {
  const order = await bought()
  const [unit] = (await unitsOf(order)).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), unit ?? '')
  await completeUnit(asOperator(database.ctx, 'ann'), unit ?? '', 'R-1')
  const rows = await database.ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'after'])
    .where('subject_code', '=', unit ?? '')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { actor: 'operator:ann', action: 'delivery_started', after: { status: 'delivering' } },
    { actor: 'operator:ann', action: 'delivered', after: { status: 'delivered' } },
  ])
})

/** A paid order of two cards for one of which the key is gone. */
async function shortOrder(letter: string): Promise<{ order: Bought; card: TestItem }> {
  const card = await addItem(database.ctx)
  await stock(database.ctx, card, letter, 2)
  const order = await buy(database.ctx, [{ item: card, quantity: 2 }])
  await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  const lost = await database.ctx.db
    .selectFrom('card_key')
    .select('id')
    .where('item', '=', card.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'free', unit_id: null, claimed_at: null })
    .where('id', '=', lost.id)
    .execute()
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('id', '=', lost.id)
    .execute()
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.pay(id, { minor: 2_000n, currency: 'USD' })
  await checkPayment(database.ctx, services, id)
  expect(await statusOf(order)).toEqual({ status: 'processing', hold: 'out_of_stock' })
  return { order, card }
}

test('a paid card whose key was gone is delivered as soon as there is stock, and told', async () => {
  const { order, card } = await shortOrder('S')
  expect(await retryShortOrders(database.ctx)).toBe(0)
  await stock(database.ctx, card, 'T', 1)
  expect(
    (await Promise.all([retryShortOrders(database.ctx), retryShortOrders(database.ctx)])).reduce(
      (sum, count) => sum + count,
    ),
  ).toBe(1)
  expect(await statusOf(order)).toEqual({ status: 'completed', hold: null })
  expect((await eventsOf(order)).at(-1)).toMatchObject({ reason: 'restocked', is_to_tell: true })
})

test('a paid card that no key has come for within a day is refunded, the other one stays', async () => {
  const { order } = await shortOrder('U')
  expect(await retryShortOrders(later(23 * 60))).toBe(0)
  expect(await retryShortOrders(later(25 * 60))).toBe(1)
  await submitRefunds(later(25 * 60), services.providers)
  expect((await statusOf(order)).status).toBe('completed')
  expect((await unitsOf(order)).map(({ status }) => status).toSorted()).toEqual([
    'delivered',
    'refunded',
  ])
})

test('times of delivery are told from twenty deliveries on, and written only when what is shown changes', async () => {
  const order = await bought(19)
  for (const { public_id: unit } of await unitsOf(order)) {
    await claimUnit(asOperator(database.ctx, 'ann'), unit)
    await completeUnit(asOperator(later(6), 'ann'), unit, 'R-1')
  }
  const own = async () =>
    (await deliveryTimes(database.ctx.db, database.ctx.now())).filter(
      ({ brand }) => brand === item.brand,
    )
  expect(await own()).toEqual([])
  const [unit] = (await unitsOf(await bought())).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), unit ?? '')
  await completeUnit(asOperator(later(100), 'ann'), unit ?? '', 'R-1')
  const [time] = await own()
  expect(time?.deliveries).toBe(20)
  expect(time?.p50Seconds).toBeGreaterThan(350)
  expect(time?.p50Seconds).toBeLessThan(400)
  expect(time?.p95Seconds).toBeGreaterThanOrEqual(time?.p50Seconds ?? 0)
  await measureDeliveries(database.ctx)
  const written = await database.ctx.db
    .selectFrom('delivery_time')
    .selectAll()
    .where('brand', '=', item.brand)
    .executeTakeFirstOrThrow()
  expect(written.p50_seconds).toBe(time?.p50Seconds)
})

test('what waits is walked page by page, and one’s own stands on each of them', async () => {
  const { db } = database.ctx
  const order = await bought(3)
  const [unit] = (await unitsOf(order)).map(({ public_id: id }) => id)
  await claimUnit(asOperator(database.ctx, 'ann'), unit ?? '')
  const all = await listHandUnits(db)
  expect(all.length).toBeGreaterThanOrEqual(3)
  expect(
    await walk(
      (part) => listHandUnits(db, part),
      (one) => one.unit,
    ),
  ).toEqual(all)
  const own = await listHandUnitsOf(db, 'ann', null)
  expect(own.map((one) => one.unit)).toEqual([unit])
  expect(await listHandUnitsOf(db, 'bob', unit ?? null)).toEqual(own)
})
