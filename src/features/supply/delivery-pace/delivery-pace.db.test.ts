import { beforeAll, beforeEach, expect, test } from 'vitest'
import { refundUnits } from '#features/buying/fulfilment/commands.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { preparePurchase, takeQueued } from '#features/supply/purchase/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { listReasons } from '../../../../test/support/books.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { tellLate } from './commands.ts'
import { measureSupply, tendLate } from './jobs.ts'
import { listLate, listMeasured, listOverdue } from './queries.ts'
import { lateDeliverySetting } from './schema.ts'

const database = useDatabase()
const supplier = createFakeSupplier('first')
let item: TestItem
const hands = supplyHands(
  () => database.ctx,
  createFakePayments(),
  () => item,
)
const { offer, paid, run, later, statesOf } = hands

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await registerSuppliers(database.ctx, ['first'])
})

beforeEach(async () => {
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  await offer(supplier)
})

const paces = async () =>
  database.ctx.db
    .selectFrom('delivery_pace')
    .select(['supplier', 'deliveries', 'p50_seconds', 'p95_seconds', 'now_seconds'])
    .where('product', '=', item.product)
    .orderBy('supplier')
    .execute()

const setLate = (value: unknown) =>
  database.ctx.db
    .insertInto('setting')
    .values({ key: lateDeliverySetting.key, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()

/** So many seconds after an order was paid, to the millisecond, however long the test itself has taken. */
async function since({ id }: { readonly id: string }, seconds: number): Promise<Ctx> {
  const { settled_at: paidAt } = await database.ctx.db
    .selectFrom('shop_order')
    .select('settled_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const at = new Date((paidAt?.getTime() ?? 0) + seconds * 1_000)
  return { ...database.ctx, now: () => at }
}

/** So many deliveries that took so long. */
async function deliver(count: number, seconds: number): Promise<void> {
  const order = await paid(count)
  const { now } = await since(order, 0)
  await database.ctx.db.updateTable('supply_queue').set({ due_at: now(), rank_at: now() }).execute()
  await run(supplier, await since(order, seconds))
  expect(new Set(await statesOf(order))).toEqual(new Set(['delivered']))
}

test('nothing is said before twenty deliveries; then half of them and 95 of 100, for the product and each supplier', async () => {
  await deliver(19, 8.2)
  await measureSupply(database.ctx)
  expect(await paces()).toEqual([])
  await deliver(1, 40)
  await measureSupply(later(60))
  const usual = { deliveries: 20, p50_seconds: 9, now_seconds: null }
  expect(await paces()).toMatchObject([
    { supplier: 'first', ...usual },
    { supplier: null, ...usual },
  ])
})

test('operators see the times by supplier and product, however few there were, with what waits there', async () => {
  await deliver(3, 8)
  await deliver(1, 40)
  await paid(2)
  const own = async (code: string | null) =>
    (await listMeasured(database.ctx.db, later(60).now(), code)).filter(
      ({ product }) => product === item.product,
    )
  const [row, ...others] = await own('first')
  expect(others).toEqual([])
  expect(row).toMatchObject({ supplier: 'first', deliveries: 4, waiting: 2 })
  expect(row?.p50).toBeCloseTo(8, 1)
  expect(row?.p95).toBeCloseTo(35.2, 1)
  expect(await own(null)).toEqual([row])
  expect(await own('other')).toEqual([])
  const all = await listMeasured(database.ctx.db, later(60).now(), 'first')
  expect(all.find(({ product }) => product === null)?.deliveries).toBeGreaterThanOrEqual(4)
})

test('what waits much longer than usual is what it takes now, and is gone once it is over', async () => {
  await deliver(20, 5.5)
  const soon = await since(await paid(30), 170)
  await measureSupply(soon)
  const told = (await paces()).find((pace) => pace.supplier === null)
  expect(told).toMatchObject({ p50_seconds: 6, now_seconds: 180 })
  await run(supplier, soon)
  await measureSupply(later(3 * 3_600))
  expect((await paces()).find((pace) => pace.supplier === null)?.now_seconds).toBeNull()
})

test('what has waited no longer than usual hides nothing of what stands still', async () => {
  await deliver(20, 30)
  await paid(3)
  const fresh = await paid(20)
  const soon = await since(fresh, 2 * 3_600)
  await database.ctx.db
    .updateTable('shop_order')
    .set({ settled_at: new Date(soon.now().getTime() - 1_000) })
    .where('id', '=', fresh.id)
    .execute()
  await measureSupply(soon)
  const told = (await paces()).find((pace) => pace.supplier === null)
  expect(told?.now_seconds ?? 0).toBeGreaterThanOrEqual(7_200)
})

test('a buyer is told once that it is late, of what was measured, and not before', async () => {
  await deliver(20, 200)
  await measureSupply(later(300))
  const order = await paid(2)
  const told = async (ctx: Ctx) => {
    await tendLate(ctx)
    return (await listReasons(database.ctx.db, order.id)).filter(
      (reason) => reason === 'delivery_late',
    ).length
  }
  expect(await told(await since(order, 479))).toBe(0)
  expect(await told(await since(order, 481))).toBe(1)
  expect(await told(later(1_200))).toBe(1)
  const { is_to_tell: isToTell } = await database.ctx.db
    .selectFrom('order_event')
    .select('is_to_tell')
    .where('order_id', '=', order.id)
    .where('reason', '=', 'delivery_late')
    .executeTakeFirstOrThrow()
  expect(isToTell).toBe(true)
})

test('however fast it is otherwise, nothing is late before five minutes', async () => {
  await deliver(20, 10)
  await measureSupply(later(60))
  const order = await paid(1)
  await tendLate(await since(order, 299))
  expect(await listReasons(database.ctx.db, order.id)).not.toContain('delivery_late')
  await tendLate(await since(order, 301))
  expect(await listReasons(database.ctx.db, order.id)).toContain('delivery_late')
})

test('without anything measured the estimate of the catalogue is what is kept to', async () => {
  const order = await paid(1)
  await tendLate(later(24 * 3_600))
  expect(await listReasons(database.ctx.db, order.id)).not.toContain('delivery_late')
  await database.ctx.db
    .updateTable('brand')
    .set({ typical_minutes: 10 })
    .where('code', '=', item.brand)
    .execute()
  await tendLate(await since(order, 19 * 60))
  expect(await listReasons(database.ctx.db, order.id)).not.toContain('delivery_late')
  await tendLate(later(21 * 60))
  expect(await listReasons(database.ctx.db, order.id)).toContain('delivery_late')
})

test('a product that is estimated to take a day is not late like others of its brand', async () => {
  const order = await paid(1)
  const { db } = database.ctx
  await db
    .updateTable('brand')
    .set({ typical_minutes: 10 })
    .where('code', '=', item.brand)
    .execute()
  await db
    .updateTable('product')
    .set({ typical_minutes: 1_440 })
    .where('code', '=', item.product)
    .execute()
  await tendLate(await since(order, 47 * 3_600))
  expect(await listReasons(db, order.id)).not.toContain('delivery_late')
  await tendLate(await since(order, 49 * 3_600))
  expect(await listReasons(db, order.id)).toContain('delivery_late')
})

test('later still, what certainly was not bought goes back where the owner says so; what is in doubt, held or being bought never does', async () => {
  const [waiting, bought, doubtful, held] = [
    await paid(1),
    await paid(1),
    await paid(1),
    await paid(1),
  ]
  const units = await takeQueued(database.ctx, 'first', 100)
  const unitOf = (order: { readonly id: string }) =>
    units.find(({ orderId }) => orderId === order.id)
  for (const order of [bought, doubtful]) {
    const unit = unitOf(order)
    if (unit) await preparePurchase(database.ctx, unit, supplier.provider)
  }
  await database.ctx.db
    .updateTable('supply_queue')
    .set({ held: 'price' })
    .where('unit_id', '=', unitOf(held)?.unitId ?? '')
    .execute()
  await tendLate(later(10 * 3_600))
  expect(await statesOf(waiting)).toEqual(['queued'])
  await setLate({ factor: 2, refund_after_hours: 6 })
  await tendLate(later(5 * 3_600))
  expect(await statesOf(waiting)).toEqual(['queued'])
  await tendLate(later(7 * 3_600))
  expect(await statesOf(waiting)).toEqual(['refund_due'])
  expect(await statesOf(bought)).toEqual(['delivering'])
  expect(await statesOf(doubtful)).toEqual(['delivering'])
  expect(await statesOf(held)).toEqual(['queued'])
  await tendLate(later(8 * 3_600))
  expect(await violations(database.ctx)).toEqual([])
})

test('a card that was missing of a purchase which brought the others waits as any other, and goes back as any other', async () => {
  item = await addItem(database.ctx)
  const cards = createFakeSupplier('cards', { maxQuantity: 5 })
  await registerSuppliers(database.ctx, ['cards'])
  await offer(cards, 0, { minor: 700n, currency: 'USD' }, 'key')
  cards.misses(1)
  cards.gives(() => ['MISSINGCARD1'])
  cards.next({ kind: 'done' }, { kind: 'failed', class: 'wait' })
  const order = await paid(2, {}, 'card_key')
  await run(cards)
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'queued'])
  await setLate({ factor: 2, refund_after_hours: 6 })
  await tendLate(later(7 * 3_600))
  expect((await statesOf(order)).toSorted()).toEqual(['delivered', 'refund_due'])
  expect(await violations(database.ctx)).toEqual([])
})

test('what is held for a closer look by the time its turn comes goes back by no rule', async () => {
  const order = await paid(1)
  const [unit] = await hands.unitsOf(order)
  await database.ctx.db
    .updateTable('shop_order')
    .set({ hold: 'risk', status: 'processing' })
    .where('id', '=', order.id)
    .execute()
  const given = await refundUnits(database.ctx, order.id, [unit?.id ?? ''], 'not_delivered')
  expect(given).toBe(false)
  expect(await statesOf(order)).toEqual(['queued'])
})

const holdFor = (orderId: string, hold: 'risk' | null) =>
  database.ctx.db
    .updateTable('shop_order')
    .set({ hold, status: hold === null ? 'waiting_for_shipment' : 'processing' })
    .where('id', '=', orderId)
    .execute()

test('who waits for a person of the shop is not told that it is late, and is told once that is over', async () => {
  const order = await paid(1)
  await database.ctx.db
    .updateTable('brand')
    .set({ typical_minutes: 10 })
    .where('code', '=', item.brand)
    .execute()
  const late = { orderId: order.id, line: 0, units: 1 }
  const listed = async () =>
    (
      await listLate(database.ctx.db, {
        now: later(3_600).now(),
        factor: 2,
        last: null,
        limit: 1_000,
      })
    ).filter(({ orderId }) => orderId === order.id)
  await holdFor(order.id, 'risk')
  expect(await listed()).toEqual([])
  expect(await tellLate(later(3_600), late)).toBe(false)
  expect(await listReasons(database.ctx.db, order.id)).not.toContain('delivery_late')
  await holdFor(order.id, null)
  expect(await listed()).toEqual([late])
  expect(await tellLate(later(3_600), late)).toBe(true)
})

test('nobody is told that it is late once it is delivered, or days after', async () => {
  const [delivered, old] = [await paid(1), await paid(1)]
  await database.ctx.db
    .updateTable('brand')
    .set({ typical_minutes: 10 })
    .where('code', '=', item.brand)
    .execute()
  await tendLate(later(4 * 86_400))
  expect(await listReasons(database.ctx.db, old.id)).not.toContain('delivery_late')
  await run(supplier)
  const late = { orderId: delivered.id, line: 0, units: 1 }
  expect(await tellLate(later(3_600), late)).toBe(false)
})

test('what is disputed goes back by no rule, and neither does what was bought', async () => {
  const [waiting, disputed, bought] = [await paid(1), await paid(1), await paid(1)]
  const { db } = database.ctx
  await db
    .updateTable('payment_attempt')
    .set({ is_disputed: true })
    .where('order_id', '=', disputed.id)
    .execute()
  // Nothing does this: a unit that was bought waits all the same.
  const [unit] = await hands.unitsOf(bought)
  const [purchase] = await db.selectFrom('purchase').select('id').limit(1).execute()
  await db
    .insertInto('purchase_unit')
    .values({
      purchase_id: purchase?.id ?? '',
      unit_id: unit?.id ?? '',
      is_live: false,
      is_done: true,
    })
    .execute()
  const overdue = await listOverdue(db, {
    before: later(3_600).now(),
    last: null,
    limit: 1_000,
  })
  const named = overdue.map(({ orderId }) => orderId)
  expect(named).toContain(waiting.id)
  expect(named).not.toContain(disputed.id)
  expect(named).not.toContain(bought.id)
  const [other] = await hands.unitsOf(disputed)
  const given = await refundUnits(database.ctx, disputed.id, [other?.id ?? ''], 'not_delivered')
  expect(given).toBe(false)
  expect(await statesOf(disputed)).toEqual(['queued'])
})
