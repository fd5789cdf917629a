import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import { countUnmatched, listUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { secret } from '#platform/secret.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { refused } from '../../test/support/people.ts'
import { returnUnmatched } from '#features/buying/unmatched-payment/flows.ts'
import { reconcilePayments } from './payments.ts'
import { asOperator } from '../../test/support/operators.ts'
import { beginPaying } from '../../test/support/paying.ts'

const database = useDatabase()
const publicUrl = 'https://shop.example'
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  await database.ctx.db.deleteFrom('stray_payment').execute()
})

const since = new Date(Date.now() - 3_600_000)
const operator = () => asOperator(database.ctx)
const wish = () => ({
  ourReference: randomUUID(),
  amount: { minor: 1_999n, currency: 'USD' },
  orderNumber: '4821300947165',
  startedAt: new Date(),
  returnUrl: `${publicUrl}/order/pay`,
  language: 'en',
})
const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

async function begun(provider: PaymentProvider) {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const order = await buy(database.ctx, [{ item }])
  const services = { providers: new Map([[provider.code, provider]]), publicUrl }
  const { id, reference } = await beginPaying(database.ctx, services, order, {
    provider: provider.code,
  })
  return { ...order, attempt: id, reference }
}

const SERVICES = {
  stripe: async () => {
    const sandbox = await openStripeSandbox({
      port: 0,
      secretKey: 'sk_test_0123456789',
      webhookSecret: 'whsec_0123456789',
      webhookUrl: null,
    })
    onTestFinished(sandbox.close)
    return {
      provider: createStripeProvider({
        secretKey: secret('sk_test_0123456789'),
        webhookSecrets: [secret('whsec_0123456789')],
        baseUrl: sandbox.origin,
      }),
      pay: async (reference: string) => sandbox.act(reference, 'pay'),
    }
  },
  paypal: async () => {
    const sandbox = await openPaypalSandbox({
      port: 0,
      clientId: 'client',
      clientSecret: 'the secret',
      webhookId: 'WEBHOOK1',
      webhookUrl: null,
    })
    onTestFinished(sandbox.close)
    const provider = createPaypalProvider({
      clientId: 'client',
      clientSecret: secret('the secret'),
      webhookId: 'WEBHOOK1',
      environment: 'sandbox',
      now: () => new Date(),
      baseUrl: sandbox.origin,
    })
    return {
      provider,
      pay: async (reference: string) => {
        sandbox.act(reference, 'approve')
        await provider.fetch(reference)
      },
    }
  },
} as const

test.each(['stripe', 'paypal'] as const)(
  '%s: what was paid in the time that was lost is found, kept once, and given back',
  async (code) => {
    const { provider, pay } = await SERVICES[code]()
    const services = { providers: new Map([[code, provider]]), publicUrl }
    const open = await begun(provider)
    await pay(open.reference)
    // Made by the shop whose database is lost: one was paid, the other not.
    const lost = await provider.create(wish())
    const idle = await provider.create(wish())
    await pay(lost.reference)
    const found = await reconcilePayments(operator(), services, [provider], since)
    expect(found).toMatchObject({
      asked: 1,
      changed: 1,
      unmatched: 1,
      unpaid: code === 'stripe' ? 1 : 0,
      failures: [],
    })
    expect(await statusOf(open.id)).toBe('completed')
    expect(await reconcilePayments(operator(), services, [provider], since)).toMatchObject({
      asked: 0,
      changed: 0,
      unmatched: 0,
      failures: [],
    })
    const [unmatched, ...others] = await listUnmatched(database.ctx.db, 9)
    expect(others).toEqual([])
    expect(unmatched).toMatchObject({
      provider: code,
      reference: lost.reference,
      ourReference: lost.ourReference,
      amount: { minor: 1_999n, currency: 'USD' },
    })
    await returnUnmatched(operator(), [provider], unmatched?.publicId ?? '')
    expect(await countUnmatched(database.ctx.db)).toBe(0)
    await expect(
      provider.refund({
        ourReference: randomUUID(),
        paymentReference: lost.reference,
        amount: { minor: 1n, currency: 'USD' },
      }),
    ).rejects.toThrow()
    await expect(
      returnUnmatched(operator(), [provider], unmatched?.publicId ?? ''),
    ).rejects.toMatchObject({
      code: 'order_closed',
    })
    expect((await provider.fetch(idle.reference)).captured).toBeNull()
  },
)

test('a payment whose name at its service was lost with the database gets it again, and its money', async () => {
  const fake = createFakePayments()
  const order = await begun(fake.provider)
  await database.ctx.db
    .updateTable('payment_attempt')
    .set({ status: 'expired', provider_reference: null, check_at: null })
    .where('id', '=', order.attempt)
    .execute()
  await database.ctx.db
    .updateTable('payment_attempt')
    .set({ redirect_url: null })
    .where('id', '=', order.attempt)
    .execute()
  fake.pay(order.attempt, { minor: 1_000n, currency: 'USD' })
  const found = await reconcilePayments(
    operator(),
    { providers: new Map([['fake', fake.provider]]), publicUrl },
    [fake.provider],
    since,
  )
  expect(found).toMatchObject({ changed: 1, unmatched: 0, failures: [] })
  expect(await statusOf(order.id)).toBe('completed')
})

test('what cannot be asked is told, and holds nothing else up', async () => {
  const [fake, gone] = [createFakePayments('away'), createFakePayments('gone')]
  await begun(gone.provider)
  const order = await begun(fake.provider)
  fake.faults.push('lost_request')
  const broken: PaymentProvider = {
    ...createFakePayments('broken').provider,
    list: async function* () {
      yield* []
      throw new Error('it lags')
    },
  }
  const found = await reconcilePayments(
    operator(),
    { providers: new Map([['away', fake.provider]]), publicUrl },
    [broken],
    since,
  )
  expect(found.failures).toEqual([
    expect.stringMatching(/gone, which is not set up here/),
    expect.stringMatching(/could not be asked about at away/),
    'broken could not be asked for its list: it lags',
  ])
  expect(await statusOf(order.id)).toBe('waiting_for_payment')
})

test('a payment that cannot be read or compared holds up no other, until so many cannot that nobody answers', async () => {
  const fake = createFakePayments('unread')
  const services = { providers: new Map([['unread', fake.provider]]), publicUrl }
  const made = [await fake.provider.create(wish()), await fake.provider.create(wish())]
  for (const { ourReference } of made) fake.pay(ourReference, { minor: 500n, currency: 'USD' })
  const [first, second] = made
  let unreadable = 1
  const provider: PaymentProvider = {
    ...fake.provider,
    list: async function* (span) {
      for (let number = 0; number < unreadable; number += 1)
        span.unread?.({ reference: `torn${number}`, ourReference: null }, new Error('no amount'))
      for await (const told of fake.provider.list(span))
        yield told.reference === first?.reference
          ? { ...told, captured: { minor: 500n, currency: 'no currency' } }
          : told
    },
  }
  const found = await reconcilePayments(operator(), services, [provider], since)
  expect(found).toMatchObject({ listed: 2, unmatched: 1 })
  expect(found.failures.slice(-2)).toEqual([
    'payment torn0 of unread could not be compared: no amount',
    expect.stringMatching(`^payment ${first?.reference} of unread could not be compared: `),
  ])
  expect((await listUnmatched(database.ctx.db, 9)).map(({ reference }) => reference)).toEqual([
    second?.reference,
  ])

  unreadable = 50
  const away = await reconcilePayments(operator(), services, [provider], since)
  expect(away).toMatchObject({ listed: 0 })
  expect(away.failures.filter((failure) => failure.startsWith('payment torn'))).toHaveLength(20)
  expect(away.failures.at(-1)).toBe(
    'unread could not be asked for its list: 20 payments in a row could not be compared',
  )
})

test('what a bank has taken back is not kept, and what was seen to is seen to once', async () => {
  const fake = createFakePayments('shared')
  const services = { providers: new Map([['shared', fake.provider]]), publicUrl }
  const [one, other] = [await fake.provider.create(wish()), await fake.provider.create(wish())]
  for (const { ourReference } of [one, other])
    fake.pay(ourReference, { minor: 500n, currency: 'USD' })
  fake.set(one.ourReference, { reversed: { minor: 500n, currency: 'USD' } })
  expect(await reconcilePayments(operator(), services, [fake.provider], since)).toMatchObject({
    unmatched: 1,
  })
  const [unmatched] = await listUnmatched(database.ctx.db, 9)
  expect(unmatched?.reference).toBe(other.reference)
  await closeUnmatched(operator(), unmatched?.publicId ?? '', 'another shop of ours')
  expect((await refused(closeUnmatched(operator(), unmatched?.publicId ?? '', 'again'))).code).toBe(
    'order_closed',
  )
  expect((await refused(closeUnmatched(operator(), 'x'.repeat(22), 'none'))).code).toBe('not_found')
  expect(await reconcilePayments(operator(), services, [fake.provider], since)).toMatchObject({
    unmatched: 0,
  })
})
