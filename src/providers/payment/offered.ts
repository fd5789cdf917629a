import type { Config } from '#platform/config.ts'
import type { PaymentProvider } from './provider.ts'
import { sandboxPayments } from './sandbox/sandbox.ts'

export interface OutsidePayments {
  readonly providers: readonly PaymentProvider[]
  /** Origins that a payer is sent to by a form, for the content security policy. */
  readonly origins: readonly string[]
}

/** The outside services whose settings are complete; what one needs is loaded only then. The demo's own is one of them while it runs. */
export async function offeredPayments(
  { payment, sandboxPorts }: Pick<Config, 'payment' | 'sandboxPorts'>,
  now: () => Date,
): Promise<OutsidePayments> {
  const { stripe, paypal, sandbox } = payment
  const offered: { readonly provider: PaymentProvider; readonly origins: readonly string[] }[] = []
  if (sandbox && sandboxPorts.payment !== undefined) {
    offered.push({
      provider: sandboxPayments({
        origin: `http://127.0.0.1:${sandboxPorts.payment}`,
        secret: sandbox.secret,
      }),
      origins: [],
    })
  }
  if (stripe) {
    const { createStripeProvider, STRIPE_ORIGINS } = await import('./stripe/stripe.ts')
    offered.push({ provider: createStripeProvider(stripe), origins: STRIPE_ORIGINS })
  }
  if (paypal) {
    const { createPaypalProvider, PAYPAL_ORIGINS } = await import('./paypal/paypal.ts')
    offered.push({ provider: createPaypalProvider({ ...paypal, now }), origins: PAYPAL_ORIGINS })
  }
  return {
    providers: offered.map(({ provider }) => provider),
    origins: offered.flatMap(({ origins }) => origins),
  }
}
