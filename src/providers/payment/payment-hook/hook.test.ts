import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import type { Lie } from '#sandbox/payment-hook/lies.ts'
import {
  openPaymentHookSandbox,
  type PaymentHookSandboxOptions,
} from '#sandbox/payment-hook/service.ts'
import { paymentContract } from '../../../../test/support/payment-contract.ts'
import { openHookClient } from '../../supply/hook/client.ts'
import { ProviderRefusal, type PaymentRequest } from '../provider.ts'
import { openHookPayments } from './hook.ts'
import { tryHookSettings } from './try-out.ts'

const SECRET = 'of the owner and their shop alone, for payments'
const MINUTE = 60_000

async function open(options: Partial<PaymentHookSandboxOptions> = {}) {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const sandbox = await openPaymentHookSandbox({
    port: 0,
    secret: SECRET,
    webhookUrl: null,
    now,
    ...options,
  })
  const settings = (of: { readonly key?: string; readonly timeoutMs?: number } = {}) => ({
    url: sandbox.url,
    secret: secret(of.key ?? SECRET),
    pages: [sandbox.origin],
    client: openHookClient(of.timeoutMs ?? 500, true),
    now,
  })
  return {
    sandbox,
    settings,
    now,
    provider: await openHookPayments(settings()),
    pass: (minutes: number) => {
      ahead += minutes * MINUTE
    },
  }
}

const idOf = (reference: string) => reference.split('~')[0] ?? ''

const request = (minor = 1_999n, currency = 'EUR'): PaymentRequest => ({
  ourReference: randomUUID(),
  amount: { minor, currency },
  orderNumber: '123456789012',
  startedAt: new Date(),
  returnUrl: 'https://shop.example/order/pay?order=abc',
  language: 'vi',
})

async function opened(options: Partial<PaymentHookSandboxOptions> = {}) {
  const all = await open(options)
  onTestFinished(all.sandbox.close)
  return all
}

for (const isTwoStep of [false, true])
  paymentContract(`A service of one's own, ${isTwoStep ? 'in two steps' : 'in one'}`, {
    open: async () => {
      const { sandbox, provider, now } = await open({ isTwoStep })
      return {
        provider,
        now,
        close: sandbox.close,
        pay: ({ reference }) => sandbox.act(idOf(reference), 'pay'),
        asks: ({ reference }) => sandbox.asks(idOf(reference)),
        notice: ({ reference }) => {
          const sent = sandbox.notices.findLast(({ payment }) => payment === idOf(reference))
          return { body: Buffer.from(sent?.body ?? ''), headers: new Headers(sent?.headers) }
        },
        fail: (_call, fault) => sandbox.fail(/^POST \/payment$/, fault),
        dispute: ({ reference }, what) =>
          sandbox.act(
            idOf(reference),
            (
              {
                open: 'dispute',
                won: 'win_dispute',
                lost: 'lose_dispute',
                given_back: 'give_back',
              } as const
            )[what],
          ),
        failRefund: ({ reference }) => sandbox.act(idOf(reference), 'fail_refund'),
      }
    },
    amounts: [
      { minor: 1_999n, currency: 'EUR', shown: '19.99 EUR' },
      { minor: 500n, currency: 'JPY', shown: '500 JPY' },
      { minor: 1_250n, currency: 'KWD', shown: '1.25 KWD' },
    ],
    untaken: 'GBP',
    cannot: [],
  })

test.each([
  'amount',
  'currency',
  'other_reference',
  'script',
  'inside',
  'elsewhere',
  'more_members',
  'html',
  'gigabyte',
  'hang',
] as const)(
  'a payment that is begun and answered with %s is in doubt, and nobody is sent anywhere',
  async (lie) => {
    const { sandbox, provider } = await opened()
    sandbox.tell(lie)
    const asked = request()
    const error = await provider.create(asked).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ProviderRefusal)
    sandbox.tell(null)
    expect(await provider.create(asked)).toMatchObject({ status: 'requires_action' })
  },
)

test.each([
  'amount',
  'currency',
  'other_id',
  'more_captured',
  'more_members',
  'html',
  'gigabyte',
  'hang',
] as const)('what is told of a paid payment with %s is not believed', async (lie: Lie) => {
  const { sandbox, provider } = await opened()
  const made = await provider.create(request())
  sandbox.act(idOf(made.reference), 'pay')
  sandbox.tell(lie)
  const error = await provider.fetch(made.reference).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ProviderRefusal)
  sandbox.tell(null)
  expect((await provider.fetch(made.reference)).captured).toEqual({
    minor: 1_999n,
    currency: 'EUR',
  })
})

test('a list without an end ends', async () => {
  const { sandbox, provider, now } = await opened()
  await provider.create(request())
  sandbox.tell('endless_list')
  const since = new Date(now().getTime() - MINUTE)
  const read = async () => {
    for await (const payment of provider.list({ since, until: new Date(now().getTime() + MINUTE) }))
      expect(payment.status).toBe('requires_action')
  }
  await expect(read()).rejects.toThrow('the list has no end')
})

test('what is refunded there by hand, and what is changed, is listed', async () => {
  const { sandbox, provider, now, pass } = await opened()
  const made = await provider.create(request())
  pass(1)
  sandbox.act(idOf(made.reference), 'pay')
  sandbox.act(idOf(made.reference), 'refund_by_hand')
  const span = { since: new Date(now().getTime() - 30_000), until: new Date(now().getTime() + 1) }
  const found = []
  for await (const payment of provider.listChanged?.(span) ?? []) found.push(payment)
  expect(found).toMatchObject([{ reference: made.reference, refundedMinor: 1_999n }])
})

test('what it takes is asked for again, and a service that is away is offered as before', async () => {
  const { sandbox, provider, pass } = await opened()
  expect(provider.limits('EUR')).toEqual({ min: 1n, max: 500_000_000n, step: 1n })
  sandbox.tell('html')
  pass(11)
  provider.limits('EUR')
  expect(provider.limits('EUR')).not.toBeNull()
  expect(provider.limits('GBP')).toBeNull()
})

test('one that hangs while the shop begins holds it for a moment only, and is asked again later', async () => {
  const { sandbox, settings, pass } = await opened()
  sandbox.tell('hang')
  const provider = await openHookPayments(settings({ timeoutMs: 2_500 }))
  expect(provider.limits('EUR')).toBeNull()
  await expect(provider.create(request())).rejects.not.toThrow(ProviderRefusal)
  sandbox.tell(null)
  expect(provider.limits('EUR')).toBeNull()
  pass(1)
  await expect.poll(() => provider.limits('EUR')).not.toBeNull()
})

test('settings are tried by asking what it takes', async () => {
  const { sandbox, settings } = await opened()
  expect(await tryHookSettings(settings())).toEqual({
    answer: 'good',
    why: null,
    account: { id: 'own-payments', name: 'Own payments' },
  })
  const wrong = { ...settings({ key: 'another secret that is long enough to be one' }) }
  expect(await tryHookSettings(wrong)).toMatchObject({ answer: 'refused', account: null })
  sandbox.tell('html')
  expect(await tryHookSettings(settings())).toMatchObject({ answer: 'unknown', account: null })
  sandbox.tell('hang')
  expect(await tryHookSettings(settings())).toMatchObject({ answer: 'unknown', why: 'no answer' })
})

test('a wrong secret leaves a refund in doubt, and says nothing of it', async () => {
  const { sandbox, settings, provider } = await opened()
  const made = await provider.create(request())
  sandbox.act(idOf(made.reference), 'pay')
  const wrong = await openHookPayments(
    settings({ key: 'another secret that is long enough to be one' }),
  )
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

test('a notice in another form, or signed for suppliers, is refused', async () => {
  const { sandbox, provider, now } = await opened()
  const made = await provider.create(request())
  sandbox.act(idOf(made.reference), 'pay')
  const [sent] = sandbox.notices
  const read = (headers: Readonly<Record<string, string>>) =>
    provider.readNotice(Buffer.from(sent?.body ?? ''), new Headers(headers), now())
  expect(await read(sent?.headers ?? {})).toMatchObject({ paymentReference: idOf(made.reference) })
  await expect(
    read({
      'supply-timestamp': sent?.headers['payment-timestamp'] ?? '',
      'supply-signature': sent?.headers['payment-signature'] ?? '',
    }),
  ).rejects.toThrow(ProviderRefusal)
})
