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

/** Whose account settings belong to, as the service itself tells. */
export interface ServiceAccount {
  /** The service's name for it: two that differ are two accounts. */
  readonly id: string
  /** What people call it; null where the service does not tell. */
  readonly name: string | null
}

/** What a service said of settings that were tried; nothing was moved by it. */
export interface TriedSettings {
  readonly answer: 'good' | 'refused' | 'unknown'
  /** In the service's own words; null where it took them. */
  readonly why: string | null
  /** Null where the service does not tell, or these settings lack the right to ask. */
  readonly account: ServiceAccount | null
}

const ACCOUNT_ID_MAX = 100
const ACCOUNT_NAME_MAX = 200

/** An account as a service names it: no more of it than people read, and nothing that would not be shown. */
export function serviceAccount(id: string, names: readonly unknown[]): ServiceAccount | null {
  const shown = (text: string, most: number) =>
    text
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, most)
  const code = shown(id, ACCOUNT_ID_MAX)
  const named = names.flatMap((name) =>
    typeof name === 'string' ? [shown(name, ACCOUNT_NAME_MAX)] : [],
  )
  return code === '' ? null : { id: code, name: named.find((name) => name !== '') ?? null }
}

/** Whether money that moves is real. */
export type PaymentMode = 'live' | 'test'

/** All that the shop knows of a payment service before it is opened. */
export interface PaymentService extends ServiceDeclaration {
  /** Origins that a payer is sent to by a form, for the content security policy. */
  readonly origins: readonly string[]
  /** The setting that names more of them, separated by commas. */
  readonly pages?: string
  readonly methods: readonly DeclaredMethod[]
  /** All amounts it moves in a currency are multiples of it, in our minor units; of one where left out. */
  readonly step?: (currency: string) => bigint
  /** Settings that are no secrets: an id is shown by its end, a choice among words whole. Any other is never shown. */
  readonly plain?: Readonly<Record<string, 'id' | readonly string[]>>
  readonly open: (given: GivenSettings, now: () => Date) => Promise<PaymentProvider>
  /** Null where the settings do not tell. */
  readonly modeOf?: (given: GivenSettings) => PaymentMode | null
  /** Tries settings by the cheapest call that only reads. Without it nothing is known of them before the first payment. */
  readonly tryOut?: (given: GivenSettings, now: () => Date) => Promise<TriedSettings>
}

/** Declares a service in its folder; `open` gets its settings read, and imports what it needs only then. */
export function paymentService<Shape extends z.ZodRawShape>(
  service: Omit<PaymentService, 'open' | 'settings' | 'modeOf' | 'tryOut'> & {
    readonly settings: Shape
    readonly open: (
      settings: z.infer<z.ZodObject<Shape>>,
      now: () => Date,
    ) => Promise<PaymentProvider>
    readonly modeOf?: (settings: z.infer<z.ZodObject<Shape>>) => PaymentMode
    readonly tryOut?: (
      settings: z.infer<z.ZodObject<Shape>>,
      now: () => Date,
    ) => Promise<TriedSettings>
  },
): PaymentService {
  const { open, modeOf, tryOut, settings, ...rest } = service
  const read = (given: GivenSettings) => parseSettings(settings, given)
  return {
    ...rest,
    settings,
    open: (given, now) => open(read(given), now),
    ...(modeOf ? { modeOf: (given) => modeOf(read(given)) } : {}),
    ...(tryOut ? { tryOut: (given, now) => tryOut(read(given), now) } : {}),
  }
}
