import { latinDigits } from '#kernel/digits.ts'
import { parseMajor } from '#kernel/money.ts'

/** Names of fields of the form of plans, beside the account's. */
export const ITEM = 'item'
export const AMOUNT = 'amount'
/** The item that `amount` is of, and how many digits its currency has after the point. */
export const AMOUNT_ITEM = 'amount_item'
export const AMOUNT_DIGITS = 'amount_digits'
/** Of the form that asks whose number it is. */
export const NUMBER = 'number'
export const COUNTRY = 'country'

/** An amount as people type it, in minor units; NaN for none. */
export function amountMinor(text: string, digits: number): number {
  const minor = parseMajor(latinDigits(text), digits)
  return minor === null ? Number.NaN : Number(minor)
}
