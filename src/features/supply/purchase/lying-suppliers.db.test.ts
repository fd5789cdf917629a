import { beforeAll, expect, test } from 'vitest'
import { refundFailed } from '#features/buying/fulfilment/commands.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { followNotice, preparePurchase, takeQueued } from './commands.ts'
import { askSupplier, buyUnit } from './flows.ts'

const UNITS = 240
const SEED = 20_261_126
const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
const { offer, paid } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

/** Numbers that look random and are the same in each run. */
function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
})

test('however suppliers lie and workers die, no unit is credited twice by what the shop did, none is lost, and the books are those of the suppliers', async () => {
  const chance = chances(SEED)
  const suppliers = ['first', 'second', 'third'].map((code) => createFakeSupplier(code))
  await registerSuppliers(
    database.ctx,
    suppliers.map(({ provider }) => provider.code),
  )
  for (const [priority, supplier] of suppliers.entries()) await offer(supplier, priority)
  for (let left = UNITS; left > 0; left -= 4) await paid(4)

  const liars: { supplier: FakeSupplier; reference: string }[] = []
  for (
    let minutes = 0;
    minutes <= 26 * 60;
    minutes += minutes < 10 ? 1 : minutes < 120 ? 20 : 180
  ) {
    const ctx = minutesLater(database.ctx, minutes)
    for (const supplier of suppliers) await turn(ctx, supplier, chance, liars)
    await refundFailed(ctx)
  }
  // What was said to have failed arrives in the end, at some of them.
  for (const { supplier, reference } of liars.filter((_, index) => index % 3 === 0)) {
    supplier.arrive(reference)
    await followNotice(database.ctx, supplier.provider, { reference, supplierId: null })
  }
  for (const { provider } of suppliers)
    await askSupplier(minutesLater(database.ctx, 27 * 60), provider, () => Promise.resolve())

  expect(await violations(database.ctx)).toEqual([])
  const units = await database.ctx.db.selectFrom('order_unit').select(['id', 'status']).execute()
  expect(units).toHaveLength(UNITS)
  const known = ['delivered', 'refund_due', 'needs_input', 'in_doubt']
  expect(units.filter(({ status }) => !known.includes(status))).toEqual([])
  const purchases = await database.ctx.db
    .selectFrom('purchase as p')
    .innerJoin('purchase_unit as n', 'n.purchase_id', 'p.id')
    .select(['p.reference', 'p.status', 'p.supplier', 'n.unit_id'])
    .execute()
  const soldOf = (supplier: string, reference: string) =>
    suppliers.find(({ provider }) => provider.code === supplier)?.bought.get(reference) ?? 0
  // Nothing was sent twice, and every sale is one that the ledger knows as such, or that a person looks at.
  for (const { supplier, reference, status } of purchases) {
    const sold = soldOf(supplier, reference)
    expect(sold).toBeLessThanOrEqual(1)
    if (status === 'done' || status === 'late') expect(sold).toBe(1)
    if (status === 'failed') expect(sold).toBe(0)
  }
  for (const { id, status } of units) {
    const own = purchases.filter((purchase) => purchase.unit_id === id)
    expect(own.filter((purchase) => purchase.status === 'done')).toHaveLength(
      status === 'delivered' ? 1 : 0,
    )
    if (status === 'in_doubt') expect(own.map((purchase) => purchase.status)).toContain('doubt')
  }
})

/** What a supplier does with what waits for it, and with what it is asked; now and then the worker dies in between. */
async function turn(
  ctx: Ctx,
  supplier: FakeSupplier,
  chance: () => number,
  liars: { supplier: FakeSupplier; reference: string }[],
): Promise<void> {
  for (const unit of await takeQueued(ctx, supplier.provider.code, 100)) {
    const drawn = chance()
    if (drawn < 0.1) {
      const dead = await preparePurchase(ctx, unit, supplier.provider)
      if (dead && chance() < 0.5) supplier.arrive(dead.told.reference)
      continue
    }
    supplier.next(
      drawn < 0.4
        ? { kind: 'done' }
        : drawn < 0.55
          ? { kind: 'lost_answer' }
          : drawn < 0.65
            ? { kind: 'lost_call' }
            : drawn < 0.72
              ? { kind: 'accepted' }
              : drawn < 0.76
                ? { kind: 'throws' }
                : drawn < 0.8
                  ? { kind: 'failed', class: 'customer' }
                  : drawn < 0.84
                    ? { kind: 'failed', class: 'wait' }
                    : { kind: 'failed', class: 'supplier' },
    )
    const before = supplier.calls.length
    const recorded = await buyUnit(ctx, supplier.provider, unit, () => Promise.resolve())
    const call = supplier.calls[before]
    if (call && recorded?.status === 'failed' && drawn >= 0.84)
      liars.push({ supplier, reference: call.reference })
    if (!call) supplier.forget()
  }
  supplier.tells(chance() < 0.4 ? () => ({ kind: 'unknown', why: 'it does not answer' }) : null)
  await askSupplier(ctx, supplier.provider, () => Promise.resolve())
  supplier.tells(null)
}
