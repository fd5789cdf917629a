/** Minutes in which a person may agree, and then the program may buy. */
export const CONFIRMATION_MINUTES = 60
/** What was asked is known for so long after it has ended. */
export const CONFIRMATION_DAYS = 30
/** Of one account within a day: a program that asks without end reaches nobody. */
export const CONFIRMATIONS_A_DAY = 50

export interface ConfirmationLine {
  readonly item: string
  /** In English, for when it is sold no more. */
  readonly name: string
  readonly quantity: number
  /** What of the account or phone to be credited was given; left out by what was asked before this was kept. */
  readonly account?: readonly string[]
  /** Of goods that are sold at any amount: how much of it, in minor units of its face currency. */
  readonly amountMinor?: string
  /** Of one, a decimal. */
  readonly price: string
}

export interface Confirmation {
  readonly publicId: string
  readonly lines: readonly ConfirmationLine[]
  readonly currency: string
  readonly amountMinor: bigint
  readonly state: 'waiting' | 'approved' | 'refused'
  readonly endsAt: Date
}
