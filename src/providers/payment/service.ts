import type { z } from 'zod'
import {
  parseSettings,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'
import type { PaymentProvider } from './provider.ts'

/**
 * A way to pay that a service brings. What people read of it are the messages `cashier.method.<code>.name`, `.text` and
 * `.refund`.
 */
export interface DeclaredMethod {
  /** What the wire calls it. */
  readonly code: string
  /** Where it stands in the cashier. */
  readonly group: 'card' | 'local' | 'bank'
  /** One of the shop's own drawings. */
  readonly icon: 'card' | 'wallet' | 'phone' | 'qr' | 'bank' | 'transfer' | 'coin' | 'store'
  /** Added to the price of the goods unless the operator says otherwise; none when left out. */
  readonly fee?: { readonly minor: bigint; readonly currency: string; readonly basisPoints: number }
  /** Of the whole amount to pay, in US cents. */
  readonly minUsdMinor: bigint
  readonly maxUsdMinor: bigint
}

/** All that the shop knows of a payment service before it is opened. */
export interface PaymentService extends ServiceDeclaration {
  /** Origins that a payer is sent to by a form, for the content security policy. */
  readonly origins: readonly string[]
  /** The setting that names another server of the same protocol, to test against. */
  readonly apiUrl?: string
  readonly methods: readonly DeclaredMethod[]
  /** All amounts it moves in a currency are multiples of it, in our minor units; of one where left out. */
  readonly step?: (currency: string) => bigint
  readonly open: (given: GivenSettings, now: () => Date) => Promise<PaymentProvider>
}

/** Declares a service in its folder; `open` gets its settings read, and imports what it needs only then. */
export function paymentService<Shape extends z.ZodRawShape>(
  service: Omit<PaymentService, 'open' | 'settings'> & {
    readonly settings: Shape
    readonly open: (
      settings: z.infer<z.ZodObject<Shape>>,
      now: () => Date,
    ) => Promise<PaymentProvider>
  },
): PaymentService {
  return {
    ...service,
    open: (given, now) => service.open(parseSettings(service.settings, given), now),
  }
}
