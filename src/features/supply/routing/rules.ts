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
    readonly not?: 'failed' | 'resting' | 'too_dear'
  }[]
}

/** The supplier for a unit: of those that have not failed for it, that do not rest and are within the limit, the first by priority. */
export function chooseOffer(offers: readonly Offer[], now: Date): Route {
  const why = offers.map((offer) => {
    const not = unfit(offer, now)
    return {
      supplier: offer.supplier,
      cost: `${offer.costMinor} ${offer.costCurrency}`,
      ...(not ? { not } : {}),
    }
  })
  const fit = inOrder(offers.filter((offer) => unfit(offer, now) === undefined))[0]
  if (fit) return { kind: 'offer', offer: fit, why: { chosen: fit.supplier, offers: why } }
  const resting = offers
    .filter((offer) => unfit(offer, now) === 'resting')
    .toSorted((a, b) => (a.restsUntil?.getTime() ?? 0) - (b.restsUntil?.getTime() ?? 0))[0]
  if (resting?.restsUntil)
    return { kind: 'later', at: resting.restsUntil, supplier: resting.supplier }
  return offers.some((offer) => unfit(offer, now) === 'too_dear')
    ? { kind: 'too_dear' }
    : { kind: 'none' }
}

function unfit(offer: Offer, now: Date): 'failed' | 'resting' | 'too_dear' | undefined {
  if (offer.hasFailed) return 'failed'
  if (offer.maxMinor === null || offer.costMinor > offer.maxMinor) return 'too_dear'
  if (offer.priceRefusals >= PRICE_TRIES) return 'too_dear'
  return offer.restsUntil !== null && offer.restsUntil > now ? 'resting' : undefined
}

const inOrder = (offers: readonly Offer[]) =>
  offers.toSorted((a, b) => a.priority - b.priority || (a.supplier < b.supplier ? -1 : 1))
