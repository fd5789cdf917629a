import { bankTransfers } from '#features/buying/bank-transfer/commands.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { readServices } from '#features/office/payment-service/queries.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { FormerSettings } from '#platform/service-settings.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { PaymentProvider, Providers } from '#providers/payment/provider.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'
import { follow } from './following.ts'

interface Payments {
  /** By code. */
  readonly providers: Providers
  /** Origins outside that forms may lead to. */
  readonly origins: readonly string[]
}

/**
 * Everything orders may be paid with: outside services, and what the shop itself takes. The latter live among the features, since
 * they know the shop's books, and providers know no feature.
 */
export async function paymentProviders(
  config: Config,
  ctx: Ctx,
  former: FormerSettings = {},
): Promise<Payments> {
  const outside = await offeredPayments(config, ctx.now, former)
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

/** Payments as they are now: whoever looks a provider up finds the one whose settings hold. */
export interface FollowedPayments {
  readonly providers: Providers
  readonly origins: () => readonly string[]
  /** Codes of all that may be set up while the process runs. */
  readonly mayCome: readonly string[]
  /** Calls `then` whenever providers have come, gone or changed. */
  readonly onChange: (then: () => void) => void
  readonly close: () => Promise<void>
}

/** The same, kept true: what is entered or taken away in the console is taken up at once, by every process. */
export async function followPayments(
  config: Config,
  ctx: Ctx,
  databaseUrl: string,
): Promise<FollowedPayments> {
  const providers = new Map<string, PaymentProvider>()
  const heard: (() => void)[] = []
  let origins: readonly string[] = []
  let held: string | null = null

  async function take(): Promise<void> {
    const read = await readServices(ctx.db, ctx.keys, config.payment)
    const { services, former, unreadable, version } = read
    if (version === held) return
    for (const provider of unreadable)
      ctx.log.warn('settings of a payment service cannot be read: enter them anew', { provider })
    const payment = { ...config.payment, services }
    const next = await paymentProviders({ ...config, payment }, ctx, former)
    providers.clear()
    for (const [code, provider] of next.providers) providers.set(code, provider)
    origins = next.origins
    held = version
    for (const then of heard) then()
  }

  const following = await follow(ctx, {
    databaseUrl,
    tables: ['payment_service', 'payment_service_former'],
    take,
    complaint: 'settings of payment services not read, the last ones stay',
  })
  return {
    providers,
    origins: () => origins,
    mayCome: PAYMENT_SERVICES.map(({ code }) => code),
    onChange: (then) => void heard.push(then),
    close: following.close,
  }
}
