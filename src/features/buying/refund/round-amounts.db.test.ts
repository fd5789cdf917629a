import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { atProvider, FEES } from '#features/base/ledger/rules.ts'
import { createOrder } from '#features/buying/order/commands.ts'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { secret } from '#platform/secret.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { getBalance, listRefunds } from '../../../../test/support/books.ts'
import { addCurrencies, addItem, violations } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { somebody } from '../../../../test/support/people.ts'
import { repeatRefund, requestRefund } from './commands.ts'
import { submitRefunds } from './flows.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
})

/** Three top-ups of 1.255 KWD, paid at Stripe with a fee that makes the sum round: 3.770. */
async function bought() {
  const sandbox = await openStripeSandbox({
    port: 0,
    secretKey: 'rk_test_1',
    webhookSecret: 'whsec_1',
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const provider = createStripeProvider({
    secretKey: secret('rk_test_1'),
    webhookSecrets: [secret('whsec_1')],
    baseUrl: sandbox.origin,
  })
  const services = { providers: new Map([['stripe', provider]]), publicUrl: 'https://s.example' }
  const item = await addItem(database.ctx, { delivery: 'direct_charge' })
  const { accountId } = await somebody(database.ctx, { withPassword: false })
  const made = await createOrder(
    database.ctx,
    {
      accountId,
      currency: 'KWD',
      pricing: {},
      language: 'en',
      country: null,
      evidence: {},
      termsVersion: '2026-11',
      tax: { minor: 0n, basisPoints: 0 },
      lines: [
        {
          item: item.id,
          itemCode: item.code,
          product: item.product,
          goodsType: 2,
          delivery: 'direct_charge',
          productName: item.brand,
          itemName: '10 USD',
          quantity: 3,
          priceMinor: 1_255n,
          baseMinor: 1_000n,
          baseCurrency: 'USD',
          amount: null,
          accountFields: {},
        },
      ],
    },
    randomUUID(),
  )
  await startPaying(database.ctx, services, {
    order: made.publicId,
    accountId,
    provider: 'stripe',
    method: 'stripe',
    feeMinor: 5n,
  })
  const attempt = await database.ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'provider_reference'])
    .where('order_id', '=', made.id)
    .executeTakeFirstOrThrow()
  const reference = attempt.provider_reference ?? ''
  sandbox.act(reference, 'pay')
  await checkPayment(database.ctx, services, attempt.id)
  const units = (
    await database.ctx.db
      .selectFrom('order_unit')
      .select('id')
      .where('order_id', '=', made.id)
      .orderBy('unit_no')
      .execute()
  ).map(({ id }) => id)
  const askBack = (
    unit: string | undefined,
    destination: 'original' | 'store_credit' = 'original',
  ) =>
    requestRefund(database.ctx, {
      orderId: made.id,
      unitIds: [unit ?? ''],
      destination,
      reason: 'asked',
      requestedBy: 'operator:1',
      approvedBy: 'operator:2',
    })
  let minutes = 0
  const submit = () => {
    minutes += 60
    return submitRefunds(minutesLater(database.ctx, minutes), services.providers)
  }
  const refunds = async () =>
    (await listRefunds(database.ctx.db, made.id)).map(
      ({ amountMinor, status }) => `${amountMinor} ${status}`,
    )
  return { ...made, sandbox, provider, reference, units, askBack, submit, refunds }
}
const booked = (account: Parameters<typeof getBalance>[1]) =>
  getBalance(database.ctx.db, account, 'KWD')

test('parts of an order in dinars go back as Stripe moves them, and together are what was paid', async () => {
  const [before, fees] = [await booked(atProvider('stripe')), await booked(FEES)]
  const { units, askBack, submit, refunds, provider, reference } = await bought()
  for (const unit of units) {
    await askBack(unit)
    await submit()
  }
  expect(await refunds()).toEqual(['1260 succeeded', '1260 succeeded', '1250 succeeded'])
  expect((await provider.fetch(reference)).refundedMinor).toBe(3_770n)
  expect([await booked(atProvider('stripe')), await booked(FEES)]).toEqual([before, fees])
})

test('what went to store credit leaves nothing that Stripe could not move', async () => {
  const { units, askBack, submit, refunds } = await bought()
  await askBack(units[1], 'store_credit')
  await submit()
  await askBack(units[0])
  await submit()
  await askBack(units[2])
  await submit()
  expect(await refunds()).toEqual(['1260 succeeded', '1260 succeeded', '1250 succeeded'])
})

test('a refund that comes back takes its rest back with it, and goes out anew', async () => {
  const { id, units, askBack, submit, refunds, sandbox, provider, reference } = await bought()
  for (const unit of units) {
    await askBack(unit)
    await submit()
  }
  sandbox.act(reference, 'fail_refund')
  await submitRefunds(minutesLater(database.ctx, 3 * 24 * 60), new Map([['stripe', provider]]))
  const failed = await database.ctx.db
    .selectFrom('refund')
    .select('public_id')
    .where('order_id', '=', id)
    .where('status', '=', 'failed')
    .execute()
  expect(failed.length).toBeGreaterThan(0)
  expect(await violations(database.ctx)).toEqual([])
  for (const { public_id: refund } of failed) {
    await repeatRefund(asOperator(database.ctx), refund, 'store_credit')
    await submit()
  }
  expect((await refunds()).filter((text) => text.endsWith('succeeded')).toSorted()).toEqual([
    '1250 succeeded',
    '1260 succeeded',
    '1260 succeeded',
  ])
})
