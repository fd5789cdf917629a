import { listEntered, readServices } from '#features/office/payment-service/queries.ts'
import { BANK_TRANSFER, STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'

/** Codes of everything orders may be paid with under these settings, and those entered in the console. */
export async function paymentCodesOf(
  { payment, demo }: Pick<Config, 'payment' | 'demo'>,
  db: Db,
): Promise<string[]> {
  const entered = (await listEntered(db)).flatMap(({ code, sealed }) => (sealed ? [code] : []))
  const outside = PAYMENT_SERVICES.map(({ code }) => code).filter(
    (code) => payment.services[code] !== undefined || entered.includes(code),
  )
  return [
    ...outside,
    STORE_CREDIT,
    ...(demo ? ['sandbox'] : []),
    ...(payment.bankTransferDetails === null ? [] : [BANK_TRANSFER]),
  ]
}

/** The outside services that are set up, by the environment or in the console. */
export async function openServices(config: Config, ctx: Ctx): Promise<readonly PaymentProvider[]> {
  const { services, former } = await readServices(ctx.db, ctx.keys, config.payment)
  const payment = { ...config.payment, services }
  return (await offeredPayments({ ...config, payment }, ctx.now, former)).providers
}
