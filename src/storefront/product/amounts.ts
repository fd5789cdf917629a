import type { LanguageCode } from '#kernel/language.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { QUANTITY_MAX } from '#features/order/rules.ts'

/** How amounts are written on a page. */
export interface MoneyStyle {
  readonly language: LanguageCode
  readonly currency: string
  readonly minorUnits: number
  /** Fraction digits shown. */
  readonly digits: number
}

/** Writes an amount of minor units. In the browser only in answer to something the visitor did: the server's text comes first. */
export function writeAmount(style: MoneyStyle, minor: bigint): string {
  return formatMoney(style.language, style.currency, minor, style.minorUnits, style.digits)
}

/** Most units of an item in one go. */
export function quantityLimit(stock: number | null): number {
  return Math.max(1, Math.min(QUANTITY_MAX, stock ?? QUANTITY_MAX))
}

/** What a quantity field says, kept within 1 and the limit. */
export function readQuantity(text: string, limit: number): number {
  const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 1
  return Math.min(limit, Math.max(1, quantity))
}

/** Price of several units in minor units. */
export function totalMinor(unitMinor: string, quantity: number): bigint {
  return BigInt(unitMinor) * BigInt(quantity)
}
