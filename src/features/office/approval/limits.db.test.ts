import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { refundByOperator } from '#features/buying/refund/commands.ts'
import { grantCreditByOperator } from '#features/buying/store-credit/commands.ts'
import { changeSetting } from '#features/office/setting/commands.ts'
import { saveRole } from '#features/office/staff/commands.ts'
import { readOwnLimits } from '#features/team/approval/queries.ts'
import { actingAs, createOperator, type OperatorCtx } from '#features/team/operator/commands.ts'
import { findRole, listRoles } from '#features/team/operator/queries.ts'
import { limitOf, totalLimitOf, type OwnRole } from '#features/team/operator/rules.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused, somebody } from '../../../../test/support/people.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
})
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const eur = (minor: bigint) => ({ minor, currency: 'EUR' })
let card: TestItem
let serial = 0

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  for (const [currency, per_usd] of [
    ['EUR', '0.7'],
    ['JPY', '150'],
  ] as const)
    await ctx.db
      .insertInto('currency_rate')
      .values({ currency, per_usd, observed_at: new Date(), source: 'test' })
      .execute()
  card = await addItem(ctx)
  await stock(ctx, card, 'A', 60)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

/** Somebody with a role of the shop's own, whom nothing counts against yet. */
function withRole(own: Partial<OwnRole>): OperatorCtx {
  const { ctx } = database
  const name = `night${(serial += 1)}`
  const role = {
    name,
    permissions: ['order.refund', 'shopper.credit'] as const,
    limits: { 'order.refund': null, 'shopper.credit': null },
    ...own,
  }
  return actingAs(ctx, { id: ctx.newId(), name, role: 'night', own: role })
}

async function bought(quantity: number, accountId?: string) {
  const { ctx } = database
  const order = await buy(ctx, [{ item: card, quantity }], accountId ? { accountId } : {})
  await startPaying(ctx, services(), {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  const attempt = await ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.pay(attempt.id, usd(BigInt(quantity) * 1_000n))
  await checkPayment(ctx, services(), attempt.id)
  const units = await ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', order.id)
    .orderBy('id')
    .execute()
  return { ...order, units: units.map(({ public_id: unit }) => unit) }
}

const credit = async (ctx: OperatorCtx, money: { minor: bigint; currency: string }) =>
  grantCreditByOperator(ctx, { email: (await somebody(database.ctx)).email, money })
const refund = (ctx: OperatorCtx, orderNumber: string, units: readonly string[]) =>
  refundByOperator(ctx, { orderNumber, units, destination: 'original', reason: 'goodwill' })

test('refunds and credit to everybody count together over 24 hours, whatever each may be', async () => {
  const night = withRole({ totals: { day: 3_000n, order: null } })
  const order = await bought(2)
  expect((await refund(night, order.number, order.units)).needsApproval).toBe(false)
  expect(await credit(night, usd(1_001n))).not.toBeNull()
  expect(await credit(night, usd(1_000n))).toBeNull()
  expect(await credit(night, usd(1n))).not.toBeNull()
  const tomorrow = { ...night, now: minutesLater(database.ctx, 24 * 60 + 1).now }
  expect(await credit(tomorrow, usd(3_000n))).toBeNull()
})

test('what is given for one order counts for ever, and the next order anew', async () => {
  const night = withRole({ totals: { day: null, order: 2_000n } })
  const [first, second] = [await bought(3), await bought(1)]
  const [one = '', two = '', three = ''] = first.units
  expect((await refund(night, first.number, [one])).needsApproval).toBe(false)
  const nextWeek = { ...night, now: minutesLater(database.ctx, 7 * 24 * 60).now }
  expect((await refund(nextWeek, first.number, [two])).needsApproval).toBe(false)
  expect((await refund(nextWeek, first.number, [three])).needsApproval).toBe(true)
  expect((await refund(nextWeek, second.number, second.units)).needsApproval).toBe(false)
})

test('ten acts at once never give more than the limit', async () => {
  const night = withRole({ totals: { day: 4_500n, order: null } })
  const order = await bought(5)
  const outcomes = await Promise.all([
    ...order.units.map((unit) =>
      refund(night, order.number, [unit]).then(({ needsApproval }) => needsApproval),
    ),
    ...Array.from({ length: 5 }, () => credit(night, usd(1_000n)).then((waits) => waits !== null)),
  ])
  expect(outcomes.filter((isWaiting) => !isWaiting)).toHaveLength(4)
  const { rows } = await sql<{ given: string }>`
    select sum(amount_minor)::text as given from operator_act where decided_by = ${night.actor} and status = 'given'`.execute(
    database.ctx.db,
  )
  expect(rows).toEqual([{ given: '4000' }])
})

test('amounts in the shop’s currency count to the last coin, others by the rate of today, and it may be changed', async () => {
  const { ctx } = database
  await changeSetting(asOperator(ctx), 'shop_currency', 'EUR')
  await changeSetting(asOperator(ctx), 'refund_second_person_minor', '100000')
  // By way of dollars each would be a cent more.
  const night = withRole({ totals: { day: 1_000n, order: null } })
  for (let turn = 0; turn < 10; turn += 1) expect(await credit(night, eur(100n))).toBeNull()
  expect(await credit(night, eur(1n))).not.toBeNull()
  const other = withRole({ totals: { day: 700n, order: null } })
  expect(await credit(other, usd(1_001n))).not.toBeNull()
  expect(await credit(other, usd(1_000n))).toBeNull()
  const acts = await ctx.db
    .selectFrom('operator_act')
    .select(['currency', 'amount_minor', 'usd_minor', 'counted_minor', 'counted_currency'])
    .where('decided_by', '=', other.actor)
    .execute()
  expect(acts).toEqual([
    {
      currency: 'USD',
      amount_minor: '1000',
      usd_minor: '1000',
      counted_minor: '700',
      counted_currency: 'EUR',
    },
  ])
  await changeSetting(asOperator(ctx), 'shop_currency', 'USD')
  const used = await readOwnLimits(ctx.db, other, ctx.now())
  expect(used.totals).toEqual([
    { total: 'day', used: 1_000n, limit: 700n },
    { total: 'order', used: 0n, limit: null },
  ])
  // An act of a release before counts by its cents.
  await sql`insert into operator_act (id, public_id, kind, permission, status, subject, currency, amount_minor, usd_minor, asked_by, asked_at, decided_by, decided_at, request_id)
    select uuidv7(), 'ABCDEFGHIJKLMNOPQRSTUV', kind, permission, 'given', 'old@example.com', currency, 300, 300, asked_by, asked_at, decided_by, decided_at, 'old'
    from operator_act where decided_by = ${other.actor}`.execute(ctx.db)
  expect((await readOwnLimits(ctx.db, other, ctx.now())).totals[0]?.used).toBe(1_300n)
})

test('limits that nobody has written are round in every currency, and those of a role keep their worth', async () => {
  const { ctx } = database
  const owner = asOperator(ctx)
  const written = await saveRole(owner, {
    code: null,
    name: 'Night shift',
    version: 0,
    permissions: ['order.read', 'order.refund'],
    limits: { 'order.refund': 5_000n },
    totals: { day: 20_000n },
    currency: 'USD',
  })
  expect(written.waits).toBeNull()
  const support = async () => (await findRole(ctx.db, 'support')) ?? { role: 'support' }
  expect(totalLimitOf(await support(), 'order')).toBe(10_000n)
  await changeSetting(owner, 'shop_currency', 'JPY')
  // Ten thousand yen for a hundred dollars, at 150 as at 120.
  expect(totalLimitOf(await support(), 'order')).toBe(10_000n)
  expect(limitOf(await support(), 'order.refund')).toBe(2_000n)
  const night = (await listRoles(ctx.db)).find(({ role }) => role === written.code)
  expect(night && limitOf(night, 'order.refund')).toBe(7_500n)
  expect(night && totalLimitOf(night, 'day')).toBe(30_000n)
  // What was read in dollars is not saved as yen.
  const stale = { code: written.code, name: 'Night shift', version: 1, currency: 'USD' } as const
  const again = { permissions: ['order.refund'], limits: { 'order.refund': 1n } } as const
  expect((await refused(saveRole(owner, { ...stale, ...again }))).code).toBe('changed_meanwhile')
  await saveRole(owner, { ...stale, ...again, currency: 'JPY' })
  const row = await ctx.db
    .selectFrom('operator_role')
    .select(['limits', 'limit_currency'])
    .where('code', '=', written.code)
    .executeTakeFirst()
  expect(row).toEqual({ limits: { 'order.refund': '1' }, limit_currency: 'JPY' })
  const aiko = await createOperator(owner, {
    name: 'aiko',
    role: 'support',
    password: 'correct horse battery',
  })
  expect(totalLimitOf(aiko, 'day')).toBe(100_000n)
})
