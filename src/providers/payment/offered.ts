import type { Config } from '#platform/config.ts'
import type { PaymentProvider } from './provider.ts'
import { sandboxPayments } from './sandbox/sandbox.ts'

/** The outside services whose settings are complete. The demo's own is one of them while it runs. */
export function offeredPayments({ payment, sandboxPorts }: Pick<Config, 'payment' | 'sandboxPorts'>): PaymentProvider[] {
  const { sandbox } = payment
  return [
    ...(sandbox && sandboxPorts.payment !== undefined ? [sandboxPayments({ origin: `http://127.0.0.1:${sandboxPorts.payment}`, secret: sandbox.secret })] : []),
  ]
}
