import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { preparePurchase } from './commands.ts'

const database = useDatabase()
let item: TestItem
let one: FakeSupplier
let serial = 0
const hands = supplyHands(
  () => database.ctx,
  createFakePayments(),
  () => item,
)

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx)
  one = createFakeSupplier(`one${serial}`, { maxQuantity: 5 })
  await registerSuppliers(database.ctx, [one.provider.code])
  await hands.offer(one, 0, { minor: 700n, currency: 'USD' }, 'key')
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

/** Three cards of a line that wait for the supplier; the second is otherwise than the others. What is begun for the first is told. */
async function begun(
  second: {
    readonly due_at?: Date
    readonly allowed_minor?: string
    readonly allowed_currency?: string
  } | null,
) {
  const order = await hands.paid(3, {}, 'card_key')
  const units = await hands.unitsOf(order)
  const [first, other] = units.map(({ id }) => id)
  if (second)
    await database.ctx.db
      .updateTable('supply_queue')
      .set({ ...second, ...(second.due_at ? { rank_at: second.due_at } : {}) })
      .where('unit_id', '=', other ?? '')
      .execute()
  const unit = { unitId: first ?? '', orderId: order.id }
  const purchase = await preparePurchase(database.ctx, unit, one.provider)
  return { told: purchase?.told, states: await hands.statesOf(order) }
}

test('cards of a line are bought together, and may cost together what each of them may', async () => {
  const { told, states } = await begun(null)
  expect(told).toMatchObject({ quantity: 3, maxCost: { minor: 3_000n, currency: 'USD' } })
  expect(states).toEqual(['delivering', 'delivering', 'delivering'])
})

test('a card that is to be tried later is not bought with those whose turn it is', async () => {
  const { told, states } = await begun({ due_at: hands.later(3_600).now() })
  expect(told).toMatchObject({ quantity: 2 })
  expect(states).toEqual(['delivering', 'queued', 'delivering'])
})

test('a card that a person allowed to cost what it costs is not bought with those that may not', async () => {
  const { told, states } = await begun({ allowed_minor: '1200', allowed_currency: 'USD' })
  expect(told).toMatchObject({ quantity: 2, maxCost: { minor: 2_000n, currency: 'USD' } })
  expect(states).toEqual(['delivering', 'queued', 'delivering'])
})
