import type { Config } from '#platform/config.ts'
import type { FormerSettings } from '#platform/service-settings.ts'
import { withFormer } from './former.ts'
import type { PaymentProvider } from './provider.ts'
import { sandboxPayments } from './sandbox/sandbox.ts'
import { PAYMENT_SERVICES } from './services.ts'

export interface OutsidePayments {
  readonly providers: readonly PaymentProvider[]
  /** Origins that a payer is sent to by a form, for the content security policy. */
  readonly origins: readonly string[]
}

/** The outside services whose settings are complete; what one needs is loaded only then. The demo's own is one of them while it runs. */
export async function offeredPayments(
  { payment, sandboxPorts }: Pick<Config, 'payment' | 'sandboxPorts'>,
  now: () => Date,
  former: FormerSettings = {},
): Promise<OutsidePayments> {
  const { services, sandbox } = payment
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
  for (const { code, origins, apiUrl, pages, open } of PAYMENT_SERVICES) {
    const given = services[code]
    if (!given) continue
    const other = apiUrl === undefined ? undefined : given[apiUrl]
    const more = pages === undefined ? undefined : given[pages]
    offered.push({
      provider: withFormer(
        await open(given, now),
        await Promise.all((former[code] ?? []).map((old) => open(old, now))),
      ),
      origins: [
        ...origins,
        ...(other === undefined ? [] : [new URL(other.reveal()).origin]),
        ...(more === undefined
          ? []
          : more
              .reveal()
              .split(',')
              .map((page) => page.trim())),
      ],
    })
  }
  return {
    providers: offered.map(({ provider }) => provider),
    origins: offered.flatMap(({ origins }) => origins),
  }
}
