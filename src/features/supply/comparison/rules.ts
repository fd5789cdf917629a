import type { PurchaseStatus } from '#features/supply/purchase/rules.ts'
import type { Money } from '#kernel/money.ts'

/** Days of a report that are compared each day: what comes late into it is found the next time. */
export const COMPARED_DAYS = 3
/** What was bought so lately may not stand in the report yet. */
export const SETTLING_MS = 60 * 60_000

/** A purchase as a supplier's report tells it. */
export interface ReportedPurchase {
  readonly supplierId: string
  readonly reference: string | null
  readonly state: 'done' | 'open' | 'failed'
  readonly cost: Money | null
  readonly at: Date | null
}

/** A purchase of ours as a report is compared with. */
export interface OurPurchase {
  readonly id: string
  readonly orderId: string
  readonly reference: string
  readonly supplierId: string | null
  readonly status: PurchaseStatus
  readonly currency: string
  readonly actualMinor: bigint | null
}

export interface Comparison {
  /** By the supplier's report, or by asking about each purchase. */
  readonly way: 'report' | 'lookup'
  /** Purchases that the report, or an answer, told of. */
  readonly told: number
  readonly unread: number
  /** Differences that were not known before. */
  readonly found: number
}

export type DifferenceKind = 'missing_here' | 'missing_there' | 'amount' | 'state'

export interface Difference {
  readonly kind: DifferenceKind
  readonly ours: OurPurchase | null
  readonly theirs: ReportedPurchase | null
}

/**
 * What a report tells otherwise than we know it. An attempt that is still being asked about differs in nothing yet; one that a person has to
 * decide about does, as the report decides it.
 */
export function differenceOf(
  ours: OurPurchase | null,
  theirs: ReportedPurchase,
): DifferenceKind | null {
  // Nothing was taken for it, and nothing asked for by us.
  if (ours === null) return theirs.state === 'failed' ? null : 'missing_here'
  if (isOpen(ours)) return ours.status === 'doubt' && theirs.state !== 'open' ? 'state' : null
  const isBought = ours.status === 'done' || ours.status === 'late'
  if (isBought !== (theirs.state === 'done')) return 'state'
  if (!isBought || theirs.cost === null) return null
  const isSame =
    theirs.cost.currency === ours.currency && theirs.cost.minor === (ours.actualMinor ?? 0n)
  return isSame ? null : 'amount'
}

/** Whether its supplier is to be asked about a purchase, as its report tells news. */
export function isNews(ours: OurPurchase, theirs: ReportedPurchase): boolean {
  return theirs.state !== 'open' && (isOpen(ours) || differenceOf(ours, theirs) === 'state')
}

const isOpen = ({ status }: Pick<OurPurchase, 'status'>) =>
  status === 'prepared' || status === 'accepted' || status === 'unknown' || status === 'doubt'
