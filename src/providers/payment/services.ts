import { hook } from './payment-hook/service.ts'
import { paypal } from './paypal/service.ts'
import { SANDBOX_METHODS } from './sandbox/methods.ts'
import type { DeclaredMethod, PaymentService } from './service.ts'
import { stripe } from './stripe/service.ts'

/** Every payment service that this program knows. A new one is its folder and a line here. */
export const PAYMENT_SERVICES: readonly PaymentService[] = [stripe, paypal, hook]

/** What a provider moves in a currency is a multiple of so many minor units. */
export const stepAt = (provider: string, currency: string): bigint =>
  PAYMENT_SERVICES.find(({ code }) => code === provider)?.step?.(currency) ?? 1n

/** What they and the demo's own service can be paid with, by the provider's code. */
export const DECLARED_METHODS: readonly {
  readonly provider: string
  readonly method: DeclaredMethod
}[] = [{ code: 'sandbox', methods: SANDBOX_METHODS }, ...PAYMENT_SERVICES].flatMap(
  ({ code, methods }) => methods.map((method) => ({ provider: code, method })),
)
