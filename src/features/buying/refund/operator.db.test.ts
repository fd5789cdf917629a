import { afterEach, beforeAll, expect, test } from 'vitest'
import { getGuardedBalance } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
  unitIdsOf,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { refused } from '../../../../test/support/people.ts'
import { storeCreditOf } from '#features/base/ledger/rules.ts'
import { listUndecided } from '#features/buying/order/queries.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { approveRefund, refundByOperator, repeatRefund, returnHeldMoney } from './commands.ts'
import { submitRefunds } from './flows.ts'
import { countRefused, listForOperators } from './queries.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
const as = (name: string) => asOperator(database.ctx, name)
let card: TestItem

beforeAll(async () => {
  await addCurrencies(database.ctx)
  card = await addItem(database.ctx)
  await stock(database.ctx, card, 'A', 60)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

async function bought(quantity: number, minor = BigInt(quantity) * 1_000n) {
  const order = await buy(database.ctx, [{ item: card, quantity }])
  await payFor(database.ctx, fake, order, minor)
  return { ...order, units: await unitIdsOf(database.ctx, order.id) }
}

test('up to the limit one person gives units back, and a part of the order stays', async () => {
  const order = await bought(3)
  const before = fake.kept('USD')
  const asked = await refundByOperator(as('ann'), {
    orderNumber: order.number,
    units: order.units.slice(0, 1),
    destination: 'original',
    reason: 'faulty',
  })
  expect(asked).toMatchObject({ amountMinor: 1_000n, currency: 'USD', needsApproval: false })
  await submitRefunds(database.ctx, services.providers)
  expect(before - fake.kept('USD')).toBe(1_000n)
  expect(
    await database.ctx.db
      .selectFrom('shop_order')
      .select(['status', 'refunded_minor'])
      .where('id', '=', order.id)
      .executeTakeFirst(),
  ).toEqual({ status: 'completed', refunded_minor: '1000' })
})

test('above the limit nothing goes back until somebody else approves it', async () => {
  const order = await bought(11)
  const before = fake.kept('USD')
  const { publicId, needsApproval } = await refundByOperator(as('ann'), {
    orderNumber: order.number,
    units: null,
    destination: 'original',
    reason: 'goodwill',
  })
  expect(needsApproval).toBe(true)
  await submitRefunds(database.ctx, services.providers)
  expect(fake.kept('USD')).toBe(before)
  expect((await refused(approveRefund(as('ann'), publicId))).code).toBe('needs_another')
  await Promise.all([approveRefund(as('bob'), publicId), approveRefund(as('bob'), publicId)])
  expect((await refused(approveRefund(as('cleo'), publicId))).code).toBe('order_closed')
  await submitRefunds(database.ctx, services.providers)
  expect(before - fake.kept('USD')).toBe(11_000n)
  expect(
    (await listForOperators(database.ctx.db, 10)).find(({ refund }) => refund === publicId),
  ).toMatchObject({ status: 'succeeded', requestedBy: 'operator:ann', approvedBy: 'operator:bob' })
  const audit = await database.ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('subject_code', '=', publicId)
    .orderBy('id')
    .execute()
  expect(audit).toEqual([
    { actor: 'operator:ann', action: 'refund_asked' },
    { actor: 'operator:bob', action: 'refund_approved' },
  ])
})

test('what is more than a role may give back waits for a person whose role may', async () => {
  const support = (name: string) => asOperator(database.ctx, name, 'support')
  const order = await bought(3)
  const { publicId, needsApproval } = await refundByOperator(support('ann'), {
    orderNumber: order.number,
    units: null,
    destination: 'original',
    reason: 'goodwill',
  })
  expect(needsApproval).toBe(true)
  expect(await refused(approveRefund(support('bob'), publicId))).toMatchObject({
    code: 'forbidden',
    params: { limit: 'order.refund', role: 'support' },
  })
  await approveRefund(asOperator(database.ctx, 'cleo', 'finance'), publicId)
  await submitRefunds(database.ctx, services.providers)
  const small = await bought(2)
  expect(
    await refundByOperator(support('ann'), {
      orderNumber: small.number,
      units: null,
      destination: 'original',
      reason: 'goodwill',
    }),
  ).toMatchObject({ amountMinor: 2_000n, needsApproval: false })
  await submitRefunds(database.ctx, services.providers)
})

test('a refund that failed is not asked for anew once a bank has taken some of its money', async () => {
  const order = await bought(1)
  const { publicId } = await refundByOperator(as('ann'), {
    orderNumber: order.number,
    units: null,
    destination: 'original',
    reason: 'faulty',
  })
  fake.faults.push('refuse')
  await submitRefunds(database.ctx, services.providers)
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.set(id, { reversed: { minor: 400n, currency: 'USD' } })
  await checkPayment(database.ctx, services, id)
  expect((await refused(repeatRefund(as('ann'), publicId, 'original'))).code).toBe('order_closed')
})

test('thirty-two who ask for the same unit at once get it back once', async () => {
  const order = await bought(1)
  const outcomes = await Promise.all(
    Array.from({ length: 32 }, () =>
      refundByOperator(as('ann'), {
        orderNumber: order.number,
        units: order.units,
        destination: 'store_credit',
        reason: 'faulty',
      }).then(
        () => 'asked',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'asked')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'order_closed')).toHaveLength(31)
  await submitRefunds(database.ctx, services.providers)
})

test('units of another order and orders that are not there are refused', async () => {
  const [one, other] = [await bought(1), await bought(1)]
  expect(
    (
      await refused(
        refundByOperator(as('ann'), {
          orderNumber: one.number,
          units: other.units,
          destination: 'original',
          reason: 'faulty',
        }),
      )
    ).code,
  ).toBe('not_found')
  expect(
    (
      await refused(
        refundByOperator(as('ann'), {
          orderNumber: '0000000000000',
          units: null,
          destination: 'original',
          reason: 'faulty',
        }),
      )
    ).code,
  ).toBe('not_found')
})

test('money that did not pay for its order goes back once', async () => {
  const order = await bought(2, 500n)
  const before = fake.kept('USD')
  await returnHeldMoney(as('ann'), order.id, 'returned_by_operator')
  expect((await refused(returnHeldMoney(as('ann'), order.id, 'returned_by_operator'))).code).toBe(
    'order_closed',
  )
  expect(
    (await listUndecided(database.ctx.db, 10)).find(({ number }) => number === order.number),
  ).toMatchObject({ hold: 'underpaid', reason: 'money_returned', capturedMinor: 500n })
  await submitRefunds(database.ctx, services.providers)
  expect(before - fake.kept('USD')).toBe(500n)
})

test('units whose refund the provider refuses go back when it is asked for anew, once', async () => {
  const order = await bought(2)
  const { publicId } = await refundByOperator(as('ann'), {
    orderNumber: order.number,
    units: order.units.slice(0, 1),
    destination: 'original',
    reason: 'faulty',
  })
  expect((await refused(repeatRefund(as('ann'), publicId, 'original'))).code).toBe('order_closed')
  fake.faults.push('refuse')
  await submitRefunds(database.ctx, services.providers)
  expect(await countRefused(database.ctx.db)).toBe(1)
  const outcomes = await Promise.all(
    Array.from({ length: 32 }, () =>
      repeatRefund(as('ann'), publicId, 'store_credit').then(
        () => 'asked',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'asked')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'order_closed')).toHaveLength(31)
  await submitRefunds(database.ctx, services.providers)
  expect(await countRefused(database.ctx.db)).toBe(0)
  expect(await stateOf(order.id)).toEqual({ status: 'completed', refunded_minor: '1000' })
})

test('a refund in doubt stays so where its provider knows nothing of the payment, as with keys of another account', async () => {
  const order = await bought(1)
  const { publicId } = await refundByOperator(as('ann'), {
    orderNumber: order.number,
    units: order.units,
    destination: 'original',
    reason: 'faulty',
  })
  fake.faults.push('lost_answer')
  await submitRefunds(database.ctx, services.providers)
  fake.faults.push('refuse')
  const later = { ...database.ctx, now: () => new Date(database.ctx.now().getTime() + 3_600_000) }
  await submitRefunds(later, services.providers)
  const { status } = await database.ctx.db
    .selectFrom('refund')
    .select('status')
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  expect([status, fake.faults]).toEqual(['unknown', []])
  expect((await refused(repeatRefund(as('ann'), publicId, 'store_credit'))).code).toBe(
    'order_closed',
  )
})

test('a surplus whose refund the provider refuses can be given as store credit', async () => {
  const order = await bought(1, 1_500n)
  fake.faults.push('refuse')
  await submitRefunds(database.ctx, services.providers)
  const { refund } = (await listForOperators(database.ctx.db, 10)).find(
    ({ orderNumber, status }) => orderNumber === order.number && status === 'failed',
  ) ?? { refund: '' }
  await repeatRefund(as('ann'), refund, 'store_credit')
  await submitRefunds(database.ctx, services.providers)
  expect(await getGuardedBalance(database.ctx.db, storeCreditOf(order.accountId), 'USD')).toBe(500n)
  expect(await stateOf(order.id)).toEqual({ status: 'completed', refunded_minor: '500' })
  expect((await refused(repeatRefund(as('ann'), refund, 'original'))).code).toBe('order_closed')
})

function stateOf(id: string) {
  return database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirst()
}
