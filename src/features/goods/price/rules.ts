import type { Item } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { PayMethod } from '#features/goods/pay-method/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Money, Ratio, RoundingMode } from '#kernel/money.ts'

/** How much is added to a cost. What is null holds for all. */
export interface MarginRule {
  readonly id: string
  readonly brand: string | null
  readonly supplier: string | null
  /** Where the goods work, never where the buyer is. */
  readonly region: string | null
  /** That the price comes out in. */
  readonly currency: string | null
  readonly basisPoints: number
  readonly validFrom: Date
  readonly validUntil: Date | null
}

/** Prices that end in the same digits: `ending` within every `every` minor units, 99 within 100 say. */
export interface Charm {
  readonly endingMinor: bigint
  readonly everyMinor: bigint
}

/** What an owner says of prices as a whole. */
export interface PriceTerms {
  /** The least that must remain over the cost. Null: whatever is set is sold. */
  readonly floor: { readonly basisPoints: number; readonly isAfterFees: boolean } | null
  readonly charms: Readonly<Record<string, Charm>>
  /** Hundredths of a percent off the retail price, by customer level. */
  readonly levels: Readonly<Record<string, number>>
  /** What its shoppers are told that their level is called, by level; English where a language has no name of its own. */
  readonly levelNames: Readonly<Record<string, LevelName>>
  /** A cost that a supplier changes by more waits for a person. */
  readonly jumpBasisPoints: number
}

export type LevelName = Readonly<Partial<Record<LanguageCode, string>>> & { readonly en: string }

export const DEFAULT_PRICE_TERMS: PriceTerms = {
  floor: null,
  charms: {},
  levels: {},
  levelNames: {},
  jumpBasisPoints: 2_000,
}

/** What every price of one moment is worked out from. */
export interface Pricing {
  readonly at: Date
  readonly currencies: ReadonlyMap<string, Currency>
  /** Those in force at that moment. */
  readonly rules: readonly MarginRule[]
  readonly terms: PriceTerms
  readonly methods: readonly PayMethod[]
}

/** An item as far as its price goes. */
export type PricedItem = Pick<
  Item,
  'priceMinor' | 'priceCurrency' | 'ownPrices' | 'cost' | 'brand' | 'region'
> & {
  /** Of goods that are sold at any amount: the share of the face, which price and cost are of, that is bought. */
  readonly part?: Ratio
}

/** Who buys: a customer level, and the item's own price for it where there is one. */
export interface LevelTerms {
  readonly level: number
  readonly price: Money | null
}

export const RETAIL: LevelTerms = { level: 0, price: null }

/** Whether a price came about by the shopper's level. */
export function isOfLevel(steps: Priced['steps']): boolean {
  return steps.some(({ kind }) => kind === 'level' || kind === 'level_price')
}

/** The order in which steps come; a promotion has its place before the floor. */
export const STEP_KINDS = [
  'level_price',
  'own',
  'cost',
  'base',
  'amount',
  'rate',
  'margin',
  'level',
  'promotion',
  'floor',
  'rounding',
] as const

/** One step of a price. `value` is what it comes to after it, in minor units, exactly. */
export type PriceStep = { readonly value: Ratio } & (
  | { readonly kind: 'level_price'; readonly level: number; readonly currency: string }
  | { readonly kind: 'own' | 'base'; readonly currency: string }
  | { readonly kind: 'cost'; readonly supplier: string | null; readonly currency: string }
  /** The share of the face that an amount is. */
  | { readonly kind: 'amount'; readonly part: Ratio }
  | {
      readonly kind: 'rate'
      readonly from: string
      readonly to: string
      /** Units of `to` for one of `from`. */
      readonly rate: Ratio
      readonly spreadBasisPoints: number
    }
  /** Without a rule it is the currency's own. */
  | { readonly kind: 'margin'; readonly basisPoints: number; readonly rule: string | null }
  | { readonly kind: 'level'; readonly level: number; readonly basisPoints: number }
  | {
      readonly kind: 'floor'
      readonly basisPoints: number
      /** The way to pay whose fee is the dearest; null where none has one. */
      readonly method: string | null
      readonly floor: Ratio
    }
  | {
      readonly kind: 'rounding'
      readonly increment: bigint
      readonly mode: RoundingMode
      readonly charm: Charm | null
    }
)

/** Why something has no price: no rate is known, one is too old, or too little would remain over its cost. */
export type Withheld = 'no_rate' | 'stale_rate' | 'below_floor'

export interface Priced {
  /** Minor units of the currency asked for; null where it is withheld. */
  readonly minor: bigint | null
  readonly withheld: Withheld | null
  /** In order, as far as it got. */
  readonly steps: readonly PriceStep[]
}

/** Digits after the point of a minor unit that a stored step tells. */
const STEP_DIGITS = 6

/** A value as a decimal of minor units, cut off: for reading, what is exact is worked out anew. */
export function valueText({ numerator, denominator }: Ratio): string {
  const scaled = ((numerator * 10n ** BigInt(STEP_DIGITS)) / denominator).toString()
  const digits = scaled.padStart(STEP_DIGITS + 1, '0')
  return `${digits.slice(0, -STEP_DIGITS)}.${digits.slice(-STEP_DIGITS)}`.replace(/\.?0+$/, '')
}

/** A step as it stands with an order's line: plain JSON, amounts as text. */
export type StoredStep = Readonly<{ kind: string; minor: string }> &
  Readonly<Record<string, string | number | null>>

export function storedSteps(steps: readonly PriceStep[]): readonly StoredStep[] {
  return steps.map((step): StoredStep => {
    const told = { kind: step.kind, minor: valueText(step.value) }
    switch (step.kind) {
      case 'level_price':
        return { ...told, currency: step.currency, level: step.level }
      case 'own':
      case 'base':
        return { ...told, currency: step.currency }
      case 'cost':
        return { ...told, currency: step.currency, supplier: step.supplier }
      case 'amount':
        return { ...told, part: `${step.part.numerator}/${step.part.denominator}` }
      case 'rate':
        return {
          ...told,
          from: step.from,
          to: step.to,
          rate: `${step.rate.numerator}/${step.rate.denominator}`,
          spread_basis_points: step.spreadBasisPoints,
        }
      case 'margin':
        return { ...told, basis_points: step.basisPoints, rule: step.rule }
      case 'level':
        return { ...told, level: step.level, basis_points: step.basisPoints }
      case 'floor':
        return {
          ...told,
          basis_points: step.basisPoints,
          method: step.method,
          floor: valueText(step.floor),
        }
      case 'rounding':
        return {
          ...told,
          increment: step.increment.toString(),
          mode: step.mode,
          ending: step.charm?.endingMinor.toString() ?? null,
          every: step.charm?.everyMinor.toString() ?? null,
        }
      default:
        return step satisfies never
    }
  })
}

/** The rule that holds for an item's cost in a currency: of those that fit the one with the most conditions, then the latest. */
export function findRule(
  rules: readonly MarginRule[],
  { brand, region, cost }: Pick<PricedItem, 'brand' | 'region' | 'cost'>,
  currency: string,
): MarginRule | null {
  let best: MarginRule | null = null
  for (const rule of rules) {
    const fits =
      (rule.brand === null || rule.brand === brand) &&
      (rule.supplier === null || rule.supplier === (cost?.supplier ?? null)) &&
      (rule.region === null || rule.region === region) &&
      (rule.currency === null || rule.currency === currency)
    if (fits && (best === null || isNarrower(rule, best))) best = rule
  }
  return best
}

/** More conditions first; of as many a brand's before a supplier's, a region's and a currency's. */
function isNarrower(one: MarginRule, other: MarginRule): boolean {
  const [a, b] = [narrowness(one), narrowness(other)]
  if (a !== b) return a > b
  const [from, since] = [one.validFrom.getTime(), other.validFrom.getTime()]
  return from === since ? one.id > other.id : from > since
}

function narrowness({ brand, supplier, region, currency }: MarginRule): number {
  const conditions = [brand, supplier, region, currency].map((value) => Number(value !== null))
  const count = conditions.reduce((sum, one) => sum + one, 0)
  return conditions.reduce((sum, one) => sum * 2 + one, count * 16)
}

/** Whether a rule holds at a moment. */
export function isInForce(
  { validFrom, validUntil }: Pick<MarginRule, 'validFrom' | 'validUntil'>,
  at: Date,
): boolean {
  return validFrom <= at && (validUntil === null || validUntil > at)
}
