import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expireDue } from '#features/buying/order/commands.ts'
import { repeatRefund, requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import { secret } from '#platform/secret.ts'
import { openHookPayments } from '#providers/payment/payment-hook/hook.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import { ProviderRefusal, type PaymentProvider } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import type { Lie } from '#sandbox/payment-hook/lies.ts'
import { openPaymentHookSandbox } from '#sandbox/payment-hook/service.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { listRefunds } from '../../../../test/support/books.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  cancelUnpaid,
  checkPayment,
  endOpenPayment,
  receiveNotice,
  settleNotices,
  startPaying,
  sweepPayments,
  type PaymentServices,
} from './flows.ts'
import { asOperator } from '../../../../test/support/operators.ts'

/** Orders paid with the real providers, over sockets, at servers that keep the published contracts. */
const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

interface Outside {
  /** From now on it breaks its contract so. */
  readonly lie?: (lie: Lie | null) => void
  readonly provider: PaymentProvider
  readonly pay: (reference: string) => void
  readonly act: (
    reference: string,
    what: 'dispute' | 'win' | 'lose' | 'give_back' | 'fail_refund',
  ) => void
  readonly sent: () => readonly {
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
  }[]
}

const STRIPE_ACTS = {
  dispute: 'dispute',
  lose: 'lose_dispute',
  win: 'win_dispute',
  give_back: 'reinstate',
  fail_refund: 'fail_refund',
} as const
const PAYPAL_ACTS = {
  dispute: 'dispute',
  lose: 'lose_dispute',
  win: 'win_dispute',
  give_back: 'win_appeal',
  fail_refund: 'fail_refund',
} as const

const HOOK_ACTS = {
  dispute: 'dispute',
  lose: 'lose_dispute',
  win: 'win_dispute',
  give_back: 'give_back',
  fail_refund: 'fail_refund',
} as const
const HOOK_SECRET = 'of the owner and their shop alone, for payments'

const CODES = ['stripe', 'paypal', 'payment-hook'] as const
type Code = (typeof CODES)[number]

const OUTSIDE: Readonly<Record<Code, (now: () => Date) => Promise<Outside>>> = {
  stripe: async (now) => {
    const sandbox = await openStripeSandbox({
      port: 0,
      secretKey: 'sk_test_0123456789',
      webhookSecret: 'whsec_0123456789',
      webhookUrl: null,
      now,
    })
    onTestFinished(sandbox.close)
    const provider = createStripeProvider({
      secretKey: secret('sk_test_0123456789'),
      webhookSecrets: [secret('whsec_0123456789')],
      baseUrl: sandbox.origin,
    })
    return {
      provider,
      pay: (reference) => sandbox.act(reference, 'pay'),
      act: (reference, what) => sandbox.act(reference, STRIPE_ACTS[what]),
      sent: () => sandbox.notices,
    }
  },
  paypal: async (now) => {
    const sandbox = await openPaypalSandbox({
      port: 0,
      clientId: 'client',
      clientSecret: 'the secret',
      webhookId: 'WEBHOOK1',
      webhookUrl: null,
      now,
    })
    onTestFinished(sandbox.close)
    const provider = createPaypalProvider({
      clientId: 'client',
      clientSecret: secret('the secret'),
      webhookId: 'WEBHOOK1',
      environment: 'sandbox',
      now,
      baseUrl: sandbox.origin,
    })
    return {
      provider,
      pay: (reference) => sandbox.act(reference, 'approve'),
      act: (reference, what) => sandbox.act(reference, PAYPAL_ACTS[what]),
      sent: () => sandbox.notices,
    }
  },
  'payment-hook': async (now) => {
    const sandbox = await openPaymentHookSandbox({
      port: 0,
      secret: HOOK_SECRET,
      webhookUrl: null,
      isTwoStep: true,
      now,
    })
    onTestFinished(sandbox.close)
    const provider = await openHookPayments({
      url: sandbox.url,
      secret: secret(HOOK_SECRET),
      pages: [sandbox.origin],
      client: openHookClient(2_000, true),
      now,
    })
    const idOf = (reference: string) => reference.split('~')[0] ?? ''
    return {
      provider,
      lie: sandbox.tell,
      pay: (reference) => sandbox.act(idOf(reference), 'pay'),
      act: (reference, what) => sandbox.act(idOf(reference), HOOK_ACTS[what]),
      sent: () => sandbox.notices,
    }
  },
}

async function begun(code: Code) {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const ctx: Ctx = { ...database.ctx, now }
  const outside = await OUTSIDE[code](now)
  const services: PaymentServices = {
    providers: new Map([[code, outside.provider]]),
    publicUrl: 'https://shop.example',
  }
  const item = await addItem(ctx)
  await stock(ctx, item, 'K', 1)
  const order = await buy(ctx, [{ item }])
  const { redirectUrl } = await startPaying(ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: code,
    method: code,
    feeMinor: 59n,
  })
  const attempt = await ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'provider_reference'])
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const notify = async () => {
    const outcomes: string[] = []
    for (const { body, headers } of outside.sent())
      outcomes.push(
        await receiveNotice(ctx, services, code, {
          body: Buffer.from(body),
          headers: new Headers(headers),
        }),
      )
    await settleNotices(ctx, services)
    return outcomes
  }
  return {
    ...outside,
    ctx,
    services,
    order,
    attempt: attempt.id,
    reference: attempt.provider_reference ?? '',
    redirectUrl,
    notify,
    pass: (minutes: number) => {
      ahead += minutes * 60_000
    },
  }
}
const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'captured_minor', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

for (const code of CODES) {
  test(`${code}: paid, told of by notices that come twice, delivered once`, async () => {
    const { order, reference, redirectUrl, pay, notify } = await begun(code)
    expect(redirectUrl).toContain(reference.split('~')[0])
    pay(reference)
    await notify()
    expect(await notify()).not.toContain('refused')
    expect(await orderOf(order.id)).toMatchObject({ status: 'completed', captured_minor: '1059' })
  })

  test(`${code}: paid and never told of, the sweep finds it`, async () => {
    const { order, reference, pay, ctx, services, pass } = await begun(code)
    pay(reference)
    pass(2)
    await sweepPayments(ctx, services)
    expect((await orderOf(order.id)).status).toBe('completed')
  })

  test(`${code}: cancelled before it was paid, a payer who goes on pays nothing`, async () => {
    const { order, attempt, reference, pay, ctx, services } = await begun(code)
    await cancelUnpaid(ctx, services, order.accountId, order.publicId)
    pay(reference)
    await checkPayment(ctx, services, attempt)
    expect(await orderOf(order.id)).toMatchObject({ status: 'cancelled', captured_minor: '0' })
  })

  test(`${code}: not paid in time, it is ended there and the order expires`, async () => {
    const { order, reference, ctx, services, provider, pass } = await begun(code)
    pass(20)
    await sweepPayments(ctx, services)
    expect((await orderOf(order.id)).status).toBe('expired')
    expect((await provider.fetch(reference)).redirectUrl).toBeNull()
  })

  test(`${code}: what its provider has forgotten is over a day after the order's time`, async () => {
    const { order, attempt, ctx, pass } = await begun(code)
    const stranger = {
      providers: new Map([[code, (await OUTSIDE[code](ctx.now)).provider]]),
      publicUrl: 'https://shop.example',
    }
    pass(20)
    await expect(checkPayment(ctx, stranger, attempt)).rejects.toThrow(ProviderRefusal)
    pass(25 * 60)
    await checkPayment(ctx, stranger, attempt)
    await expireDue(ctx)
    expect((await orderOf(order.id)).status).toBe('expired')
  })

  test(`${code}: disputed, its refund waits until the dispute is won`, async () => {
    const { order, attempt, reference, pay, act, ctx, services, notify, pass } = await begun(code)
    pay(reference)
    await checkPayment(ctx, services, attempt)
    pass(30)
    act(reference, 'dispute')
    await notify()
    expect(await orderOf(order.id)).toMatchObject({ hold: 'disputed' })
    await requestRefund(ctx, {
      orderId: order.id,
      unitIds: null,
      destination: 'original',
      reason: 'asked',
      requestedBy: 'test',
      approvedBy: 'other',
    })
    await submitRefunds(ctx, services.providers)
    expect((await listRefunds(ctx.db, order.id)).map(({ status }) => status)).toEqual(['requested'])
    act(reference, 'win')
    await notify()
    await submitRefunds(ctx, services.providers)
    expect((await listRefunds(ctx.db, order.id)).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await orderOf(order.id)).toMatchObject({ refunded_minor: '1059' })
  })

  test(`${code}: a refund that came back is owed again, told by a notice or found by asking`, async () => {
    const { order, attempt, reference, pay, act, ctx, services, notify, pass } = await begun(code)
    pay(reference)
    await checkPayment(ctx, services, attempt)
    await requestRefund(ctx, {
      orderId: order.id,
      unitIds: null,
      destination: 'original',
      reason: 'asked',
      requestedBy: 'test',
      approvedBy: 'other',
    })
    await submitRefunds(ctx, services.providers)
    expect(await orderOf(order.id)).toMatchObject({ status: 'refunded', refunded_minor: '1059' })
    act(reference, 'fail_refund')
    // PayPal tells nobody.
    if (code !== 'paypal') await notify()
    else pass(2 * 24 * 60)
    await submitRefunds(ctx, services.providers)
    expect(await orderOf(order.id)).toMatchObject({ status: 'processing', refunded_minor: '0' })
    const [refund] = await ctx.db
      .selectFrom('refund')
      .select('public_id')
      .where('order_id', '=', order.id)
      .execute()
    await repeatRefund(asOperator(ctx), refund?.public_id ?? '', 'store_credit')
    await submitRefunds(ctx, services.providers)
    expect(await orderOf(order.id)).toMatchObject({ status: 'refunded', refunded_minor: '1059' })
  })

  test(`${code}: taken by the bank, and given back`, async () => {
    const { order, attempt, reference, pay, act, ctx, services, notify, pass } = await begun(code)
    pay(reference)
    await checkPayment(ctx, services, attempt)
    pass(30)
    for (const [what, state] of [
      ['dispute', { status: 'processing', hold: 'disputed' }],
      ['lose', { status: 'refunded', hold: null, refunded_minor: '1059' }],
      ['give_back', { status: 'completed', hold: null, refunded_minor: '0' }],
    ] as const) {
      act(reference, what)
      await notify()
      expect(await orderOf(order.id)).toMatchObject(state)
    }
    expect(
      await ctx.db
        .selectFrom('service_case')
        .select('status')
        .where('order_id', '=', order.id)
        .execute(),
    ).toEqual([{ status: 'withdrawn' }])
  })
}

test.each(['amount', 'currency', 'other_id', 'more_captured', 'html', 'gigabyte'] as const)(
  "an owner's own service that lies about a paid payment (%s) settles nothing, and the truth does later",
  async (what) => {
    const { order, reference, pay, lie, ctx, services, pass, notify } = await begun('payment-hook')
    pay(reference)
    lie?.(what)
    await notify()
    pass(2)
    await sweepPayments(ctx, services)
    expect(await orderOf(order.id)).toMatchObject({
      status: 'waiting_for_payment',
      captured_minor: '0',
    })
    lie?.(null)
    pass(5)
    await sweepPayments(ctx, services)
    expect(await orderOf(order.id)).toMatchObject({ status: 'completed', captured_minor: '1059' })
  },
)

test("an owner's own service that goes back on a payment takes nothing from its order", async () => {
  const { order, attempt, reference, pay, lie, ctx, services, notify } = await begun('payment-hook')
  pay(reference)
  await checkPayment(ctx, services, attempt)
  lie?.('backwards')
  await checkPayment(ctx, services, attempt)
  await notify()
  expect(await orderOf(order.id)).toMatchObject({ status: 'completed', captured_minor: '1059' })
})

test.each(['script', 'inside', 'elsewhere', 'hang', 'html'] as const)(
  "an owner's own service that answers a new payment with %s sends nobody anywhere, and the order can be paid otherwise",
  async (what) => {
    const { ctx, services, lie } = await begun('payment-hook')
    const other = await OUTSIDE.stripe(ctx.now)
    const both = {
      ...services,
      providers: new Map([...services.providers, ['stripe', other.provider]]),
    }
    const item = await addItem(ctx)
    await stock(ctx, item, 'K', 1)
    const order = await buy(ctx, [{ item }])
    const by = (provider: Code) => ({
      order: order.publicId,
      accountId: order.accountId,
      provider,
      method: provider,
      feeMinor: 59n,
    })
    lie?.(what)
    await expect(startPaying(ctx, both, by('payment-hook'))).rejects.toThrow('payment_unreachable')
    lie?.(null)
    await endOpenPayment(ctx, both, order.id)
    const { redirectUrl } = await startPaying(ctx, both, by('stripe'))
    expect(redirectUrl).toContain('/c/pay/')
  },
)
