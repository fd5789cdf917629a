import { PRICE_TRIES, type SupplyKind } from '#features/supply/routing/rules.ts'

/**
 * - `prepared`: committed, and maybe sent. `accepted`: under way there. `unknown`: bought or not; it is asked about.
 * - `doubt`: asking is over, a person decides.
 * - `done`: bought, and its unit delivered. `failed`: nothing was bought.
 * - `late`: bought after all when its unit was somebody else's by then, or a card came that the shop already holds: a loss.
 * - `reversed`: taken back after delivery.
 */
export const PURCHASE_STATUSES = [
  'prepared',
  'accepted',
  'unknown',
  'doubt',
  'done',
  'failed',
  'late',
  'reversed',
] as const
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number]

export const PURCHASE_TRANSITIONS: Readonly<Record<PurchaseStatus, readonly PurchaseStatus[]>> = {
  prepared: ['accepted', 'unknown', 'doubt', 'done', 'failed', 'late'],
  accepted: ['unknown', 'doubt', 'done', 'failed', 'late'],
  unknown: ['accepted', 'doubt', 'done', 'failed', 'late'],
  doubt: ['done', 'failed', 'late'],
  failed: ['done', 'late'],
  done: ['reversed'],
  late: [],
  reversed: [],
}

/**
 * What an operator has to look at of a purchase that is over. `late`: bought after all, when its unit was somebody else's or given back.
 * `reversed`: taken back after delivery, or said to be where asking could buy it again. `cost`: dearer than allowed, or not in its currency. `known`: a card came that the shop already holds.
 */
export type CaseKind = 'late' | 'reversed' | 'cost' | 'known'

/** Goods that are handed over as a code, a picture or a link, which the vault keeps. */
export const isCardKind = (kind: SupplyKind): boolean =>
  kind === 'giftcard' || kind === 'key' || kind === 'voucher'

/** Seconds after the attempt at which the supplier is asked about it; then it belongs to a person. */
export const ASK_AFTER_SECONDS = [10, 30, 120, 600, 3_600, 21_600, 86_400] as const

/** When what is over is asked about again, of which its supplier has said that there is news; null once it was tried for a day. */
export function nextLook(asked: number, now: Date): Date | null {
  const seconds = ASK_AFTER_SECONDS[asked]
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000)
}

/** Longer than a supplier takes to answer: whoever has a purchase for so much longer has died. */
export const LEASE_SECONDS = 20

/** Hours a paid unit may wait for a supplier that is out of reach or says "later"; then its price goes back. */
export const WAIT_HOURS = 24
/** Days a buyer has to correct what they gave; then its price goes back. */
export const INPUT_DAYS = 7
/** Purchases of a unit that may fail for good, wherever; then a person decides. More than its suppliers come to, unless something goes round in circles. */
export const ATTEMPTS_MOST = 20

const WAIT_MS = 5 * 60_000

export function isOpenPurchase(status: PurchaseStatus): boolean {
  return (
    status === 'prepared' || status === 'accepted' || status === 'unknown' || status === 'doubt'
  )
}

/** Whose matter a definite failure is; nothing was bought. As suppliers' interface has them. */
export type FailureClass = 'customer' | 'wait' | 'ours' | 'price' | 'stock' | 'supplier'

/** An attempt that is over without a delivery: whose matter it is, and what was said. */
export interface Failed {
  readonly class: FailureClass
  readonly code: string
  readonly text: string
  readonly until: Date | null
}

/** What becomes of a unit whose attempt is definitely over. */
export type Next =
  | { readonly kind: 'needs_input'; readonly until: Date }
  | { readonly kind: 'queue'; readonly supplier: string; readonly dueAt: Date }
  /** A person decides about its price. */
  | { readonly kind: 'hold'; readonly supplier: string }
  /** Its price goes back. */
  | { readonly kind: 'give_up' }

export interface UnitAfterFailure {
  readonly supplier: string
  /** Another supplier that has not failed for it. */
  readonly other: string | null
  /** Its buyer gave something that can be corrected. */
  readonly isCorrectable: boolean
  /** Since when it is only told to come later, or reaches nobody. */
  readonly waitsSince: Date
  /** How often it was refused here for its price, this time counted. */
  readonly priceRefusals: number
  /** How often it failed for good anywhere, this time counted: not what was ours, its buyer's or a matter of time. */
  readonly failures: number
}

/** Another supplier is tried only after a definite failure; what is ours, or a matter of time, never sends a shopper's money back at once. */
export function afterFailure(failed: Failed, unit: UnitAfterFailure, now: Date): Next {
  const later = (at: Date | null): Next => ({
    kind: 'queue',
    supplier: unit.supplier,
    dueAt: at !== null && at > now ? at : new Date(now.getTime() + WAIT_MS),
  })
  const waitedMs = now.getTime() - unit.waitsSince.getTime()
  const hasWaited = waitedMs > WAIT_HOURS * 3_600_000
  if (unit.failures >= ATTEMPTS_MOST && isForGood(failed))
    return { kind: 'hold', supplier: unit.supplier }
  switch (failed.class) {
    case 'customer':
      return unit.isCorrectable
        ? { kind: 'needs_input', until: new Date(now.getTime() + INPUT_DAYS * 86_400_000) }
        : { kind: 'give_up' }
    case 'ours':
      return later(failed.until)
    case 'price':
      if (unit.priceRefusals < PRICE_TRIES)
        return { kind: 'queue', supplier: unit.supplier, dueAt: now }
      return unit.other === null
        ? { kind: 'hold', supplier: unit.supplier }
        : { kind: 'queue', supplier: unit.other, dueAt: now }
    case 'wait':
      if (!hasWaited) return later(failed.until)
      if (unit.other === null) break
      // Nobody has failed: the two would send it to each other for ever.
      return waitedMs > 2 * WAIT_HOURS * 3_600_000
        ? { kind: 'hold', supplier: unit.supplier }
        : { kind: 'queue', supplier: unit.other, dueAt: new Date(now.getTime() + WAIT_MS) }
    case 'supplier':
    case 'stock':
      break
    default:
      failed.class satisfies never
  }
  if (unit.other !== null) return { kind: 'queue', supplier: unit.other, dueAt: now }
  // It was never reached: as good as a moment later.
  if (failed.class === 'supplier' && failed.code === NOT_SENT && !hasWaited) return later(null)
  return { kind: 'give_up' }
}

/** It says something of the supplier that another attempt there would not change. */
const isForGood = ({ class: named, code }: Failed): boolean =>
  named === 'price' || named === 'stock' || (named === 'supplier' && code !== NOT_SENT)

/** The code of a failure before anything had left for the supplier. */
export const NOT_SENT = 'not_sent'
