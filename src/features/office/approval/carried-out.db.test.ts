import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readVersion } from '#features/buying/order/queries.ts'
import { closeUnmatched, recordUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import { returnAsDecided, returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { decideDoubtAtDesk } from '#features/office/desk/commands.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { type OperatorCtx } from '#features/team/operator/commands.ts'
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
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator, firstOwner } from '../../../../test/support/operators.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { refused } from '../../../../test/support/people.ts'
import { approveAct, refuseAct } from './commands.ts'
import { carryOutDecided } from './flows.ts'

const database = useDatabase()
const fake = createFakePayments()
const giveBack = (ctx: Ctx, unmatched: string) => returnAsDecided(ctx, [fake.provider], unmatched)
let item: TestItem
let one: FakeSupplier
let owner: OperatorCtx
const { ask, statesOf, unitsOf, offer, paid, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  owner = await firstOwner(ctx)
  item = await addItem(ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier('silent')
  await registerSuppliers(ctx, [one.provider.code])
  await offer(one)
})
beforeEach(async () => {
  await database.ctx.db
    .insertInto('setting')
    .values(
      ['refund_second_person_minor', 'note_second_person_minor'].map((key) => ({
        key,
        value: '0',
      })),
    )
    .execute()
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const audited = async (action: string, code: string) =>
  (
    await database.ctx.db
      .selectFrom('audit_log')
      .select('actor')
      .where('action', '=', action)
      .where('subject_code', '=', code)
      .execute()
  ).map(({ actor }) => actor)

test('what was approved of a unit in doubt is done though whoever approved it was cut off, once and in their name', async () => {
  one.tells(() => ({ kind: 'unknown', why: 'down' }))
  one.next({ kind: 'lost_call' })
  const order = await paid()
  await run(one)
  for (const seconds of [11, 31, 121, 601, 3_601, 21_601, 86_401]) await ask(one, seconds)
  const [unit] = await unitsOf(order)
  const { waits } = await decideDoubtAtDesk(owner, {
    order: order.number,
    version: await readVersion(database.ctx.db, order.id),
    key: randomUUID(),
    unit: unit?.public_id ?? '',
    outcome: 'failed',
    proof: 'never came',
  })
  // Nothing is done about it before it is approved, nor while whoever approves it is doing it.
  expect(await carryOutDecided(minutesLater(database.ctx, 5), giveBack)).toBe(0)
  const act = await approveAct(asOperator(database.ctx, 'bea'), waits ?? '')
  expect(await carryOutDecided(database.ctx, giveBack)).toBe(0)
  expect(await statesOf(order)).toEqual(['in_doubt'])
  const later = minutesLater(database.ctx, 2)
  const done = await Promise.all([1, 2].map(() => carryOutDecided(later, giveBack)))
  expect(done.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  expect(await carryOutDecided(later, giveBack)).toBe(0)
  expect(await statesOf(order)).toEqual(['failed'])
  expect(await audited('purchase_settled', act.subject)).toEqual(['operator:bea'])
})

/** Money that no order knows, found just now. */
async function unmatched(minor: bigint): Promise<string> {
  const order = await paid()
  const { provider_reference: reference } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('provider_reference')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await recordUnmatched(database.ctx, 'fake', {
    reference: reference ?? '',
    ourReference: randomUUID(),
    status: 'captured',
    captured: { minor, currency: 'USD' },
    isDisputed: false,
    reversed: null,
    redirectUrl: null,
    failure: null,
  })
  const found = await database.ctx.db
    .selectFrom('stray_payment')
    .select('public_id')
    .where('provider_reference', '=', reference)
    .executeTakeFirstOrThrow()
  return found.public_id
}

test('an unmatched payment that was to go back goes back, once', async () => {
  const publicId = await unmatched(600n)
  const before = fake.kept('USD')
  const waits = await returnUnmatched(owner, [fake.provider], publicId)
  await approveAct(asOperator(database.ctx, 'bea'), waits ?? '')
  const later = minutesLater(database.ctx, 2)
  expect(await carryOutDecided(later, giveBack)).toBe(1)
  expect(await carryOutDecided(later, giveBack)).toBe(0)
  expect(fake.kept('USD')).toBe(before - 600n)
  expect(await audited('stray_closed', publicId)).toEqual(['operator:bea'])
})

test('what somebody gave back in the dashboard, and says so, is not given back a second time by an approval of before', async () => {
  const publicId = await unmatched(600n)
  const before = fake.kept('USD')
  const returning = await returnUnmatched(owner, [fake.provider], publicId)
  await approveAct(asOperator(database.ctx, 'bea'), returning ?? '')
  // Whoever approved it was cut off. While another's yes to the dashboard's refund is waited for, nothing is done.
  const closing = await closeUnmatched(owner, publicId, 'given back in the dashboard')
  const later = minutesLater(database.ctx, 2)
  expect(await carryOutDecided(later, giveBack)).toBe(0)
  await approveAct(asOperator(database.ctx, 'bea'), closing ?? '')
  expect(await carryOutDecided(later, giveBack)).toBe(0)
  expect((await refused(returnUnmatched(owner, [fake.provider], publicId))).code).toBe(
    'order_closed',
  )
  expect(fake.kept('USD')).toBe(before)
  expect(await audited('stray_closed', publicId)).toEqual(['operator:bea'])
})

test('where nobody believes that it was given back elsewhere, it goes back as was decided, once', async () => {
  const publicId = await unmatched(600n)
  const before = fake.kept('USD')
  const returning = await returnUnmatched(owner, [fake.provider], publicId)
  await approveAct(asOperator(database.ctx, 'bea'), returning ?? '')
  const closing = await closeUnmatched(owner, publicId, 'given back in the dashboard')
  await refuseAct(asOperator(database.ctx, 'bea'), closing ?? '', 'It was not.')
  const later = minutesLater(database.ctx, 2)
  expect(await carryOutDecided(later, giveBack)).toBe(1)
  expect((await refused(closeUnmatched(owner, publicId, 'again'))).code).toBe('order_closed')
  expect(await carryOutDecided(later, giveBack)).toBe(0)
  expect(fake.kept('USD')).toBe(before - 600n)
})
