import { afterEach, beforeEach, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openStripeSandbox, type StripeSandbox } from '#sandbox/stripe/service.ts'
import { withFormer } from './former.ts'
import { ProviderRefusal, type PaymentProvider } from './provider.ts'
import { createStripeProvider } from './stripe/stripe.ts'

interface Account {
  readonly sandbox: StripeSandbox
  readonly provider: PaymentProvider
}
let [before, after]: Account[] = []
let provider: PaymentProvider
const opened: StripeSandbox[] = []
afterEach(() => {
  for (const sandbox of opened.splice(0)) sandbox.close()
})

async function account(name: string): Promise<Account> {
  const sandbox = await openStripeSandbox({
    port: 0,
    secretKey: `sk_test_${name}`,
    webhookSecret: `whsec_${name}`,
    webhookUrl: null,
  })
  opened.push(sandbox)
  return {
    sandbox,
    provider: createStripeProvider({
      secretKey: secret(`sk_test_${name}`),
      webhookSecrets: [secret(`whsec_${name}`)],
      baseUrl: sandbox.origin,
    }),
  }
}

const made = (at: PaymentProvider, ourReference: string) =>
  at.create({
    ourReference,
    amount: { minor: 1_000n, currency: 'USD' },
    orderNumber: '4821730951266',
    startedAt: new Date(),
    returnUrl: 'https://shop.example/back',
    language: 'en',
  })
const both = () => {
  if (!before || !after) throw new Error('two accounts are open')
  return { before, after }
}

beforeEach(async () => {
  ;[before, after] = [await account('old00000'), await account('new00000')]
  provider = withFormer(after.provider, [before.provider])
})

test('payments of the account that was left are asked about, given back and ended there; new ones are made at the other', async () => {
  const { before: old, after: now } = both()
  const [paid, unpaid] = [await made(old.provider, 'paid'), await made(old.provider, 'unpaid')]
  old.sandbox.act(paid.reference, 'pay')
  expect(await provider.fetch(paid.reference)).toMatchObject({ status: 'captured' })
  expect(await provider.cancel(unpaid.reference)).toMatchObject({ status: 'expired' })
  const fresh = await made(provider, 'fresh')
  await expect(old.provider.fetch(fresh.reference)).rejects.toBeInstanceOf(ProviderRefusal)
  now.sandbox.act(fresh.reference, 'pay')

  const refund = (of: string, ourReference: string) =>
    provider.refund({
      ourReference,
      paymentReference: of,
      amount: { minor: 1_000n, currency: 'USD' },
    })
  expect(await refund(paid.reference, 'r1')).toMatchObject({ status: 'succeeded' })
  expect(await old.provider.fetch(paid.reference)).toMatchObject({ refundedMinor: 1_000n })
  expect(await refund(fresh.reference, 'r2')).toMatchObject({ status: 'succeeded' })
  expect(await now.provider.fetch(fresh.reference)).toMatchObject({ refundedMinor: 1_000n })
  // Refused by the account that holds it, whatever the other would say.
  await expect(refund(fresh.reference, 'r3')).rejects.toThrow('charge_already_refunded')
})

test('notices of both accounts are their own, and those of nobody are refused', async () => {
  const { before: old, after: now } = both()
  for (const { provider: at, sandbox } of [old, now]) {
    const { reference } = await made(at, 'told')
    sandbox.act(reference, 'pay')
    const notice = sandbox.notices.at(-1)
    const read = await provider.readNotice(
      Buffer.from(notice?.body ?? ''),
      new Headers(notice?.headers),
      new Date(),
    )
    expect(read.paymentReference).not.toBeNull()
    await expect(
      provider.readNotice(
        Buffer.from(`${notice?.body} `),
        new Headers(notice?.headers),
        new Date(),
      ),
    ).rejects.toBeInstanceOf(ProviderRefusal)
  }
})

test('nothing is taken for unknown while one of the accounts does not answer', async () => {
  const { before: old, after: now } = both()
  const fresh = await made(provider, 'fresh')
  old.sandbox.close()
  expect(await provider.fetch(fresh.reference)).toMatchObject({ status: 'requires_action' })
  const asked = provider.fetch('cs_nobody_knows')
  await expect(asked).rejects.toThrow('could not be asked')
  await expect(asked).rejects.not.toBeInstanceOf(ProviderRefusal)
  await expect(now.provider.fetch('cs_nobody_knows')).rejects.toBeInstanceOf(ProviderRefusal)
})
