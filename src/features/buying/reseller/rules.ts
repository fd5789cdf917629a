import type { Currency } from '#features/goods/currency/rules.ts'
import { LINES_MAX } from '#features/buying/order/rules.ts'
import type { OrderStatus, UnitStatus } from '#features/buying/order/rules.ts'

/** What a key may be used for: looking at goods and prices, ordering, reading codes that were bought, and by a program that acts for a person. */
export const SCOPES = ['browse', 'order', 'reveal', 'agent'] as const
export type Scope = (typeof SCOPES)[number]

/** How a secret begins, so that one that has leaked is recognised. */
export const SECRET_PREFIX = 'lukado-key-'

/** Which agreement between the shop and whoever holds a key stands for consent, order by order. */
export const CONTRACT = '2026-11'

/** A request's time may be so far from the shop's, either way. */
export const WINDOW_SECONDS = 120
/** Nonces are known for longer than a request could come again. */
export const NONCE_KEPT_MS = 3 * WINDOW_SECONDS * 1_000
/** The secret before the last holds so long after a new one was made. */
export const ROTATION_HOURS = 24
/** Orders of a reseller that wait for their money at once, as each pays in the call that makes it. */
export const UNPAID_AT_ONCE = 200
/** An order that was never made so long after it was asked for will not be. */
export const ABANDONED_MS = 60_000
/** What came to nothing is known for so long. */
export const REFUSED_DAYS = 180
/** Items of one page of the price list. */
export const PAGE_MAX = 500
/** Orders of one page of their list. */
export const ORDERS_MAX = 100
/** Items that stock is asked of in one call. */
export const STOCK_MAX = 200

export interface ResellerKey {
  readonly id: string
  readonly publicId: string
  readonly accountId: string
  readonly roleId: number
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly salt: Buffer
  /** The one before, while it holds. */
  readonly formerSalt: Buffer | null
  /** In US cents. */
  readonly orderMax: bigint
  readonly dayMax: bigint
  /** What a program may buy with nobody's leave; null: nothing. */
  readonly agentMax: bigint | null
  readonly contract: string
}

/** A key, and the secrets it has now. */
export interface Signer<Key> {
  readonly key: Key
  readonly secrets: readonly string[]
}

/** Whether a key is a program's that acts for a person. */
export const isProgram = ({ scopes }: Pick<ResellerKey, 'scopes'>): boolean =>
  scopes.includes('agent')

/** A program is told of what it ordered itself, and not of all that is bought for its account. */
export const mayFollow = (
  key: Pick<ResellerKey, 'id' | 'scopes'>,
  { keyId }: { readonly keyId: string },
): boolean => keyId === key.id || !isProgram(key)

/** A code that was delivered. */
export interface SoldKey {
  /** Public id of the unit. */
  readonly unit: string
  readonly item: string
  readonly parts: Readonly<Record<string, string>>
  /** A calendar day. */
  readonly expiresOn: string | null
}

export interface WantedGoods {
  /** The reseller's own. */
  readonly reference: string
  readonly lines: readonly {
    readonly item: string
    readonly quantity: number
    readonly fields: Readonly<Record<string, string>>
    /** Of goods that are sold at any amount, in minor units of their face currency. */
    readonly amountMinor?: bigint | null
  }[]
  readonly currency: Currency
  /** No order is made that costs more, in minor units of the currency. */
  readonly maxMinor: bigint | null
}

/** What a request is signed over, a line each. */
export function signedText(request: {
  readonly method: string
  /** With its query, as it is sent. */
  readonly target: string
  readonly timestamp: string
  readonly nonce: string
  /** SHA-256 of the body in hexadecimal; of nothing where there is none. */
  readonly bodyHash: string
}): string {
  const { method, target, timestamp, nonce, bodyHash } = request
  return [method, target, timestamp, nonce, bodyHash].join('\n')
}

/** The same request in the same words, whatever the order of its parts. */
export function wantedText({ lines, currency }: Pick<WantedGoods, 'lines' | 'currency'>): string {
  return JSON.stringify([
    currency.code,
    lines.map(({ item, quantity, fields, amountMinor }) => [
      item,
      quantity,
      Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ...(amountMinor ? [amountMinor.toString()] : []),
    ]),
  ])
}

export const RESULTS = ['accepted', 'done', 'partial', 'failed'] as const
/**
 * What a reseller is told of an order: `accepted`: it is under way, or somebody decides; `done`: everything is delivered; `partial`: some is
 * delivered and the rest was given back; `failed`: nothing is delivered, and nothing is owed.
 */
export type Result = (typeof RESULTS)[number]

export function resultOf(
  status: OrderStatus,
  units: readonly Pick<{ readonly status: UnitStatus }, 'status'>[],
): Result {
  if (status === 'cancelled' || status === 'expired' || status === 'refunded') return 'failed'
  if (status !== 'completed') return 'accepted'
  return units.every((unit) => unit.status === 'delivered') ? 'done' : 'partial'
}

export { LINES_MAX }
