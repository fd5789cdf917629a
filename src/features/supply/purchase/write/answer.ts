import type {
  LookupOutcome,
  SupplyCapabilities,
  SupplyDone,
  SupplyFailure,
} from '#providers/supply/provider.ts'
import { ASK_AFTER_SECONDS, isOpenPurchase, type Failed, type PurchaseStatus } from '../rules.ts'

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

/** Whether an answer speaks for the supplier's health: null where it says nothing about it, as of a buyer's account or one product. */
export function isHealthy(answer: LookupOutcome): boolean | null {
  if (answer.kind === 'done' || answer.kind === 'accepted') return true
  if (answer.kind === 'unknown') return false
  if (answer.kind === 'not_found') return null
  return answer.class === 'supplier' ? false : null
}
