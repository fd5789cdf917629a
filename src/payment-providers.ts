import { bankTransfers } from '#features/bank-transfer/commands.ts'
import { storeCreditPayments } from '#features/store-credit/commands.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { Providers } from '#providers/payment/provider.ts'

/**
 * Everything orders may be paid with, by the provider's code: outside services, and what the shop itself takes. The latter live
 * among the features, since they know the shop's books, and providers know no feature.
 */
export function paymentProviders(config: Config, ctx: Ctx): Providers {
  const { bankTransferDetails } = config.payment
  const all = [storeCreditPayments(ctx), ...offeredPayments(config), ...(bankTransferDetails === null ? [] : [bankTransfers(ctx)])]
  return new Map(all.map((provider) => [provider.code, provider]))
}

const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  stripe: ['https://checkout.stripe.com'],
  paypal: ['https://www.paypal.com', 'https://www.sandbox.paypal.com'],
}

/** Where a form of the cashier may end: the payers' pages of the providers in use. */
export function paymentOrigins(providers: Providers): readonly string[] {
  return [...providers.keys()].flatMap((code) => ORIGINS[code] ?? [])
}
