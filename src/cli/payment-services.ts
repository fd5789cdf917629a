import { BANK_TRANSFER, STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import type { Config } from '#platform/config.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'

/** Codes of everything orders may be paid with under these settings. */
export function paymentCodesOf({ payment, demo }: Pick<Config, 'payment' | 'demo'>): string[] {
  const outside = PAYMENT_SERVICES.map(({ code }) => code).filter(
    (code) => payment.services[code] !== undefined,
  )
  return [
    ...outside,
    STORE_CREDIT,
    ...(demo ? ['sandbox'] : []),
    ...(payment.bankTransferDetails === null ? [] : [BANK_TRANSFER]),
  ]
}
