/** Days of sales that tell how fast a shelf empties. */
export const PACE_DAYS = 30
/** Days of sales that a shelf shows. */
export const SHOWN_SALES_DAYS = 90
/** Free keys that expire within so many days are pointed out. */
export const EXPIRING_DAYS = 30
/** Counting those stops here. */
export const EXPIRING_MOST = 1_000
/** Of a shelf of which nothing is sold: a thousand years. */
export const NEVER_EMPTY_HOURS = 8_760_000
export const LOW_DAYS_MOST = 365

export const SHELF_VIEWS = ['all', 'low', 'expiring', 'quarantine'] as const
export type ShelfView = (typeof SHELF_VIEWS)[number]

/** What of a shelf's keys cost how much, in one currency. */
export interface ShelfValue {
  readonly currency: string
  readonly minor: bigint
}

export interface Shelf {
  readonly item: string
  readonly itemCode: string
  readonly brandName: string
  readonly regionName: string
  readonly itemName: string
  readonly isOnSale: boolean
  /** A supplier's cards are bought when they are paid: it never runs empty. */
  readonly isToOrder: boolean
  readonly free: number
  readonly reserved: number
  readonly quarantined: number
  readonly expiring: number
  /** Sold in the last `SHOWN_SALES_DAYS` days. */
  readonly sold: number
  /** Null: nothing is sold of it, so that it lasts. */
  readonly coverHours: number | null
  readonly isLow: boolean
  /** Null: as the shop's setting has it. */
  readonly lowDays: number | null
  readonly version: number
  /** Of the keys that are free, reserved or kept back, at what they cost. */
  readonly values: readonly ShelfValue[]
  /** Keys among those of which nobody said what they cost. */
  readonly withoutCost: number
}

/** Where a page of shelves goes on. */
export interface ShelfCursor {
  readonly coverHours: number
  readonly item: string
}
