import type { AccountField, FreeAmount, Item, Product } from '#features/goods/catalogue/rules.ts'
import type { Priced, PricedItem } from '#features/goods/price/rules.ts'
import type { Country } from '#features/goods/region/rules.ts'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import type { FieldReason } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { latinDigits } from '#kernel/digits.ts'

/** The rules of one account field, whatever language its words are in. */
export type FieldRule = Pick<
  AccountField,
  'key' | 'kind' | 'required' | 'pattern' | 'min' | 'max'
> & { readonly options: readonly { readonly value: string }[] }

/** What is wrong with a typed value; its message is in the reader's language. */
export type FieldFault = 'missing' | 'digits' | 'length' | 'email' | 'phone' | 'pattern'

/** Most characters an account field may have where the catalogue names no greatest length. */
export const FIELD_LENGTH_MAX = 200

/**
 * The value as it is sent: trimmed; numbers in Latin digits, without the spaces that games and people put between them. A name keeps its
 * digits where the game takes them as they are.
 */
export function cleanValue(
  { kind, pattern }: Pick<FieldRule, 'kind' | 'pattern'>,
  typed: string,
): string {
  const text = typed.trim()
  const latin = latinDigits(text)
  if (kind === 'digits' || kind === 'phone') return latin.replace(/[\s\u200e\u200f-]/g, '')
  if (kind === 'email') return latin
  const rule = kind === 'text' && pattern !== null ? new RegExp(pattern, 'u') : null
  return rule && !rule.test(text) && rule.test(latin) ? latin : text
}

/** Checks one value by the catalogue's rules; null when it is right. Browser and server ask the same. */
export function checkField(field: FieldRule, typed: string): FieldFault | null {
  const value = cleanValue(field, typed)
  if (value === '') return field.required ? 'missing' : null
  if (field.kind === 'select')
    return field.options.some((option) => option.value === value) ? null : 'missing'
  const fits = field.pattern === null || new RegExp(field.pattern, 'u').test(value)
  if (field.kind === 'email' || field.kind === 'phone')
    return fits && hasLength(field, value) ? null : field.kind
  if (field.kind === 'digits' && !/^\d+$/.test(value)) return 'digits'
  if (!hasLength(field, value)) return 'length'
  return fits ? null : 'pattern'
}

function hasLength({ min, max }: Pick<FieldRule, 'min' | 'max'>, value: string): boolean {
  const length = Array.from(value).length
  return length >= (min ?? 0) && length <= (max ?? FIELD_LENGTH_MAX)
}

/** The faults of all fields by key; empty when every field is right. */
export function checkFields(
  fields: readonly FieldRule[],
  values: Readonly<Record<string, string>>,
): Record<string, FieldFault> {
  const faults: Record<string, FieldFault> = {}
  for (const field of fields) {
    const fault = checkField(field, values[field.key] ?? '')
    if (fault) faults[field.key] = fault
  }
  return faults
}

/** The values as the cart keeps them; optional fields left empty are not in it. */
export function cleanValues(
  fields: readonly FieldRule[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const field of fields) {
    const value = cleanValue(field, values[field.key] ?? '')
    if (value !== '') clean[field.key] = value
  }
  return clean
}

/** An item as one shopper may buy it now. */
export interface Offer {
  readonly product: Product
  /** Of an amount that was asked for, with that as its face. */
  readonly item: Item & Pick<PricedItem, 'part'>
  /** What amounts it is sold at; null for goods that are what they are. */
  readonly free: FreeAmount | null
  /** The one that was asked for. */
  readonly amount: Money | null
  /** What the price began with, before it is converted: set for the shopper's level or for all, or the cost. */
  readonly baseMinor: bigint
  readonly baseCurrency: string
  /** Of one unit, in the shopper's currency; null where it is withheld. */
  readonly priceMinor: bigint | null
  readonly withheld: Priced['withheld']
  /** How the price came about. */
  readonly steps: Priced['steps']
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
}

/** Goods as they are asked for: an item, and an amount of it in minor units of its face currency where it is sold at any. */
export interface WantedGoods {
  /** Code of the item. */
  readonly item: string
  readonly amountMinor?: bigint | null | undefined
}

/** What offers go by. */
export function offerKey({ item, amountMinor }: WantedGoods): string {
  return amountMinor === null || amountMinor === undefined ? item : `${item} ${amountMinor}`
}

/** What is wrong with an amount that is asked for; null when nothing is. */
export function amountFault(
  free: FreeAmount | null,
  amountMinor: bigint | null | undefined,
): Extract<FieldReason, 'required' | 'not_allowed' | 'amount_between' | 'amount_step'> | null {
  const isAsked = amountMinor !== null && amountMinor !== undefined
  if (!free) return isAsked ? 'not_allowed' : null
  if (!isAsked) return 'required'
  if (amountMinor < free.minMinor || amountMinor > free.maxMinor) return 'amount_between'
  return (amountMinor - free.minMinor) % free.stepMinor === 0n ? null : 'amount_step'
}

/** Most units of an item in one go. 0: it is sold out. */
export function quantityLimit({ stock }: Pick<Item, 'stock'>): number {
  return Math.min(QUANTITY_MAX, stock ?? QUANTITY_MAX)
}

/**
 * Whether somebody in a country may buy it. What is sold in some countries alone is not sold to somebody whose country is
 * not known. Where goods work is another question: a card of one country may be bought from the next.
 */
export function isSoldIn(
  { buyerCountries, blockedCountries }: Pick<Offer, 'buyerCountries' | 'blockedCountries'>,
  country: Pick<Country, 'code' | 'isOnSale'> | null,
): boolean {
  if (country === null) return buyerCountries === null
  if (!country.isOnSale || blockedCountries.includes(country.code)) return false
  return buyerCountries === null || buyerCountries.includes(country.code)
}
