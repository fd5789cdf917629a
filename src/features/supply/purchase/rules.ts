import type {
  FailureClass,
  LookupOutcome,
  SupplyCapabilities,
  SupplyDone,
  SupplyFailure,
} from '#providers/supply/provider.ts'

/**
 * - `prepared`: committed, and maybe sent. `accepted`: under way there. `unknown`: bought or not; it is asked about.
 * - `doubt`: asking is over, a person decides.
 * - `done`: bought, and its unit delivered. `failed`: nothing was bought.
 * - `late`: bought after all when its unit was somebody else's by then: a loss. `reversed`: taken back after delivery.
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
  prepared: ['accepted', 'unknown', 'doubt', 'done', 'failed'],
  accepted: ['unknown', 'doubt', 'done', 'failed'],
  unknown: ['accepted', 'doubt', 'done', 'failed'],
  doubt: ['done', 'failed'],
  failed: ['done', 'late'],
  done: ['reversed'],
  late: [],
  reversed: [],
}

/** Seconds after the attempt at which the supplier is asked about it; then it belongs to a person. */
export const ASK_AFTER_SECONDS = [10, 30, 120, 600, 3_600, 21_600, 86_400] as const

/** Longer than a supplier takes to answer: whoever has a purchase for so much longer has died. */
export const LEASE_SECONDS = 20

/** Hours a paid unit may wait for a supplier that is out of reach or says "later"; then its price goes back. */
export const WAIT_HOURS = 24
/** Days a buyer has to correct what they gave; then its price goes back. */
export const INPUT_DAYS = 7
/** Purchases of a unit that a supplier may refuse as too cheap; then a person decides. */
export const PRICE_TRIES = 3

const WAIT_MS = 5 * 60_000

export function isOpenPurchase(status: PurchaseStatus): boolean {
  return (
    status === 'prepared' || status === 'accepted' || status === 'unknown' || status === 'doubt'
  )
}

/** What is known of an attempt when an answer about it comes. */
export interface AttemptState {
  readonly status: PurchaseStatus
  readonly asked: number
  readonly createdAt: Date
}

export type Asking = Pick<
  SupplyCapabilities,
  'idempotency' | 'notFoundIsFinalAfterSeconds' | 'lookupMayBuyAfterSeconds'
>

/** When an attempt is asked about next; null: a person decides. */
export function nextAskAt(attempt: AttemptState, asking: Asking, now: Date): Date | null {
  const at = (seconds: number) => attempt.createdAt.getTime() + seconds * 1_000
  const seconds = ASK_AFTER_SECONDS[attempt.asked]
  if (seconds === undefined) return null
  const planned = Math.max(at(seconds), now.getTime() + ASK_AFTER_SECONDS[0] * 500)
  const final = asking.notFoundIsFinalAfterSeconds
  // Once its silence means something it is asked, whatever the plan says.
  const told = final === null || at(final + 1) <= now.getTime() ? planned : at(final + 1)
  const next = Math.min(planned, told)
  const last = asking.lookupMayBuyAfterSeconds
  return last !== null && next >= at(last) ? null : new Date(next)
}

/** An attempt that is over without a delivery: whose matter it is, and what was said. */
export interface Failed {
  readonly class: FailureClass
  readonly code: string
  readonly text: string
  readonly until: Date | null
}

export type Decision =
  | { readonly kind: 'deliver'; readonly done: SupplyDone }
  /** Under way there, or nothing is known: it is asked about, or a person decides. */
  | {
      readonly kind: 'open'
      readonly status: 'accepted' | 'unknown' | 'doubt'
      readonly nextAskAt: Date | null
      readonly supplierId: string | null
      readonly told: string | null
    }
  | { readonly kind: 'fail'; readonly failed: Failed; readonly supplierId: string | null }
  /** Bought although it was said to have failed. */
  | { readonly kind: 'bought_late'; readonly done: SupplyDone }
  | { readonly kind: 'reverse'; readonly failed: Failed }
  | { readonly kind: 'none' }

/** What an answer of the supplier means for an attempt. */
export function decide(
  attempt: AttemptState,
  answer: LookupOutcome,
  asking: Asking,
  now: Date,
): Decision {
  if (attempt.status === 'failed')
    return answer.kind === 'done' ? { kind: 'bought_late', done: answer } : { kind: 'none' }
  if (attempt.status === 'done')
    return answer.kind === 'failed'
      ? { kind: 'reverse', failed: failedOf(answer) }
      : { kind: 'none' }
  if (!isOpenPurchase(attempt.status)) return { kind: 'none' }
  switch (answer.kind) {
    case 'done':
      return { kind: 'deliver', done: answer }
    case 'failed':
      return { kind: 'fail', failed: failedOf(answer), supplierId: answer.supplierId ?? null }
    case 'not_found':
      return isSilenceFinal(attempt, asking, now)
        ? { kind: 'fail', failed: NEVER_ARRIVED, supplierId: null }
        : stillOpen(attempt, asking, now, 'unknown', null, 'not found there yet')
    case 'accepted':
      return stillOpen(attempt, asking, now, 'accepted', answer.supplierId, null)
    case 'unknown':
      return stillOpen(attempt, asking, now, 'unknown', answer.supplierId ?? null, answer.why)
    default:
      return answer satisfies never
  }
}

const NEVER_ARRIVED: Failed = {
  class: 'supplier',
  code: 'not_found',
  text: 'the supplier has never heard of it',
  until: null,
}

function isSilenceFinal(attempt: AttemptState, asking: Asking, now: Date): boolean {
  const final = asking.notFoundIsFinalAfterSeconds
  return final !== null && now.getTime() >= attempt.createdAt.getTime() + final * 1_000
}

function stillOpen(
  attempt: AttemptState,
  asking: Asking,
  now: Date,
  status: 'accepted' | 'unknown',
  supplierId: string | null,
  told: string | null,
): Decision {
  const next = attempt.status === 'doubt' ? null : nextAskAt(attempt, asking, now)
  return {
    kind: 'open',
    status: next === null ? 'doubt' : status,
    nextAskAt: next,
    supplierId,
    told,
  }
}

function failedOf({ class: named, code, text, until }: SupplyFailure): Failed {
  return { class: named, code: code.slice(0, 100) || 'unsaid', text, until: until ?? null }
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
  readonly settledAt: Date
  /** How often it was refused here for its price, this time counted. */
  readonly priceRefusals: number
}

/** Another supplier is tried only after a definite failure; what is ours, or a matter of time, never sends a shopper's money back at once. */
export function afterFailure(failed: Failed, unit: UnitAfterFailure, now: Date): Next {
  const later = (at: Date | null): Next => ({
    kind: 'queue',
    supplier: unit.supplier,
    dueAt: at !== null && at > now ? at : new Date(now.getTime() + WAIT_MS),
  })
  const hasWaited = now.getTime() - unit.settledAt.getTime() > WAIT_HOURS * 3_600_000
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
      break
    case 'supplier':
    case 'stock':
      break
    default:
      failed.class satisfies never
  }
  if (unit.other !== null) return { kind: 'queue', supplier: unit.other, dueAt: now }
  // It was never reached: as good as a moment later.
  if (failed.code === NOT_SENT && !hasWaited) return later(null)
  return { kind: 'give_up' }
}

/** The code of a failure before anything had left for the supplier. */
export const NOT_SENT = 'not_sent'

/** Whether an answer speaks for the supplier's health: null where it says nothing about it. */
export function isHealthy(answer: LookupOutcome): boolean | null {
  if (answer.kind === 'done' || answer.kind === 'accepted') return true
  if (answer.kind === 'unknown') return false
  if (answer.kind === 'not_found') return null
  return answer.code === NOT_SENT || answer.class === 'supplier' ? false : null
}
