/** Of a demo: its sandbox sells everything by our own codes, at once, and has a word for every refusal. */
export const DEMO_SUPPLIER = 'hook'

/** Failures in a row after which a supplier rests. */
export const TROUBLE_FROM = 5
/** Purchases of a unit that a supplier may refuse as too cheap; then another is tried, and after the last a person decides. */
export const PRICE_TRIES = 3
const REST_MS = 60_000
const REST_MOST_MS = 10 * 60_000
/** How long one rests that refuses us (an empty balance, an account that is closed) before one purchase tries it again. */
export const REST_FOR_OURS_MS = 10 * 60_000

/** Until when a supplier rests after so many failures in a row; null: it goes on. */
export function restsUntil(failures: number, now: Date): Date | null {
  if (failures < TROUBLE_FROM) return null
  const longer = REST_MS * 2 ** Math.min(10, failures - TROUBLE_FROM)
  return new Date(now.getTime() + Math.min(REST_MOST_MS, longer))
}

/** By what suppliers of an item are put in order. */
export const ROUTE_CRITERIA = ['priority', 'cost', 'health', 'time', 'balance'] as const
export type RouteCriterion = (typeof ROUTE_CRITERIA)[number]

/** How a shop, or one of its items, chooses among suppliers, and how far it delivers at a loss. */
export interface Routing {
  /** The first that tells two apart decides; then the priority, then the name. */
  readonly rule: readonly RouteCriterion[]
  /** How much dearer than it was sold a unit may be bought, in hundredths of a percent of its price. */
  readonly lossBasisPoints: number
  /** At most so much of one unit, in US cents; null for no other bound. */
  readonly lossUsdMinor: bigint | null
}

export const DEFAULT_ROUTING: Routing = {
  rule: ['priority'],
  lossBasisPoints: 0,
  lossUsdMinor: null,
}

/** A balance that was asked for longer ago says nothing any more. */
export const BALANCE_FRESH_MS = 15 * 60_000
/** How long a unit waits whose supplier has too little left. */
const BALANCE_WAIT_MS = 5 * 60_000
/** Units that a balance lasts for; more are as good as these. */
const AFFORDS_MOST = 1_000
/** What is bought, as suppliers' interface has it: an account credited, or something handed over (a card, a game key, a voucher). */
export type SupplyKind = 'topup' | 'recharge' | 'data' | 'giftcard' | 'key' | 'voucher'

/** An item at a supplier, with what is known of the supplier. */
export interface Offer {
  readonly supplier: string
  readonly priority: number
  readonly kind: SupplyKind
  readonly product: string
  readonly face: { readonly minor: bigint; readonly currency: string } | null
  readonly costMinor: bigint
  readonly costCurrency: string
  /** The most that a unit may cost there, in the cost's currency; null where no rate of exchange holds. */
  readonly maxMinor: bigint | null
  readonly fields: Readonly<Record<string, string>>
  /** What the supplier is told beside the account. */
  readonly fixed: Readonly<Record<string, string>>
  readonly restsUntil: Date | null
  /** It has failed for this unit for good. */
  readonly hasFailed: boolean
  /** How often it refused this unit as too cheap. */
  readonly priceRefusals: number
  /** Its place by the rule that holds: the lowest is asked first. */
  readonly place: number
  /** What it was put in its place by. */
  readonly measures: OfferMeasures
}

/** What a supplier is told of an account: its fields by the supplier's names, beside what is told of every account. */
export function suppliersFields(
  { fields, fixed }: Pick<Offer, 'fields' | 'fixed'>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const named = Object.entries(given).map(([key, value]) => [fields[key] ?? key, value])
  return { ...fixed, ...Object.fromEntries(named) }
}

export interface OfferMeasures {
  /** In the currency of what was paid, so that suppliers compare; null where no rate of exchange holds. */
  readonly costMinor: bigint | null
  /** Purchases in a row that failed there. */
  readonly failures: number
  /** How long half of its latest purchases took. */
  readonly p50Ms: number | null
  /** How many units its balance lasts for, as it was told lately; null where that is not known. */
  readonly affords: number | null
}

/** How many units a balance lasts for. */
export function affords(availableMinor: bigint | null, costMinor: bigint): number | null {
  if (availableMinor === null) return null
  if (costMinor === 0n) return AFFORDS_MOST
  const units = availableMinor / costMinor
  return units > BigInt(AFFORDS_MOST) ? AFFORDS_MOST : Number(units)
}

/** Puts the suppliers of a unit in the order in which they are asked. What is not known comes last. */
export function ranked(
  offers: readonly Omit<Offer, 'place'>[],
  rule: readonly RouteCriterion[],
): Offer[] {
  const by = [...rule, 'priority'] as const
  return offers
    .toSorted((a, b) => {
      for (const criterion of by) {
        const difference = compare(a, b, criterion)
        if (difference !== 0) return difference
      }
      return a.supplier < b.supplier ? -1 : 1
    })
    .map((offer, place) => ({ ...offer, place }))
}

function compare(
  a: Omit<Offer, 'place'>,
  b: Omit<Offer, 'place'>,
  criterion: RouteCriterion,
): number {
  switch (criterion) {
    case 'priority':
      return a.priority - b.priority
    case 'cost':
      return lowest(a.measures.costMinor, b.measures.costMinor)
    case 'health':
      return a.measures.failures - b.measures.failures
    case 'time':
      return lowest(a.measures.p50Ms, b.measures.p50Ms)
    case 'balance':
      return (b.measures.affords ?? -1) - (a.measures.affords ?? -1)
    default:
      return criterion satisfies never
  }
}

function lowest(a: bigint | number | null, b: bigint | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : a > b ? 1 : 0
}

export type Route =
  | { readonly kind: 'offer'; readonly offer: Offer; readonly why: Why }
  /** Every supplier of it rests until then. */
  | { readonly kind: 'later'; readonly at: Date; readonly supplier: string }
  /** What is left costs more than may be spent. */
  | { readonly kind: 'too_dear' }
  | { readonly kind: 'none' }

/** Why a supplier was chosen, kept with the purchase. */
export interface Why {
  readonly chosen: string
  readonly offers: readonly {
    readonly supplier: string
    readonly cost: string
    readonly not?: Unfit
    /** What is known of it that a rule may go by, where anything is. */
    readonly measures?: Readonly<Record<string, string | number>>
  }[]
}

/** Why a supplier is not asked. */
type Unfit = 'failed' | 'resting' | 'too_dear' | 'no_balance'

/**
 * The supplier for a unit: of those that have not failed for it, that do not rest, have enough left and are within the limit, the first by
 * the rule.
 */
export function chooseOffer(offers: readonly Offer[], now: Date): Route {
  const why = offers.map((offer) => {
    const not = unfit(offer, now)
    return {
      supplier: offer.supplier,
      cost: `${offer.costMinor} ${offer.costCurrency}`,
      ...(not ? { not } : {}),
      ...told(offer.measures),
    }
  })
  const fit = inOrder(offers.filter((offer) => unfit(offer, now) === undefined))[0]
  if (fit) return { kind: 'offer', offer: fit, why: { chosen: fit.supplier, offers: why } }
  // Somebody is told that it runs out; until then a call would be in vain.
  const short = offers.find((offer) => unfit(offer, now) === 'no_balance')
  const resting = offers
    .filter((offer) => unfit(offer, now) === 'resting')
    .toSorted((a, b) => (a.restsUntil?.getTime() ?? 0) - (b.restsUntil?.getTime() ?? 0))[0]
  if (resting?.restsUntil)
    return { kind: 'later', at: resting.restsUntil, supplier: resting.supplier }
  if (short)
    return {
      kind: 'later',
      at: new Date(now.getTime() + BALANCE_WAIT_MS),
      supplier: short.supplier,
    }
  return offers.some((offer) => unfit(offer, now) === 'too_dear')
    ? { kind: 'too_dear' }
    : { kind: 'none' }
}

function told({ failures, p50Ms, affords: units }: OfferMeasures) {
  const measures = {
    ...(failures > 0 ? { failures } : {}),
    ...(p50Ms === null ? {} : { p50_ms: p50Ms }),
    ...(units === null ? {} : { affords: units }),
  }
  return Object.keys(measures).length > 0 ? { measures } : {}
}

function unfit(offer: Offer, now: Date): Unfit | undefined {
  if (offer.hasFailed) return 'failed'
  if (offer.maxMinor === null || offer.costMinor > offer.maxMinor) return 'too_dear'
  if (offer.priceRefusals >= PRICE_TRIES) return 'too_dear'
  if (offer.restsUntil !== null && offer.restsUntil > now) return 'resting'
  return offer.measures.affords === 0 ? 'no_balance' : undefined
}

const inOrder = (offers: readonly Offer[]) => offers.toSorted((a, b) => a.place - b.place)
