import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { SupplyDone } from '#providers/supply/provider.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../../test/support/buying.ts'
import { useDatabase } from '../../../../../test/support/database.ts'
import { createFakePayments } from '../../../../../test/support/fake-payment.ts'
import { createFakeSupplier } from '../../../../../test/support/fake-supplier.ts'
import { supplyHands } from '../../../../../test/support/supply-hands.ts'
import { deliverFastPath, preparePurchase, recordOutcome, takeQueued } from '../commands.ts'
import type { Purchase } from '../queries.ts'

const database = useDatabase()
const { provider } = createFakeSupplier('first')
let item: TestItem
const { paid, offer, run, unitsOf } = supplyHands(
  () => database.ctx,
  createFakePayments(),
  () => item,
)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await registerSuppliers(database.ctx, ['first'])
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  await offer(createFakeSupplier('first'))
  // The first delivery opens the accounts of the books, which the plain case does not.
  await paid(1)
  await run(createFakeSupplier('first'))
})

const done = ({ id }: Purchase, more: Partial<SupplyDone> = {}): SupplyDone => ({
  kind: 'done',
  supplierId: `theirs-${id}`,
  cost: { minor: 690n, currency: 'USD' },
  ...more,
})

async function begun(quantity = 1): Promise<{ order: { id: string }; purchases: Purchase[] }> {
  const order = await paid(quantity)
  const purchases: Purchase[] = []
  for (const unit of await takeQueued(database.ctx, 'first', 100)) {
    const purchase = await preparePurchase(database.ctx, unit, provider)
    if (purchase) purchases.push(purchase)
  }
  return { order, purchases }
}

/** Every row about an order, without what differs between two orders that are alike. */
async function rowsOf({ id }: { readonly id: string }): Promise<unknown> {
  const { rows } = await sql<{ of: string; row: Record<string, unknown> }>`
    select 'order' as of, to_jsonb(o) as row from shop_order o where id = ${id}
    union all select 'unit', to_jsonb(u) from order_unit u where order_id = ${id}
    union all select 'event', to_jsonb(e) from order_event e where order_id = ${id}
    union all select 'purchase', to_jsonb(p) from purchase p where order_id = ${id}
    union all select 'purchase unit', to_jsonb(n) from purchase_unit n join purchase p on p.id = n.purchase_id where p.order_id = ${id}
    union all select 'movement', to_jsonb(t) from ledger_transfer t where source_id in (select id from purchase where order_id = ${id} union select id from order_unit where order_id = ${id})
    union all select 'audit', to_jsonb(a) from audit_log a where subject_code in (select public_id from order_unit where order_id = ${id})
    union all select 'queue', to_jsonb(q) from supply_queue q join order_unit u on u.id = q.unit_id where u.order_id = ${id}
    union all select 'case', to_jsonb(c) from supply_case c join purchase p on p.id = c.purchase_id where p.order_id = ${id}`.execute(
    database.ctx.db,
  )
  const isOwn = (name: string) =>
    /(^|_)(id|at|no|key|hash|until)$|^(number|seq|reference|proof|subject_code|waived_at)$/.test(
      name,
    )
  return rows
    .map(({ of, row }) =>
      JSON.stringify([
        of,
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => !isOwn(name) || row[name] === null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ]),
    )
    .toSorted()
}

test.each([
  ['one', 1, {}],
  ['two, the last of which is told of', 2, {}],
  ['one whose cost is not told', 1, { cost: null }],
])('%s: the plain case leaves the same rows as the rules', async (_, quantity, more) => {
  const plain = await begun(quantity)
  for (const purchase of plain.purchases)
    expect(await deliverFastPath(database.ctx, purchase, done(purchase, more))).toBe(true)
  const ruled = await begun(quantity)
  for (const purchase of ruled.purchases)
    await recordOutcome(database.ctx, purchase, done(purchase, more), provider.capabilities)
  expect(await rowsOf(plain.order)).toEqual(await rowsOf(ruled.order))
  expect(await violations(database.ctx)).toEqual([])
})

test('several at once share a trip, and one that was delivered already changes nothing', async () => {
  const { order, purchases } = await begun(5)
  const twice = [...purchases, ...purchases]
  const delivered = await Promise.all(
    twice.map((purchase) => deliverFastPath(database.ctx, purchase, done(purchase))),
  )
  expect(delivered.filter(Boolean)).toHaveLength(5)
  const units = await unitsOf(order as Parameters<typeof unitsOf>[0])
  expect(units.every(({ status }) => status === 'delivered')).toBe(true)
  expect(await violations(database.ctx)).toEqual([])
})

test('what bears the name of another keeps up nobody that shares its trip', async () => {
  const { purchases: former } = await begun()
  const { purchases } = await begun(3)
  const [another] = former
  if (!another) throw new Error('nothing was begun')
  expect(await deliverFastPath(database.ctx, another, done(another))).toBe(true)
  const named = (each: Purchase, index: number) =>
    deliverFastPath(
      database.ctx,
      each,
      done(each, index === 1 ? { supplierId: `theirs-${another.id}` } : {}),
    )
  expect(await Promise.all(purchases.map(named))).toEqual([true, false, true])
})

const NOT_PLAIN: readonly (readonly [string, (purchase: Purchase) => Promise<SupplyDone>])[] = [
  ['dearer than allowed', async (p) => done(p, { cost: { minor: 5_000n, currency: 'USD' } })],
  ['of another currency', async (p) => done(p, { cost: { minor: 1n, currency: 'EUR' } })],
  ['without a name', async (p) => done(p, { supplierId: '' })],
  ['with cards', async (p) => done(p, { cards: [] })],
  [
    'with the name of another',
    async (p) => {
      const other = await database.ctx.db
        .selectFrom('purchase')
        .select('supplier_id')
        .where('supplier_id', 'is not', null)
        .where('id', '<>', p.id)
        .executeTakeFirstOrThrow()
      return done(p, { supplierId: other.supplier_id ?? '' })
    },
  ],
  [
    'of an order that is held',
    async (p) => {
      await sql`update shop_order set hold = 'risk', status = 'processing' where id = ${p.orderId}`.execute(
        database.ctx.db,
      )
      return done(p)
    },
  ],
  [
    'of an order that is disputed',
    async (p) => {
      await sql`update payment_attempt set is_disputed = true where order_id = ${p.orderId}`.execute(
        database.ctx.db,
      )
      return done(p)
    },
  ],
  [
    'by another name than it was taken under',
    async (p) => {
      await recordOutcome(
        database.ctx,
        p,
        { kind: 'accepted', supplierId: `other-${p.id}` },
        provider.capabilities,
      )
      return done(p)
    },
  ],
  [
    'given up meanwhile',
    async (p) => {
      await sql`update purchase_unit set is_live = false where purchase_id = ${p.id}`.execute(
        database.ctx.db,
      )
      return done(p)
    },
  ],
  [
    'in doubt',
    async (p) => {
      await recordOutcome(
        database.ctx,
        p,
        { kind: 'unknown', why: 'a test' },
        provider.capabilities,
      )
      return done(p)
    },
  ],
]
test.each(NOT_PLAIN)('%s: the rules decide, and nothing has changed', async (_, change) => {
  const { order, purchases } = await begun()
  const [purchase] = purchases
  if (!purchase) throw new Error('nothing was begun')
  const answer = await change(purchase)
  const before = await rowsOf(order)
  expect(await deliverFastPath(database.ctx, purchase, answer)).toBe(false)
  expect(await rowsOf(order)).toEqual(before)
})

test('a card whose key has not come is not delivered by the plain case', async () => {
  const { paid: paidCards, offer: offerCards } = supplyHands(
    () => database.ctx,
    createFakePayments(),
    () => card,
  )
  const card = await addItem(database.ctx)
  await offerCards(createFakeSupplier('first'), 0, { minor: 700n, currency: 'USD' }, 'key')
  const order = await paidCards(1, {}, 'card_key')
  const [unit] = await unitsOf(order)
  const taken = { unitId: unit?.id ?? '', orderId: order.id }
  const purchase = await preparePurchase(database.ctx, taken, provider)
  if (!purchase) throw new Error('nothing was begun')
  const before = await rowsOf(order)
  expect(await deliverFastPath(database.ctx, purchase, done(purchase))).toBe(false)
  expect(await rowsOf(order)).toEqual(before)
})
