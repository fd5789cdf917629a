import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { paymentContract } from '../../../../test/support/payment-contract.ts'
import { ProviderRefusal, type PaymentRequest } from '../provider.ts'
import { createPaypalProvider } from './paypal.ts'

const CALLS = {
  create: /^POST \/v2\/checkout\/orders$/,
  fetch: /^GET \/v2\/checkout\/orders\//,
  refund: /^POST \/v2\/payments\/captures\/\w+\/refund$/,
}
const KEYS = { clientId: 'client', webhookId: 'WEBHOOK1' }
const MINUTE = 60_000

async function open() {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const sandbox = await openPaypalSandbox({
    port: 0,
    ...KEYS,
    clientSecret: 'the secret',
    webhookUrl: null,
    now,
  })
  const provider = createPaypalProvider({
    ...KEYS,
    clientSecret: secret('the secret'),
    environment: 'sandbox',
    now,
    baseUrl: sandbox.origin,
    timeoutMs: 500,
  })
  return {
    sandbox,
    provider,
    now,
    pass: (minutes: number) => {
      ahead += minutes * MINUTE
    },
  }
}

const request = (currency = 'EUR', minor = 1_999n): PaymentRequest => ({
  ourReference: randomUUID(),
  amount: { minor, currency },
  orderNumber: '123456789012',
  startedAt: new Date(),
  returnUrl: 'https://shop.example/order/pay?order=abc',
  language: 'vi',
})

async function opened() {
  const all = await open()
  onTestFinished(all.sandbox.close)
  return { ...all, made: await all.provider.create(request()) }
}

paymentContract('PayPal', {
  open: async () => {
    const { sandbox, provider, now, pass } = await open()
    return {
      provider,
      now,
      close: sandbox.close,
      pay: ({ reference }) => sandbox.act(reference, 'approve'),
      asks: ({ reference }) => sandbox.asks(reference),
      notice: ({ reference }) => {
        const sent = sandbox.notices.findLast(({ order }) => order === reference)
        return { body: Buffer.from(sent?.body ?? ''), headers: new Headers(sent?.headers) }
      },
      fail: (call, fault) => sandbox.fail(CALLS[call], fault),
      dispute: ({ reference }, what) => {
        if (what === 'open') pass(11)
        sandbox.act(
          reference,
          (
            {
              open: 'dispute',
              won: 'win_dispute',
              lost: 'lose_dispute',
              given_back: 'win_appeal',
            } as const
          )[what],
        )
      },
      failRefund: ({ reference }) => sandbox.act(reference, 'fail_refund'),
    }
  },
  amounts: [
    { minor: 1_999n, currency: 'EUR', shown: '19.99 EUR' },
    { minor: 500n, currency: 'JPY', shown: '500 JPY' },
    { minor: 31_000n, currency: 'TWD', shown: '310 TWD' },
    { minor: 500_000n, currency: 'HUF', shown: '5000 HUF' },
  ],
  untaken: 'KWD',
  cannot: [],
})

test('what the payer approved is captured once, whoever asks and however many at once', async () => {
  const { sandbox, provider, made } = await opened()
  sandbox.act(made.reference, 'approve')
  const told = await Promise.all([1, 2, 3, 4].map(() => provider.fetch(made.reference)))
  expect(new Set(told.map(({ status, captured }) => `${status} ${captured?.minor}`))).toEqual(
    new Set(['captured 1999']),
  )
  expect(sandbox.notices.map(({ type }) => type)).toEqual([
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.CAPTURE.COMPLETED',
  ])
})

test('an approval that comes after the payment was ended takes no money', async () => {
  const { sandbox, provider, made } = await opened()
  await provider.cancel(made.reference)
  sandbox.act(made.reference, 'approve')
  expect(await provider.fetch(made.reference)).toMatchObject({
    status: 'voided',
    captured: null,
    ourReference: made.ourReference,
  })
  expect(sandbox.notices.map(({ type }) => type)).toEqual(['CHECKOUT.ORDER.APPROVED'])
})

test('a means of payment that is declined leaves the payment open, and another one pays', async () => {
  const { sandbox, provider, made } = await opened()
  sandbox.act(made.reference, 'approve_declined')
  expect(await provider.fetch(made.reference)).toMatchObject({
    status: 'requires_action',
    failure: 'INSTRUMENT_DECLINED',
    redirectUrl: made.redirectUrl,
  })
  sandbox.act(made.reference, 'approve')
  expect(await provider.fetch(made.reference)).toMatchObject({ status: 'captured', failure: null })
})

test.each([
  ['clear', 'captured', 1_999n],
  ['deny', 'failed', undefined],
] as const)(
  'a completed order with a pending capture is no money yet, and then they %s it',
  async (act, status, minor) => {
    const { sandbox, provider, made } = await opened()
    sandbox.act(made.reference, 'approve_pending')
    expect(await provider.fetch(made.reference)).toMatchObject({
      status: 'seen',
      captured: null,
      failure: 'PENDING_REVIEW',
    })
    sandbox.act(made.reference, act)
    const told = await provider.fetch(made.reference)
    expect([told.status, told.captured?.minor]).toEqual([status, minor])
  },
)

test('a completed order whose capture was denied is a failed payment', async () => {
  const { sandbox, provider, made } = await opened()
  sandbox.act(made.reference, 'approve_denied')
  expect(await provider.fetch(made.reference)).toMatchObject({
    status: 'failed',
    captured: null,
    redirectUrl: null,
  })
})

test('what was captured is told as it is, not as it was asked for', async () => {
  const { sandbox, provider, made } = await opened()
  sandbox.act(made.reference, 'approve_less')
  expect((await provider.fetch(made.reference)).captured).toEqual({ minor: 100n, currency: 'EUR' })
})

test('one token serves until it expires or is no longer known', async () => {
  const { sandbox, provider, made, pass } = await opened()
  await Promise.all([1, 2, 3].map(() => provider.fetch(made.reference)))
  expect(sandbox.tokensGiven()).toBe(1)
  pass(9 * 60)
  await provider.fetch(made.reference)
  expect(sandbox.tokensGiven()).toBe(2)
  sandbox.forgetTokens()
  await provider.fetch(made.reference)
  expect(sandbox.tokensGiven()).toBe(3)
})

test('wrong keys leave a refund in doubt, and say nothing of the keys', async () => {
  const { sandbox, now, made } = await opened()
  const wrong = createPaypalProvider({
    ...KEYS,
    clientSecret: secret('another secret'),
    environment: 'live',
    now,
    baseUrl: sandbox.origin,
  })
  const error = await wrong
    .refund({
      ourReference: randomUUID(),
      paymentReference: made.reference,
      amount: { minor: 1n, currency: 'EUR' },
    })
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ProviderRefusal)
  expect(String(error)).not.toContain('another secret')
})

test('notices of approval, capture, refund, reversal and dispute all lead to the payment', async () => {
  const { sandbox, provider, made, now } = await opened()
  sandbox.act(made.reference, 'approve')
  await provider.fetch(made.reference)
  await provider.refund({
    ourReference: randomUUID(),
    paymentReference: made.reference,
    amount: { minor: 5n, currency: 'EUR' },
  })
  sandbox.act(made.reference, 'dispute')
  sandbox.act(made.reference, 'lose_dispute')
  expect(new Set(sandbox.notices.map(({ type }) => type)).size).toBe(6)
  for (const { body, headers } of sandbox.notices) {
    const notice = await provider.readNotice(Buffer.from(body), new Headers(headers), now())
    expect((await provider.fetch(notice.paymentReference ?? '')).reference).toBe(made.reference)
  }
})

test('a notice for another webhook, or with a certificate from elsewhere, is refused', async () => {
  const { sandbox, provider, made, now } = await opened()
  sandbox.act(made.reference, 'approve')
  const [sent] = sandbox.notices
  const elsewhere = new Headers({
    ...sent?.headers,
    'paypal-cert-url': 'https://paypal.com.example/cert',
  })
  await expect(
    provider.readNotice(Buffer.from(sent?.body ?? ''), elsewhere, now()),
  ).rejects.toThrow(ProviderRefusal)
  const other = createPaypalProvider({
    ...KEYS,
    webhookId: 'WEBHOOK2',
    clientSecret: secret('the secret'),
    environment: 'sandbox',
    now,
    baseUrl: sandbox.origin,
  })
  await expect(
    other.readNotice(Buffer.from(sent?.body ?? ''), new Headers(sent?.headers), now()),
  ).rejects.toThrow(ProviderRefusal)
})

test('a notice whose certificate cannot be read is not refused, so that it is sent again', async () => {
  const { sandbox, provider, made, now } = await opened()
  sandbox.act(made.reference, 'approve')
  sandbox.fail(/certs/, 'fault')
  const [sent] = sandbox.notices
  const read = () =>
    provider.readNotice(Buffer.from(sent?.body ?? ''), new Headers(sent?.headers), now())
  await expect(read()).rejects.not.toThrow(ProviderRefusal)
  expect(await read()).toMatchObject({ kind: 'CHECKOUT.ORDER.APPROVED' })
})

test('forged notices make the shop ask PayPal for nothing, but a certificate or two', async () => {
  const { sandbox, provider, made, now } = await opened()
  sandbox.act(made.reference, 'approve')
  const [sent] = sandbox.notices
  const given = sandbox.tokensGiven()
  const forged = (name: string) =>
    provider.readNotice(
      Buffer.from(`${sent?.body ?? ''} `),
      new Headers({
        ...sent?.headers,
        'paypal-cert-url': `https://api.sandbox.paypal.com/v1/notifications/certs/${name}`,
      }),
      now(),
    )
  for (let count = 0; count < 50; count += 1) {
    await expect(forged('CERT-360caa42-fca2a594-ab66f33d')).rejects.toThrow(ProviderRefusal)
  }
  expect(sandbox.certificatesGiven()).toBe(1)
  for (let count = 0; count < 50; count += 1)
    await expect(forged(`CERT-${count}`)).rejects.toThrow()
  expect(sandbox.certificatesGiven()).toBeLessThanOrEqual(6)
  expect(sandbox.tokensGiven()).toBe(given)
  const read = provider.readNotice(Buffer.from(sent?.body ?? ''), new Headers(sent?.headers), now())
  expect(await read).toMatchObject({ kind: 'CHECKOUT.ORDER.APPROVED' })
})
