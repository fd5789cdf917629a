import { afterEach, beforeAll, expect, test } from 'vitest'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { grantCreditByOperator } from '#features/buying/store-credit/commands.ts'
import { getSpendable } from '#features/buying/store-credit/queries.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { acceptCase, openCase } from './commands.ts'

/** What one person of a role may give away at once, whichever way money or credit leaves the shop. */
const database = useDatabase()
const fake = createFakePayments()
const services = {
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
}
const as = (role: OperatorRole) => asOperator(database.ctx, 'ann', role)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

test('a case is granted by who may give back as much, and stays open for others', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'L', 3)
  const order = await buy(database.ctx, [{ item, quantity: 3 }])
  await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.pay(id, usd(3_000n))
  await checkPayment(database.ctx, services, id)
  const asked = await openCase(database.ctx, order.accountId, {
    kind: 'refund_request',
    order: order.publicId,
    units: null,
    reason: 'other',
    text: '',
    picture: null,
    destination: 'original',
  })
  expect(await refused(acceptCase(as('support'), asked, ''))).toMatchObject({
    code: 'forbidden',
    params: { limit: 'order.refund', role: 'support' },
  })
  expect(await acceptCase(as('orders'), asked, '')).toBe(3_000n)
})

test('credit is given up to what the role allows, to somebody who may buy', async () => {
  const { email, accountId } = await somebody(database.ctx, { withPassword: false })
  const grant = (role: OperatorRole, minor: bigint, to = email) =>
    grantCreditByOperator(as(role), { email: to, money: usd(minor) })
  expect(await refused(grant('support', 10_001n))).toMatchObject({
    code: 'forbidden',
    params: { limit: 'shopper.credit', role: 'support' },
  })
  await grant('support', 10_000n, email.toUpperCase())
  expect(await getSpendable(database.ctx.db, accountId, 'USD')).toBe(10_000n)
  expect((await refused(grant('owner', 1n, 'nobody@shop.example'))).code).toBe('not_found')
  await database.ctx.db
    .updateTable('account')
    .set({
      status: 'cancelling',
      cancel_requested_at: database.ctx.now(),
      erase_at: database.ctx.now(),
    })
    .where('id', '=', accountId)
    .execute()
  expect((await refused(grant('owner', 1n))).code).toBe('not_found')
})
