/** Minutes a unit taken up to be delivered by hand is its taker's alone. */
export const CLAIM_MINUTES = 30
/** Hours a paid card may wait for a key to come into stock; then its price goes back. */
export const RESTOCK_HOURS = 24
/** Deliveries of a brand from which on their times are told in place of the catalogue's estimate. */
export const MEASURED_FROM = 20
/** Days that count for those times. */
export const MEASURED_DAYS = 90

/** Why a unit could not be delivered by hand. */
export const FAILURES = [
  'wrong_account',
  'region_mismatch',
  'supplier_refused',
  'out_of_stock',
  'other',
] as const
export type FulfilmentFailure = (typeof FAILURES)[number]

/** A unit to be delivered by hand, with what that needs. Account fields are shown to whoever delivers, and nowhere public. */
export interface HandUnit {
  /** Public id. */
  readonly unit: string
  readonly orderNumber: string
  readonly status: 'queued' | 'delivering' | 'in_doubt' | 'failed'
  readonly product: string
  readonly item: string
  readonly itemCode: string
  /** "2 of 3" of its line. */
  readonly place: number
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
  readonly hold: string | null
  readonly paidAt: Date
  readonly claimedBy: string | null
  readonly claimedUntil: Date | null
}
