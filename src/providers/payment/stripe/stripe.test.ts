import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { secret } from '#platform/secret.ts'
import { signatureOf } from '#sandbox/stripe/objects.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { paymentContract } from '../../../../test/support/payment-contract.ts'
import { ProviderRefusal, type PaymentRequest } from '../provider.ts'
import { createStripeProvider } from './stripe.ts'

const KEY = 'sk_test_0123456789abcdef'
const SIGNING = 'whsec_new0123456789'

const CALLS = {
  create: /^POST \/v1\/checkout\/sessions$/,
  fetch: /^GET \/v1\/checkout\/sessions\//,
  refund: /^POST \/v1\/refunds$/,
}

paymentContract('Stripe', {
  open: async () => {
    const sandbox = await openStripeSandbox({
      port: 0,
      secretKey: KEY,
      webhookSecret: SIGNING,
      webhookUrl: null,
    })
    const provider = createStripeProvider({
      secretKey: secret(KEY),
      webhookSecrets: [secret('whsec_old0123456789'), secret(SIGNING)],
      baseUrl: sandbox.origin,
      timeoutMs: 500,
    })
    return {
      provider,
      now: () => new Date(),
      close: sandbox.close,
      pay: ({ reference }) => sandbox.act(reference, 'pay'),
      asks: ({ reference }) => sandbox.asks(reference),
      notice: ({ reference }) => {
        const sent = sandbox.notices.findLast(({ session }) => session === reference)
        return { body: Buffer.from(sent?.body ?? ''), headers: new Headers(sent?.headers) }
      },
      fail: (call, fault) => sandbox.fail(CALLS[call], fault),
      dispute: ({ reference }, what) =>
        sandbox.act(
          reference,
          (
            {
              open: 'dispute',
              won: 'win_dispute',
              lost: 'lose_dispute',
              given_back: 'reinstate',
            } as const
          )[what],
        ),
      failRefund: ({ reference }) => sandbox.act(reference, 'fail_refund'),
    }
  },
  amounts: [
    { minor: 1_999n, currency: 'EUR', shown: '19.99 EUR' },
    { minor: 500n, currency: 'JPY', shown: '500 JPY' },
    { minor: 1_250n, currency: 'KWD', shown: '1.250 KWD' },
    { minor: 700n, currency: 'ISK', shown: '700 ISK' },
    { minor: 31_000n, currency: 'TWD', shown: '310.00 TWD' },
  ],
  untaken: 'GHS',
  cannot: [],
})

async function opened(options: { readonly timeoutMs?: number; readonly secretKey?: string } = {}) {
  const sandbox = await openStripeSandbox({
    port: 0,
    secretKey: KEY,
    webhookSecret: SIGNING,
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const provider = createStripeProvider({
    secretKey: secret(options.secretKey ?? KEY),
    webhookSecrets: [secret(SIGNING)],
    baseUrl: sandbox.origin,
    timeoutMs: options.timeoutMs ?? 500,
  })
  return { sandbox, provider }
}

const request = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  ourReference: randomUUID(),
  amount: { minor: 1_999n, currency: 'EUR' },
  orderNumber: '123456789012',
  startedAt: new Date(),
  returnUrl: 'https://shop.example/order/pay?order=abc',
  language: 'ar',
  ...more,
})
const reason = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('a card that is declined leaves the payment open, and another one pays', async () => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  sandbox.act(made.reference, 'decline')
  expect(await provider.fetch(made.reference)).toMatchObject({
    status: 'requires_action',
    failure: 'generic_decline',
    redirectUrl: made.redirectUrl,
  })
  sandbox.act(made.reference, 'pay')
  expect(await provider.fetch(made.reference)).toMatchObject({
    status: 'captured',
    failure: null,
    redirectUrl: null,
  })
})

test.each([
  ['arrive', 'captured', 1_999n],
  ['fail_later', 'failed', undefined],
] as const)(
  'a complete session that is unpaid is no money yet, and then they %s',
  async (act, status, minor) => {
    const { sandbox, provider } = await opened()
    const made = await provider.create(request())
    sandbox.act(made.reference, 'pay_later')
    expect(await provider.fetch(made.reference)).toMatchObject({ status: 'seen', captured: null })
    sandbox.act(made.reference, act)
    const told = await provider.fetch(made.reference)
    expect([told.status, told.captured?.minor]).toEqual([status, minor])
  },
)

test.each([
  ['pay_less', 1_998n],
  ['pay_more', 2_000n],
] as const)('what was taken is told as it is: %s', async (act, minor) => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  sandbox.act(made.reference, act)
  expect((await provider.fetch(made.reference)).captured).toEqual({ minor, currency: 'EUR' })
})

test('notices of session, intent, charge, refund and dispute all lead to the payment', async () => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  for (const act of ['decline', 'pay', 'dispute', 'win_dispute'] as const)
    sandbox.act(made.reference, act)
  await provider.refund({
    ourReference: randomUUID(),
    paymentReference: made.reference,
    amount: { minor: 5n, currency: 'EUR' },
  })
  sandbox.act(made.reference, 'fail_refund')
  expect(new Set(sandbox.notices.map(({ type }) => type)).size).toBe(14)
  for (const { body, headers } of sandbox.notices) {
    const notice = await provider.readNotice(Buffer.from(body), new Headers(headers), new Date())
    expect(await provider.fetch(notice.paymentReference ?? '')).toMatchObject({
      reference: made.reference,
      ourReference: made.ourReference,
    })
  }
})

test('a notice of something else is taken and names no payment', async () => {
  const { provider } = await opened()
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'payout.paid',
    data: { object: { id: 'po_1', object: 'payout' } },
  })
  const headers = new Headers({
    'stripe-signature': signatureOf(body, SIGNING, Math.floor(Date.now() / 1_000)),
  })
  expect(await provider.readNotice(Buffer.from(body), headers, new Date())).toEqual({
    eventId: 'evt_1',
    kind: 'payout.paid',
    paymentReference: null,
  })
})

test.each([
  [300, false],
  [302, true],
])('a notice signed %i seconds ago is too old: %s', async (age, isTooOld) => {
  const { provider } = await opened()
  const now = new Date(1_790_000_000_000)
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'payout.paid',
    data: { object: { id: 'po_1', object: 'payout' } },
  })
  const headers = new Headers({
    'stripe-signature': signatureOf(body, SIGNING, now.getTime() / 1_000 - age),
  })
  expect(
    (await reason(provider.readNotice(Buffer.from(body), headers, now))) instanceof ProviderRefusal,
  ).toBe(isTooOld)
})

test('the same name with another amount is in doubt: something was made under it', async () => {
  const { provider } = await opened()
  const asked = request()
  await provider.create(asked)
  const error = await reason(
    provider.create({ ...asked, amount: { minor: 5_000n, currency: 'EUR' } }),
  )
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ProviderRefusal)
})

test('an attempt that is asked for again half an hour later is refused by Stripe, and so by us', async () => {
  const { provider } = await opened()
  expect(
    await reason(provider.create(request({ startedAt: new Date(Date.now() - 31 * 60_000) }))),
  ).toBeInstanceOf(ProviderRefusal)
})

test('a wrong key refuses a new payment, leaves a refund in doubt, and is not told', async () => {
  const { provider } = await opened({ secretKey: 'sk_test_wrong9876543210' })
  const refused = await reason(provider.create(request()))
  expect(refused).toBeInstanceOf(ProviderRefusal)
  const doubt = await reason(
    provider.refund({
      ourReference: randomUUID(),
      paymentReference: 'cs_test_1',
      amount: { minor: 1n, currency: 'EUR' },
    }),
  )
  expect(doubt).not.toBeInstanceOf(ProviderRefusal)
  expect(inspect([refused, doubt, provider], { depth: 9 })).not.toContain('wrong9876543210')
})

test('sessions that others made with the same account are not listed', async () => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  const form = new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '900',
  })
  form.append('locale', 'auto')
  form.append('expires_at', String(Math.floor(Date.now() / 1_000) + 3_600))
  form.append('success_url', 'https://other.example/')
  form.append('cancel_url', 'https://other.example/')
  const other = await fetch(`${sandbox.origin}/v1/checkout/sessions`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${KEY}`, 'stripe-version': '2026-10-28.endive' },
  })
  expect(other.status).toBe(200)
  const listed: string[] = []
  for await (const { reference } of provider.list({
    since: new Date(Date.now() - 60_000),
    until: new Date(Date.now() + 60_000),
  }))
    listed.push(reference)
  expect(listed).toEqual([made.reference])
})

test('every language of the shop is one that Stripe takes', async () => {
  const { provider } = await opened()
  for (const language of LANGUAGE_CODES)
    expect((await provider.create(request({ language }))).status).toBe('requires_action')
})

test('more refunds than a page holds are all looked through', async () => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  sandbox.act(made.reference, 'pay')
  const asked = Array.from({ length: 102 }, () => ({
    ourReference: randomUUID(),
    paymentReference: made.reference,
    amount: { minor: 1n, currency: 'EUR' },
  }))
  for (const one of asked) await provider.refund(one)
  const [first] = asked
  expect(first && (await provider.findRefund(first))?.status).toBe('succeeded')
})
