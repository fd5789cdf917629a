import { bankTransfers } from '#features/buying/bank-transfer/commands.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { Providers } from '#providers/payment/provider.ts'

export interface Payments {
  /** By code. */
  readonly providers: Providers
  /** Origins outside that forms may lead to. */
  readonly origins: readonly string[]
}

/**
 * Everything orders may be paid with: outside services, and what the shop itself takes. The latter live among the features, since
 * they know the shop's books, and providers know no feature.
 */
export async function paymentProviders(config: Config, ctx: Ctx): Promise<Payments> {
  const outside = await offeredPayments(config, ctx.now)
  const all = [
    storeCreditPayments(ctx),
    ...outside.providers,
    ...(config.payment.bankTransferDetails === null ? [] : [bankTransfers(ctx)]),
  ]
  return {
    providers: new Map(all.map((provider) => [provider.code, provider])),
    origins: outside.origins,
  }
}
