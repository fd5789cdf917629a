import { secret } from '#platform/secret.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import { paymentContract } from '../../../../test/support/payment-contract.ts'
import { createStripeProvider } from './stripe.ts'

const KEY = 'sk_test_0123456789abcdef'
const SIGNING = 'whsec_new0123456789'

const CALLS = { create: /^POST \/v1\/checkout\/sessions$/, fetch: /^GET \/v1\/checkout\/sessions\//, refund: /^POST \/v1\/refunds$/ }

paymentContract('Stripe', {
  open: async () => {
    const sandbox = await openStripeSandbox({ port: 0, secretKey: KEY, webhookSecret: SIGNING, webhookUrl: null })
    const provider = createStripeProvider({ secretKey: secret(KEY), webhookSecrets: [secret('whsec_old0123456789'), secret(SIGNING)], baseUrl: sandbox.origin, timeoutMs: 500 })
    return {
      provider, now: () => new Date(), close: sandbox.close,
      pay: ({ reference }) => sandbox.act(reference, 'pay'),
      asks: ({ reference }) => sandbox.asks(reference),
      notice: ({ reference }) => {
        const sent = sandbox.notices.findLast(({ session }) => session === reference)
        return { body: Buffer.from(sent?.body ?? ''), headers: new Headers(sent?.headers) }
      },
      fail: (call, fault) => sandbox.fail(CALLS[call], fault),
      dispute: ({ reference }, what) => sandbox.act(reference, what === 'open' ? 'dispute' : what === 'won' ? 'win_dispute' : 'lose_dispute'),
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
