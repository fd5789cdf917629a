import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { applyFacts } from '#features/buying/payment/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { listUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { secret } from '#platform/secret.ts'
import { withFormer } from '#providers/payment/former.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import { type PaymentProvider, ProviderRefusal, readListed } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { beginPaying, payFor } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { bookDifference, closeDifference, compareAgain } from './commands.ts'
import { reconcileProvider } from './flows.ts'
import { findReached, listDifferences, listDisputed } from './queries.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  await database.ctx.db.deleteFrom('payment_difference').execute()
  await database.ctx.db.deleteFrom('reconciliation').execute()
  await database.ctx.db.deleteFrom('reconciliation_failure').execute()
})
const DAY = 24 * 60
const operator = () => asOperator(database.ctx)

/** A service of which the shop hears no notice. */
interface Service {
  readonly provider: PaymentProvider
  readonly act: (reference: string, what: 'pay' | 'dispute' | 'lose' | 'refund_by_hand') => void
  readonly fail: (call: RegExp) => void
}

async function stripe(): Promise<Service> {
  const sandbox = await openStripeSandbox({
    port: 0,
    secretKey: 'rk_test_1',
    webhookSecret: 'whsec_1',
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const acts = { pay: 'pay', dispute: 'dispute', lose: 'lose_dispute' } as const
  return {
    provider: createStripeProvider({
      secretKey: secret('rk_test_1'),
      webhookSecrets: [secret('whsec_1')],
      baseUrl: sandbox.origin,
    }),
    act: (reference, what) => sandbox.act(reference, what === 'refund_by_hand' ? what : acts[what]),
    fail: (call) => sandbox.fail(call, 'fault'),
  }
}

async function paypal(): Promise<Service> {
  const sandbox = await openPaypalSandbox({
    port: 0,
    clientId: 'client',
    clientSecret: 'the secret',
    webhookId: 'WEBHOOK1',
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const acts = { pay: 'approve', dispute: 'dispute', lose: 'lose_dispute' } as const
  return {
    provider: createPaypalProvider({
      clientId: 'client',
      clientSecret: secret('the secret'),
      webhookId: 'WEBHOOK1',
      environment: 'sandbox',
      now: () => new Date(Date.now() + 11 * 60_000),
      baseUrl: sandbox.origin,
    }),
    act: (reference, what) => sandbox.act(reference, what === 'refund_by_hand' ? what : acts[what]),
    fail: (call) => sandbox.fail(call, 'fault'),
  }
}

async function bought({ provider, act }: Service, delivery: 'card_key' | 'direct_charge') {
  const services = {
    providers: new Map([[provider.code, provider]]),
    publicUrl: 'https://s.example',
  }
  const item = await addItem(database.ctx, { delivery })
  if (delivery === 'card_key') await stock(database.ctx, item, 'K', 1)
  const order = await buy(database.ctx, [{ item, delivery }])
  const attempt = await beginPaying(database.ctx, services, order, { provider: provider.code })
  const { reference } = attempt
  act(reference, 'pay')
  await checkPayment(database.ctx, services, attempt.id)
  expect(await labelOf(order.id)).toBe(
    delivery === 'card_key' ? 'completed' : 'waiting_for_shipment',
  )
  /** As the worker does it in some night: what the service tells lies in the span of that night. */
  const night = (days = 1) =>
    reconcileProvider(minutesLater(database.ctx, days * DAY), provider, (id) =>
      checkPayment(database.ctx, services, id),
    )
  return { ...order, services, reference, night }
}

const labelOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

test('somebody who asks for it has a provider compared with again, however short ago that was', async () => {
  const service = await stripe()
  const { reference, night } = await bought(service, 'direct_charge')
  await night(1)
  service.act(reference, 'refund_by_hand')
  await night(1)
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
  await compareAgain(minutesLater(database.ctx, DAY), service.provider.code)
  await night(1)
  expect(await listDifferences(database.ctx.db, 9)).toMatchObject([{ kind: 'refunded_elsewhere' }])
})

test.each([
  ['Stripe', stripe],
  ['PayPal', paypal],
])(
  '%s: a refund made in the dashboard becomes a case, once, and is booked when somebody says so',
  async (_, open) => {
    const service = await open()
    const { id, reference, night } = await bought(service, 'direct_charge')
    service.act(reference, 'refund_by_hand')
    await night(1)
    await night(2)
    expect(await labelOf(id)).toBe('waiting_for_shipment')
    const [found, ...others] = await listDifferences(database.ctx.db, 9)
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'refunded_elsewhere', toldMinor: 1_000n, knownMinor: 0n })
    await bookDifference(operator(), found?.publicId ?? '')
    // Nothing is delivered for money that is gone.
    expect(await labelOf(id)).toBe('refunded')
    expect((await refused(bookDifference(operator(), found?.publicId ?? ''))).code).toBe(
      'order_closed',
    )
    await night(3)
    await night(4)
    expect(await listDifferences(database.ctx.db, 9)).toEqual([])
    expect(await labelOf(id)).toBe('refunded')
  },
)

test.each([
  ['Stripe', stripe],
  ['PayPal', paypal],
])(
  '%s: a dispute, and its loss, of which no notice came are seen the night after',
  async (_, open) => {
    const service = await open()
    const { id, reference, night } = await bought(service, 'card_key')
    service.act(reference, 'dispute')
    await night(1)
    expect(await labelOf(id)).toBe('processing')
    service.act(reference, 'lose')
    await night(2)
    expect(await labelOf(id)).toBe('refunded')
    expect(await listDifferences(database.ctx.db, 9)).toEqual([])
  },
)

test.each([
  ['Stripe', stripe],
  ['PayPal', paypal],
])('%s: a refund of the shop is no difference', async (_, open) => {
  const service = await open()
  const { id, services, night } = await bought(service, 'card_key')
  await requestRefund(database.ctx, {
    orderId: id,
    unitIds: null,
    destination: 'original',
    reason: 'mistake',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await submitRefunds(database.ctx, services.providers)
  await night()
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
})

test('what somebody has seen to is not told again while it stays the same', async () => {
  const service = await stripe()
  const { reference, night } = await bought(service, 'card_key')
  service.act(reference, 'refund_by_hand')
  await night(1)
  const [found] = await listDifferences(database.ctx.db, 9)
  await closeDifference(operator(), found?.publicId ?? '', 'goodwill, the key stays')
  await night(2)
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
})

test('a comparison that is cut off goes on with the day it was at', async () => {
  const service = await stripe()
  const { night } = await bought(service, 'card_key')
  await night(1)
  const reached = await findReached(database.ctx.db, 'stripe')
  service.fail(/refunds/)
  await expect(night(3)).rejects.toThrow()
  expect(await findReached(database.ctx.db, 'stripe')).toEqual(reached)
  await night(3)
  const later = await findReached(database.ctx.db, 'stripe')
  expect((later?.getTime() ?? 0) - (reached?.getTime() ?? 0)).toBeGreaterThan(1.9 * DAY * 60_000)
  // A second look in the same night asks nothing.
  service.fail(/refunds/)
  await night(3)
})

/** A service in this process that tells of what a test set, and cannot read some of it. */
async function withBroken() {
  const fake = createFakePayments()
  const isBroken = new Set<string>()
  const provider: PaymentProvider = {
    ...fake.provider,
    fetch: async (reference) => {
      if (isBroken.has(reference)) throw new Error('an amount that makes no sense')
      return fake.provider.fetch(reference)
    },
    list: async function* (span) {
      for await (const told of fake.provider.list(span)) {
        const read = await readListed(span, told, () => provider.fetch(told.reference))
        if (read) yield read
      }
    },
  }
  const services = {
    providers: new Map([[provider.code, provider]]),
    publicUrl: 'https://s.example',
  }
  const paid = async () => {
    const item = await addItem(database.ctx)
    await stock(database.ctx, item, 'K', 1)
    const order = await buy(database.ctx, [{ item }])
    const attempt = await payFor(database.ctx, fake, order, 1_000n)
    return { order, attempt, reference: fake.of(attempt).reference }
  }
  const night = (days: number) =>
    reconcileProvider(minutesLater(database.ctx, days * DAY), provider, (id) =>
      checkPayment(database.ctx, services, id),
    )
  return { fake, isBroken, paid, night, services }
}

test('a disputed payment that cannot be asked about stops nothing, and is noted once it has failed often enough', async () => {
  const { fake, isBroken, paid, night, services } = await withBroken()
  const [bad, good] = [await paid(), await paid()]
  for (const { attempt } of [bad, good]) {
    fake.set(attempt, { isDisputed: true })
    await checkPayment(database.ctx, services, attempt).catch(() => {})
    await applyFacts(database.ctx, { id: attempt, provider: 'fake' }, fake.of(attempt))
  }
  isBroken.add(bad.reference)
  fake.set(good.attempt, { isDisputed: false })
  await expect(night(1)).rejects.toThrow('1 payments of fake could not be compared')
  expect(await labelOf(good.order.id)).toBe('completed')
  expect(await findReached(database.ctx.db, 'fake')).toBeNull()

  for (let tries = 2; tries < 8; tries += 1) await expect(night(1)).rejects.toThrow('could not be')
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
  // Noted, and in nobody's way from now on.
  await night(1)
  expect(await listDifferences(database.ctx.db, 9)).toMatchObject([
    { kind: 'not_comparable', orderNumber: bad.order.number },
  ])
  expect(await findReached(database.ctx.db, 'fake')).not.toBeNull()
  await night(2)
  expect(await listDifferences(database.ctx.db, 9)).toHaveLength(1)

  isBroken.clear()
  fake.set(bad.attempt, { isDisputed: false })
  await night(3)
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
  expect(await labelOf(bad.order.id)).toBe('completed')
})

test('a provider that answers for no payment is away: nothing is noted of its payments', async () => {
  const { isBroken, paid, night } = await withBroken()
  for (let count = 0; count < 21; count += 1) isBroken.add((await paid()).reference)
  for (let tries = 0; tries < 9; tries += 1)
    await expect(night(1)).rejects.toThrow('could not be asked about 20 payments in a row')
  expect(await listDifferences(database.ctx.db, 9)).toEqual([])
})

test('disputed payments that the provider refuses, however many, keep no other from being compared', async () => {
  const { fake, paid, night, services } = await withBroken()
  const gone = new Set<string>()
  const { fetch } = fake.provider
  const provider = services.providers.get('fake')
  if (!provider) throw new Error('there is a provider')
  Object.assign(provider, {
    fetch: async (reference: string) => {
      if (gone.has(reference)) throw new ProviderRefusal('resource_missing')
      return fetch(reference)
    },
  })
  const disputed = async () => {
    const { attempt, reference, order } = await paid()
    fake.set(attempt, { isDisputed: true })
    await applyFacts(database.ctx, { id: attempt, provider: 'fake' }, fake.of(attempt))
    return { attempt, reference, order }
  }
  for (let count = 0; count < 25; count += 1) gone.add((await disputed()).reference)
  const good = await disputed()
  const plain = await paid()
  fake.set(good.attempt, { isDisputed: false })
  await expect(night(1)).rejects.toThrow('could not be compared')
  expect(await labelOf(good.order.id)).toBe('completed')
  expect(await labelOf(plain.order.id)).toBe('completed')
  for (let tries = 2; tries <= 8; tries += 1) await night(1).catch(() => {})
  expect(await findReached(database.ctx.db, 'fake')).not.toBeNull()
  expect(await listDifferences(database.ctx.db, 99)).toHaveLength(25)
  // Those for which asking fails come last.
  const [first] = await listDisputed(database.ctx.db, 'fake', 1)
  const next = await disputed()
  expect(gone.has(first ?? '')).toBe(true)
  expect(await listDisputed(database.ctx.db, 'fake', 1)).toEqual([next.reference])
})

test('disputed payments of an account whose keys were ended, however many, keep none of the new one from being found', async () => {
  const { fake, paid, services } = await withBroken()
  for (let count = 0; count < 21; count += 1) {
    const { attempt } = await paid()
    fake.set(attempt, { isDisputed: true })
    await applyFacts(database.ctx, { id: attempt, provider: 'fake' }, fake.of(attempt))
  }
  const next = createFakePayments()
  const ended = {
    ...fake.provider,
    fetch: async () => {
      throw new Error('it answered 401: api_key_expired')
    },
  }
  const ourReference = randomUUID()
  await next.provider.create({
    ourReference,
    amount: { minor: 777n, currency: 'USD' },
    orderNumber: '4821300947165',
    startedAt: new Date(),
    returnUrl: 'https://s.example/order/pay',
    language: 'en',
  })
  next.pay(ourReference, { minor: 777n, currency: 'USD' })
  const compared = reconcileProvider(
    minutesLater(database.ctx, DAY),
    withFormer(next.provider, [ended]),
    (id) => checkPayment(database.ctx, services, id),
  )
  await expect(compared).rejects.toThrow('payments of fake could not be compared')
  const known = await listUnmatched(database.ctx.db, 99)
  expect(known.map(({ amount }) => amount.minor)).toContain(777n)
})

test('Stripe: a payment that cannot be read keeps no other from being listed', async () => {
  const service = await stripe()
  const [first, second] = [await bought(service, 'card_key'), await bought(service, 'card_key')]
  service.act(first.reference, 'dispute')
  service.act(second.reference, 'dispute')
  service.fail(/^GET \/v1\/disputes/)
  const unread: string[] = []
  const listed: string[] = []
  for await (const { reference } of service.provider.list({
    since: new Date(Date.now() - DAY * 60_000),
    until: new Date(Date.now() + 60_000),
    unread: ({ reference }) => unread.push(reference),
  }))
    listed.push(reference)
  expect(unread).toHaveLength(1)
  expect([...unread, ...listed].toSorted()).toEqual([first.reference, second.reference].toSorted())
})
