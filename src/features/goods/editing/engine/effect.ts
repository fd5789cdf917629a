import { createHash } from 'node:crypto'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import {
  DEFAULT_PRICE_TERMS,
  findRule,
  type PricedItem,
  type Pricing,
} from '#features/goods/price/rules.ts'
import {
  movesOf,
  countOf,
  valueText,
  type ChangedField,
  type Conflict,
  type EditFault,
  type GoodsEffect,
} from '../rules.ts'
import { isMoney, type MoneyValue } from './moves.ts'

const SAMPLES = 12
const TOLD_MOST = 500

export interface ItemAbove {
  readonly brand: string
  readonly region: string
}

/** What a change of prices is weighed by. */
export interface Weighing {
  readonly pricing: Pricing
  readonly costs: ReadonlyMap<string, NonNullable<PricedItem['cost']>>
  /** Where each item stands, by its code. */
  readonly above: ReadonlyMap<string, ItemAbove>
}

/** By how much prices move that stay in their currency, in hundredths of a percent. */
function sharesOf(changes: readonly ChangedField[]): number[] {
  return changes.flatMap(({ subject, field, before, after }) => {
    if (subject !== 'item' || field !== 'price' || !isMoney(before) || !isMoney(after)) return []
    if (before.currency !== after.currency) return []
    const [from, to] = [BigInt(before.minor), BigInt(after.minor)]
    return [Number(((to - from) * 10_000n) / from)]
  })
}

export function effectOf(
  {
    changes,
    faults,
    conflicts,
  }: {
    readonly changes: readonly ChangedField[]
    readonly faults: readonly EditFault[]
    readonly conflicts: readonly Conflict[]
  },
  weighing: Weighing,
): GoodsEffect {
  const fields: Record<string, number> = {}
  for (const { field } of changes) fields[field] = (fields[field] ?? 0) + 1
  const prices = changes.flatMap(({ subject, code, field, after }) =>
    subject === 'item' && field === 'price' && isMoney(after) ? [{ code, after }] : [],
  )
  const short = (pricing: Pricing) =>
    prices.flatMap(({ code, after }) => (isShort(pricing, weighing, code, after) ? [code] : []))
  const { pricing } = weighing
  const floorless: Pricing = {
    ...pricing,
    rules: [],
    terms: { ...DEFAULT_PRICE_TERMS, floor: { basisPoints: 0, isAfterFees: false } },
  }
  const whole = {
    goods: new Set(changes.map(({ subject, code }) => `${subject} ${code}`)).size,
    fields,
    prices: movesOf(sharesOf(changes)),
    belowCost: countOf(short(floorless)),
    belowFloor: countOf(pricing.terms.floor === null ? [] : short({ ...pricing, rules: [] })),
    byRule: countOf(
      prices.flatMap(({ code, after }) => (isByRule(weighing, code, after.currency) ? [code] : [])),
    ),
    samples: changes.slice(0, SAMPLES),
  }
  return {
    ...whole,
    faults: faults.slice(0, TOLD_MOST),
    conflicts: conflicts.slice(0, TOLD_MOST),
    hash: hashOf({ changes, faults, conflicts }, whole),
  }
}

function pricedAs(
  { costs, above }: Weighing,
  code: string,
  { minor, currency }: MoneyValue,
): PricedItem | null {
  const place = above.get(code)
  const cost = costs.get(code)
  if (!place || !cost) return null
  return { priceMinor: BigInt(minor), priceCurrency: currency, ownPrices: null, cost, ...place }
}

function isShort(pricing: Pricing, weighing: Weighing, code: string, price: MoneyValue): boolean {
  const item = pricedAs(weighing, code, price)
  const currency = pricing.currencies.get(price.currency)
  return (
    item !== null &&
    currency !== undefined &&
    priceOf(pricing, item, currency).withheld === 'below_floor'
  )
}

function isByRule(weighing: Weighing, code: string, currency: string): boolean {
  const item = pricedAs(weighing, code, { minor: '0', currency })
  return item !== null && findRule(weighing.pricing.rules, item, currency) !== null
}

/** The price an item would have of its cost alone, with so much on it: the chain of all prices makes it. Null without a cost, or a rate for it. */
export function priceOverCost(
  weighing: Weighing,
  code: string,
  currencyCode: string,
  basisPoints: number,
): bigint | null {
  const item = pricedAs(weighing, code, { minor: '0', currency: currencyCode })
  const currency = weighing.pricing.currencies.get(currencyCode)
  if (!item || !currency) return null
  const rule = {
    id: '',
    brand: null,
    supplier: null,
    region: null,
    currency: null,
    basisPoints,
    validFrom: new Date(0),
    validUntil: null,
  }
  const terms = { ...DEFAULT_PRICE_TERMS, charms: weighing.pricing.terms.charms }
  return priceOf({ ...weighing.pricing, rules: [rule], terms }, item, currency).minor
}

/** What was seen, whole: every field, and not the samples alone. */
function hashOf(
  { changes, faults, conflicts }: Parameters<typeof effectOf>[0],
  { belowCost, belowFloor, byRule }: Pick<GoodsEffect, 'belowCost' | 'belowFloor' | 'byRule'>,
): string {
  const hash = createHash('sha256')
  const line = (...parts: string[]) => hash.update(`${parts.join('\t')}\n`)
  for (const { subject, code, field, before, after } of changes)
    line(subject, code, field, valueText(before), valueText(after))
  for (const { subject, code, field, reason } of faults) line('fault', subject, code, field, reason)
  for (const { subject, code, field, present } of conflicts)
    line('conflict', subject, code, field, valueText(present))
  line('below', String(belowCost.count), String(belowFloor.count), String(byRule.count))
  return hash.digest('base64url')
}
