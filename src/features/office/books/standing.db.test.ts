import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { secret } from '#platform/secret.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { countStanding } from './commands.ts'
import { askBalance } from './flows.ts'
import { listProviders } from './queries.ts'

const DAY = 24 * 60
const database = useDatabase()
let item: TestItem

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await stock(database.ctx, item, 'S', 10)
})

const stateOf = async (provider: string) =>
  (await listProviders(database.ctx.db, [provider], new Date())).find(
    (state) => state.provider === provider,
  )

/** A payment of ten dollars, made a while ago. */
async function begun(provider: PaymentProvider, minutesAgo: number): Promise<string> {
  const ctx = minutesLater(database.ctx, -minutesAgo)
  const order = await buy(ctx, [{ item }])
  const services = {
    providers: new Map([[provider.code, provider]]),
    publicUrl: 'https://shop.example',
  }
  await startPaying(ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: provider.code,
    method: 'card',
    feeMinor: 0n,
  })
  const { id } = await ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  return id
}

test('of each provider it is told how many payments were begun and paid, in a day and in a week', async () => {
  const fake = createFakePayments()
  const services = {
    providers: new Map([['fake', fake.provider]]),
    publicUrl: 'https://shop.example',
  }
  expect((await stateOf('fake'))?.standing).toBeNull()
  const attempts: string[] = []
  for (const minutes of [0, 60, 2 * DAY, 3 * DAY, 8 * DAY])
    attempts.push(await begun(fake.provider, minutes))
  for (const attempt of [attempts[0] ?? '', attempts[2] ?? '', attempts[4] ?? '']) {
    fake.pay(attempt, { minor: 1_000n, currency: 'USD' })
    await checkPayment(database.ctx, services, attempt)
  }
  await countStanding(database.ctx)
  expect((await stateOf('fake'))?.standing).toEqual({
    begunDay: 2,
    paidDay: 1,
    begunWeek: 4,
    paidWeek: 2,
  })
  // Where nothing was begun for a week nothing is said.
  await countStanding(minutesLater(database.ctx, 8 * DAY))
  expect((await stateOf('fake'))?.standing).toBeNull()
})

test('Stripe tells what can be paid out; what it told stays with its time where it does not answer', async () => {
  const { ctx } = database
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
  const { reference } = await provider.create({
    ourReference: 'balance',
    amount: { minor: 1_234n, currency: 'USD' },
    orderNumber: '4821730951266',
    startedAt: new Date(),
    returnUrl: 'https://shop.example/back',
    language: 'en',
  })
  sandbox.act(reference, 'pay')
  expect(await askBalance(ctx, provider)).toBe(true)
  const told = (await stateOf('stripe'))?.balance
  expect(told?.available).toEqual([{ currency: 'USD', minor: 1_234n }])
  sandbox.fail(/^GET \/v1\/balance/, 'fault')
  expect(await askBalance(minutesLater(ctx, 10), provider)).toBe(false)
  expect((await stateOf('stripe'))?.balance).toEqual(told)

  // What another account held says nothing of this one.
  await sql`insert into payment_service (code, sealed, version, tried, set_by, set_at) values ('stripe', null, 1, 'unknown', 'operator:mara', ${minutesLater(ctx, 1).now()})`.execute(
    ctx.db,
  )
  expect((await stateOf('stripe'))?.balance).toBeNull()
  expect(await askBalance(minutesLater(ctx, 20), provider)).toBe(true)
  expect((await stateOf('stripe'))?.balance?.available).toHaveLength(1)
})

test('PayPal tells its own where the app may ask; of a way to pay that tells none there is none', async () => {
  const { ctx } = database
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
    baseUrl: sandbox.origin,
    now: () => new Date(),
  })
  const made = await provider.create({
    ourReference: 'balance',
    amount: { minor: 905n, currency: 'EUR' },
    orderNumber: '4821730951266',
    startedAt: new Date(),
    returnUrl: 'https://shop.example/back',
    language: 'en',
  })
  sandbox.act(made.reference, 'approve')
  await provider.fetch(made.reference)
  expect(await askBalance(ctx, provider)).toBe(true)
  expect((await stateOf('paypal'))?.balance?.available).toEqual([{ currency: 'EUR', minor: 905n }])
  sandbox.answerFor(null)
  expect(await askBalance(ctx, provider)).toBe(false)
  expect((await stateOf('paypal'))?.balance?.available).toHaveLength(1)
  expect(await askBalance(ctx, createFakePayments().provider)).toBe(false)
  expect((await stateOf('fake'))?.balance).toBeNull()
})
