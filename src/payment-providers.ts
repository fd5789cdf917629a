import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { Providers } from '#providers/payment/provider.ts'

/** Everything orders may be paid with, by the provider's code: outside services, and what the shop itself takes. */
export function paymentProviders(config: Config, _ctx: Ctx): Providers {
  return new Map([...offeredPayments(config)].map((provider) => [provider.code, provider]))
}
