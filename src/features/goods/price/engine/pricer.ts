import type { Currency } from '#features/goods/currency/rules.ts'
import type { Ratio } from '#kernel/money.ts'
import { findRule, RETAIL, type LevelTerms, type PricedItem, type Pricing } from '../rules.ts'
import { atRate, floorFor, priceOf, rateBetween, rounded } from './chain.ts'

/** What an item costs, as far as trying changes on a whole catalogue needs it. */
export interface QuickPrice {
  /** What it costs, or would cost where the floor withholds it; null where no rate can be used. */
  readonly minor: bigint | null
  /** Too little would remain over its cost. */
  readonly isBelowFloor: boolean
  /** The floor has raised it. */
  readonly isRaised: boolean
}

/** Of an amount in one currency, what comes out in another before it is rounded. */
interface Slope extends Ratio {
  readonly to: Currency
}

const NO_PRICE: QuickPrice = { minor: null, isBelowFloor: false, isRaised: false }

/**
 * The chain for hundreds of thousands of prices of one moment: what depends on no amount (rates, margins, what the floor makes of a cost) is worked
 * out once. Whatever is not plain is left to the chain itself, and a test holds the two equal over the demo's goods.
 */
export function createPricer(
  pricing: Pricing,
): (item: PricedItem, currency: string, level?: LevelTerms) => QuickPrice {
  const slopes = new Map<string, Slope | null>()
  const slopeOf = (from: string, code: string, margin: number): Slope | null => {
    const key = `${from} ${code} ${margin}`
    let slope = slopes.get(key)
    if (slope === undefined) slopes.set(key, (slope = makeSlope(pricing, from, code, margin)))
    return slope
  }
  const floors = createFloors(pricing)
  const rules = createRules(pricing)
  return (item, code, level = RETAIL) => {
    const currency = pricing.currencies.get(code)
    if (!currency) return NO_PRICE
    const isPlain = level.level === 0 && !item.part && !item.ownPrices?.has(code)
    if (!isPlain) return byChain(pricing, item, currency, level)
    const rule = item.cost && rules(item, code)
    const [amount, from] =
      item.cost && rule
        ? [item.cost.minor, item.cost.currency]
        : [item.priceMinor, item.priceCurrency]
    const isSet = !rule && from === code
    const hasFloor = pricing.terms.floor !== null && item.cost !== null
    if (isSet && !hasFloor) return { minor: amount, isBelowFloor: false, isRaised: false }
    if (isSet) return byChain(pricing, item, currency, level)
    const slope = slopeOf(from, code, rule ? rule.basisPoints : currency.marginBasisPoints)
    if (!slope) return NO_PRICE
    const value = { numerator: amount * slope.numerator, denominator: slope.denominator }
    const minor = rounded(value, currency, pricing.terms.charms[code] ?? null, null)
    if (hasFloor && item.cost && !floors(item.cost, currency, value, minor))
      return byChain(pricing, item, currency, level)
    return { minor, isBelowFloor: false, isRaised: false }
  }
}

function byChain(
  pricing: Pricing,
  item: PricedItem,
  currency: Currency,
  level: LevelTerms,
): QuickPrice {
  const { minor, withheld, steps } = priceOf(pricing, item, currency, level)
  const floor = steps.find(({ kind }) => kind === 'floor')
  const before = floor && steps[steps.indexOf(floor) - 1]
  if (withheld !== 'below_floor') {
    const isRaised = floor !== undefined && before !== undefined && floor.value !== before.value
    return { minor, isBelowFloor: false, isRaised }
  }
  const last = steps.at(-1)
  if (!last) return NO_PRICE
  const charm = pricing.terms.charms[currency.code] ?? null
  const isWhole = last.value.denominator === 1n
  return {
    minor: isWhole ? last.value.numerator : rounded(last.value, currency, charm, null),
    isBelowFloor: true,
    isRaised: false,
  }
}

function makeSlope(pricing: Pricing, from: string, code: string, margin: number): Slope | null {
  const to = pricing.currencies.get(code)
  if (!to) return null
  let value: Ratio = { numerator: 1n, denominator: 1n }
  if (from !== code) {
    const rate = rateBetween(pricing, from, to)
    if (typeof rate === 'string') return null
    value = atRate(pricing, value, from, to, rate)
  }
  const numerator = value.numerator * BigInt(10_000 + margin)
  const denominator = value.denominator * 10_000n
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { to, numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b > 0n) [a, b] = [b, a % b]
  return a
}

/** Whether a price stands clear of the floor of its cost; what does not is looked at by the chain. */
function createFloors(pricing: Pricing) {
  const kept = new Map<string, readonly Ratio[] | null>()
  // The floor of a cost is a straight line for each fee: two costs tell all of it, a third one too little for it asks the chain.
  const lineOf = (from: string, currency: Currency) => {
    const key = `${from} ${currency.code}`
    let line = kept.get(key)
    if (line === undefined) {
      const ends = [1n, PROBE].map((cost) =>
        floorFor(pricing, { numerator: cost, denominator: 1n }, from, currency),
      )
      line = ends.every((end) => typeof end !== 'string') ? ends.map((end) => end.floor) : null
      kept.set(key, line)
    }
    return line
  }
  return (
    { minor: cost, currency: from }: { readonly minor: bigint; readonly currency: string },
    currency: Currency,
    value: Ratio,
    minor: bigint,
  ): boolean => {
    const line = lineOf(from, currency)
    const [low, high] = line ?? []
    if (!low || !high || cost > PROBE) return false
    // A floor is the highest of straight lines, so it lies below the chord between two of its points.
    const chord = {
      numerator:
        low.numerator * high.denominator * (PROBE - cost) +
        high.numerator * low.denominator * (cost - 1n),
      denominator: low.denominator * high.denominator * (PROBE - 1n),
    }
    const isClear = (one: Ratio) =>
      one.numerator * chord.denominator >= chord.numerator * one.denominator
    return isClear(value) && isClear({ numerator: minor, denominator: 1n })
  }
}

/** Costs above it are rare: they ask the chain. */
const PROBE = 100_000_000n

/** The rule of an item's kind, found once. */
function createRules(pricing: Pricing) {
  const kept = new Map<string, ReturnType<typeof findRule>>()
  return (item: PricedItem, currency: string) => {
    const key = `${item.brand}\n${item.region}\n${item.cost?.supplier ?? ''}\n${currency}`
    let rule = kept.get(key)
    if (rule === undefined) kept.set(key, (rule = findRule(pricing.rules, item, currency)))
    return rule
  }
}
