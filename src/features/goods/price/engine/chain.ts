import type { Currency } from '#features/goods/currency/rules.ts'
import { feeOf } from '#features/goods/pay-method/rules.ts'
import { divide, roundToIncrement, type Ratio } from '#kernel/money.ts'
import {
  findRule,
  RETAIL,
  type LevelTerms,
  type Priced,
  type PricedItem,
  type PriceStep,
  type Pricing,
  type Withheld,
} from '../rules.ts'

/**
 * What an item costs somebody in a currency, and how that comes about: the price set, or the cost with its rate and margin; then the level,
 * the floor, and rounding once and last. The only place where the price of goods is made: pages, carts, orders and explanations ask it.
 */
export function priceOf(
  pricing: Pricing,
  item: PricedItem,
  currency: Currency,
  level: LevelTerms = RETAIL,
): Priced {
  const steps: PriceStep[] = []
  const withheld =
    begin(pricing, item, currency, level, steps) ??
    (lessen(pricing, level, steps), keepFloor(pricing, item, currency, steps))
  const last = steps.at(-1)
  if (withheld !== null || !last) return { minor: null, withheld: withheld ?? 'no_rate', steps }
  // A price that was set in this currency is left as it was set.
  if (isAsSet(steps)) return { minor: last.value.numerator, withheld: null, steps }
  const charm = pricing.terms.charms[currency.code] ?? null
  const minor = rounded(last.value, currency, charm, floorOf(steps))
  const value = { numerator: minor, denominator: 1n }
  const { roundingIncrement: increment, roundingMode: mode } = currency
  steps.push({ kind: 'rounding', increment, mode, charm, value })
  return { minor, withheld: null, steps }
}

const whole = (minor: bigint): Ratio => ({ numerator: minor, denominator: 1n })
const isBelow = (one: Ratio, other: Ratio) =>
  one.numerator * other.denominator < other.numerator * one.denominator

function times({ numerator, denominator }: Ratio, basisPoints: number): Ratio {
  return { numerator: numerator * BigInt(basisPoints), denominator: denominator * 10_000n }
}

/** Whether nothing but looking at the floor has happened to a price that was set. */
function isAsSet(steps: readonly PriceStep[]): boolean {
  return (
    steps[0]?.kind !== 'cost' &&
    steps.every(
      ({ kind, value }, index) => index === 0 || (kind === 'floor' && value === steps[0]?.value),
    )
  )
}

function begin(
  pricing: Pricing,
  item: PricedItem,
  currency: Currency,
  level: LevelTerms,
  steps: PriceStep[],
): Withheld | null {
  if (level.price !== null) {
    const { minor, currency: set } = level.price
    steps.push({ kind: 'level_price', level: level.level, currency: set, value: whole(minor) })
    takePart(item, steps)
    return convertSet(pricing, set, currency, steps)
  }
  const own = item.ownPrices?.get(currency.code)
  if (own !== undefined) {
    steps.push({ kind: 'own', currency: currency.code, value: whole(own) })
    takePart(item, steps)
    return null
  }
  const { cost } = item
  const rule = cost && findRule(pricing.rules, item, currency.code)
  if (!cost || !rule) {
    steps.push({ kind: 'base', currency: item.priceCurrency, value: whole(item.priceMinor) })
    takePart(item, steps)
    return convertSet(pricing, item.priceCurrency, currency, steps)
  }
  const { supplier, minor, currency: from } = cost
  steps.push({ kind: 'cost', supplier, currency: from, value: whole(minor) })
  takePart(item, steps)
  const withheld = convert(pricing, from, currency, steps)
  if (withheld === null) addMargin(steps, rule.basisPoints, rule.id)
  return withheld
}

/** Of an amount the share of what its item's face costs, before anything is rounded. */
function takePart({ part }: PricedItem, steps: PriceStep[]): void {
  const last = steps.at(-1)
  if (part && last) steps.push({ kind: 'amount', part, value: partOf(last.value, part) })
}

const partOf = (value: Ratio, part: Ratio): Ratio => ({
  numerator: value.numerator * part.numerator,
  denominator: value.denominator * part.denominator,
})

/** A price that was set in another currency: by the rate, with what this one's own margin adds. */
function convertSet(
  pricing: Pricing,
  from: string,
  to: Currency,
  steps: PriceStep[],
): Withheld | null {
  if (from === to.code) return null
  const withheld = convert(pricing, from, to, steps)
  if (withheld === null && to.marginBasisPoints > 0) addMargin(steps, to.marginBasisPoints, null)
  return withheld
}

function convert(
  pricing: Pricing,
  from: string,
  to: Currency,
  steps: PriceStep[],
): Withheld | null {
  const last = steps.at(-1)
  if (from === to.code || !last) return null
  const rate = rateBetween(pricing, from, to)
  if (typeof rate === 'string') return rate
  const value = atRate(pricing, last.value, from, to, rate)
  const { spreadBasisPoints } = to
  steps.push({ kind: 'rate', from, to: to.code, rate, spreadBasisPoints, value })
  return null
}

/** Units of a currency for one of another, where both rates are known and neither is too old. */
export function rateBetween(
  { currencies, at }: Pricing,
  fromCode: string,
  to: Currency,
): Ratio | Withheld {
  const from = currencies.get(fromCode)
  if (!from?.perUsd || !to.perUsd) return 'no_rate'
  const isOld = ({ rateValidUntil }: Currency) => rateValidUntil !== null && rateValidUntil < at
  if (isOld(from) || isOld(to)) return 'stale_rate'
  return {
    numerator: to.perUsd.numerator * from.perUsd.denominator,
    denominator: to.perUsd.denominator * from.perUsd.numerator,
  }
}

/** In minor units of both, with the target's spread. */
export function atRate(
  { currencies }: Pricing,
  { numerator, denominator }: Ratio,
  from: string,
  to: Currency,
  rate: Ratio,
): Ratio {
  const digits = currencies.get(from)?.minorUnits ?? 0
  return times(
    {
      numerator: numerator * rate.numerator * 10n ** BigInt(to.minorUnits),
      denominator: denominator * rate.denominator * 10n ** BigInt(digits),
    },
    10_000 + to.spreadBasisPoints,
  )
}

function addMargin(steps: PriceStep[], basisPoints: number, rule: string | null): void {
  const last = steps.at(-1)
  if (last)
    steps.push({
      kind: 'margin',
      basisPoints,
      rule,
      value: times(last.value, 10_000 + basisPoints),
    })
}

/** A level's share off, where the item has no price of its own for the level. */
function lessen({ terms }: Pricing, { level, price }: LevelTerms, steps: PriceStep[]): void {
  const basisPoints = price === null ? (terms.levels[String(level)] ?? 0) : 0
  const last = steps.at(-1)
  if (basisPoints > 0 && last)
    steps.push({
      kind: 'level',
      level,
      basisPoints,
      value: times(last.value, 10_000 - basisPoints),
    })
}

/**
 * Nothing is sold for less than its cost with the floor's share and the dearest fee. What the chain has made is raised to that; what a
 * person has set is not changed behind their back, and not sold.
 */
function keepFloor(
  pricing: Pricing,
  { cost, part }: PricedItem,
  currency: Currency,
  steps: PriceStep[],
): Withheld | null {
  const { floor: terms } = pricing.terms
  const last = steps.at(-1)
  if (!terms || !cost || !last) return null
  const own = part ? partOf(whole(cost.minor), part) : whole(cost.minor)
  const found = floorFor(pricing, own, cost.currency, currency)
  if (typeof found === 'string') return found
  const { floor, method } = found
  const isShort = isBelow(last.value, floor)
  const retail = steps.findLast(({ kind }) => kind !== 'level') ?? last
  const isMade = steps[0]?.kind === 'cost' || !isBelow(retail.value, floor)
  const value = isShort && isMade ? floor : last.value
  steps.push({ kind: 'floor', basisPoints: terms.basisPoints, method, floor, value })
  return isShort && !isMade ? 'below_floor' : null
}

interface Floor {
  readonly floor: Ratio
  readonly method: string | null
}

/** The least price of which, after the dearest fee among the currency's ways to pay, the cost and the share over it remain. */
export function floorFor(
  pricing: Pricing,
  cost: Ratio,
  from: string,
  currency: Currency,
): Floor | Withheld {
  const { floor: terms } = pricing.terms
  const rate = from === currency.code ? null : rateBetween(pricing, from, currency)
  if (typeof rate === 'string') return rate
  const converted = rate === null ? cost : atRate(pricing, cost, from, currency, rate)
  const least = times(converted, 10_000 + (terms?.basisPoints ?? 0))
  let dearest: Floor = { floor: least, method: null }
  if (!terms?.isAfterFees) return dearest
  for (const method of pricing.methods) {
    if (method.currencies !== null && !method.currencies.includes(currency.code)) continue
    const { fee } = method
    const fixed = feeOf({ fee: { ...fee, basisPoints: 0 } }, 0n, currency, pricing.currencies)
    if (fixed === null || fee.basisPoints >= 10_000) continue
    const floor = {
      numerator: (least.numerator + fixed * least.denominator) * 10_000n,
      denominator: least.denominator * BigInt(10_000 - fee.basisPoints),
    }
    if (isBelow(dearest.floor, floor)) dearest = { floor, method: method.code }
  }
  return dearest
}

function floorOf(steps: readonly PriceStep[]): Ratio | null {
  const step = steps.find(({ kind }) => kind === 'floor')
  return step?.kind === 'floor' ? step.floor : null
}

/** To what is shown and paid, never below the floor. */
export function rounded(
  { numerator, denominator }: Ratio,
  { roundingIncrement, roundingMode }: Currency,
  charm: { readonly endingMinor: bigint; readonly everyMinor: bigint } | null,
  floor: Ratio | null,
): bigint {
  const nearest = charm
    ? charmed({ numerator, denominator }, charm)
    : roundToIncrement(numerator, denominator, roundingIncrement, roundingMode)
  if (floor === null || !isBelow(whole(nearest), floor)) return nearest
  return charm
    ? nextCharmed(floor, charm)
    : roundToIncrement(floor.numerator, floor.denominator, roundingIncrement, 'up')
}

/** The nearest amount of that ending, the higher one of two; never nothing. */
function charmed(
  { numerator, denominator }: Ratio,
  { endingMinor, everyMinor }: { readonly endingMinor: bigint; readonly everyMinor: bigint },
): bigint {
  if (numerator === 0n) return 0n
  const above = numerator - endingMinor * denominator
  if (above <= 0n) return endingMinor === 0n ? everyMinor : endingMinor
  const near = endingMinor + divide(above, denominator * everyMinor, 'half_up') * everyMinor
  return near === 0n ? everyMinor : near
}

/** The least amount of that ending that is not below. */
function nextCharmed(
  { numerator, denominator }: Ratio,
  { endingMinor, everyMinor }: { readonly endingMinor: bigint; readonly everyMinor: bigint },
): bigint {
  const above = numerator - endingMinor * denominator
  if (above <= 0n) return endingMinor
  return endingMinor + divide(above, denominator * everyMinor, 'up') * everyMinor
}
