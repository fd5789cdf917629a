import type { Country } from '#features/goods/region/rules.ts'
import {
  amountFault,
  isSoldIn,
  offerKey,
  quantityLimit,
  type Offer,
} from '#features/buying/offer/rules.ts'

/** Different goods of one cart; as many as an order takes. */
export { LINES_MAX, QUANTITY_MAX } from '#features/buying/order/rules.ts'

/** The customer level of whoever is not signed in. */
export const VISITOR_LEVEL = 0

/** A line of an account's cart as it is kept. */
export interface CartLine {
  readonly id: string
  /** What it is called outside. */
  readonly publicId: string
  readonly itemCode: string
  readonly product: string
  /** English, for what is not on sale any more. */
  readonly productName: string
  readonly itemName: string
  readonly quantity: number
  /** What the goods ask for of the account or phone to be credited, by field. */
  readonly fields: Readonly<Record<string, string>>
  /** Of goods that are sold at any amount, in minor units of their face currency. */
  readonly amountMinor: bigint | null
  /** Unit prices in `seenCurrency`: when the line was last touched, and when it was last shown. */
  readonly seenMinor: bigint | null
  readonly shownMinor: bigint | null
  readonly seenCurrency: string | null
}

/**
 * `price_changed`: it can be bought at the new price; `limit`: fewer are left than the line asks for; `not_here`: not sold in the
 * buyer's country; `no_price`: no rate for the currency; `account`: what was said of the account no longer fits; `gone`: sold no more.
 */
export const LINE_STATES = [
  'ok',
  'price_changed',
  'sold_out',
  'limit',
  'not_here',
  'no_price',
  'account',
  'gone',
] as const
export type LineState = (typeof LINE_STATES)[number]

export function isBuyable(state: LineState): boolean {
  return state === 'ok' || state === 'price_changed'
}

/** A line with what it comes to now. */
export interface JudgedLine {
  readonly line: CartLine
  readonly offer: Offer | null
  readonly state: LineState
  /** The unit price when the line was last touched, where it is another now. */
  readonly wasMinor: bigint | null
  /** Most units this line may ask for. */
  readonly limit: number
}

export interface LineContext {
  readonly currency: string
  readonly country: Pick<Country, 'code' | 'isOnSale'> | null
  /** Whether a line's account fields fit the goods' rules of now. */
  readonly fieldsFit: (line: CartLine, offer: Offer) => boolean
}

/** What the offer for a line goes by. */
function goodsKey({ itemCode, amountMinor }: CartLine): string {
  return offerKey({ item: itemCode, amountMinor })
}

/** What each line comes to. Lines of one item share its stock, in their order. */
export function judgeLines(
  lines: readonly CartLine[],
  offers: ReadonlyMap<string, Offer>,
  context: LineContext,
): JudgedLine[] {
  const taken = new Map<string, number>()
  return lines.map((line) => {
    const offer = offers.get(goodsKey(line)) ?? null
    // An amount that is not sold any more is as good as goods that are not.
    if (!offer || amountFault(offer.free, line.amountMinor) !== null)
      return { line, offer: null, state: 'gone', wasMinor: null, limit: 0 }
    const before = taken.get(offer.item.id) ?? 0
    const limit = Math.max(
      0,
      Math.min(quantityLimit(offer.item), (offer.item.stock ?? Infinity) - before),
    )
    const state = stateOf(line, offer, limit, context)
    if (isBuyable(state)) taken.set(offer.item.id, before + line.quantity)
    return {
      line,
      offer,
      state,
      wasMinor: state === 'price_changed' ? line.seenMinor : null,
      limit,
    }
  })
}

function stateOf(
  line: CartLine,
  offer: Offer,
  limit: number,
  { currency, country, fieldsFit }: LineContext,
): LineState {
  if (!isSoldIn(offer, country)) return 'not_here'
  if (offer.item.stock === 0 || offer.withheld === 'below_floor') return 'sold_out'
  if (offer.priceMinor === null) return 'no_price'
  if (!fieldsFit(line, offer)) return 'account'
  if (line.quantity > limit) return 'limit'
  return line.seenCurrency === currency && line.seenMinor !== offer.priceMinor
    ? 'price_changed'
    : 'ok'
}

/** Whether a line costs more than its shopper was last shown, in the currency it was shown in. */
export function hasRisen(
  { shownMinor, seenCurrency }: CartLine,
  priceMinor: bigint,
  currency: string,
): boolean {
  return shownMinor !== null && seenCurrency === currency && priceMinor > shownMinor
}

/** Minor units of all lines that can be bought. */
export function totalOf(lines: readonly JudgedLine[]): bigint {
  return lines.reduce(
    (sum, { line, offer, state }) =>
      isBuyable(state) ? sum + (offer?.priceMinor ?? 0n) * BigInt(line.quantity) : sum,
    0n,
  )
}

/**
 * The same account and amount in the same words, whatever the order of the fields: such goods are one line. An amount counts as a field
 * whose name none of the catalogue's can have.
 */
export function lineText(
  fields: Readonly<Record<string, string>>,
  amountMinor: bigint | null,
): string {
  const all = amountMinor === null ? fields : { ...fields, '#amount': amountMinor.toString() }
  return JSON.stringify(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
