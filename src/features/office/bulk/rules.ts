import type { Permission } from '#features/team/operator/rules.ts'

/** What can be done with several orders at once. */
export const BULK_ACTS = ['cancel', 'requeue'] as const
export type BulkAct = (typeof BULK_ACTS)[number]

/** What each needs. */
export const BULK_NEEDS: Readonly<Record<BulkAct, Permission>> = {
  cancel: 'order.decide',
  requeue: 'order.deliver',
}

export type BulkState = 'waiting' | 'running' | 'done' | 'cancelled'

/** Orders of one run. */
export const BULK_ORDERS_MAX = 500
/** Runs of one operator that are not over. */
export const BULK_AT_ONCE = 3
/** Runs that one operator may ask for within a day. */
export const BULK_A_DAY = 40
/** What the audit calls one. */
export const BULK_ASKED = 'bulk'
/** What came of a run is told so long. */
export const BULK_KEPT_DAYS = 7
export const BULK_SWEEP = 'bulk_acts'

/** Why an order could not be done; each has a sentence of its own, and what has none is a fault of ours. */
export const BULK_FAILURES = [
  'changed_meanwhile',
  'order_closed',
  'not_found',
  'payment_unreachable',
  'lacks_permission',
  // It is asked for, and done once another person says so.
  'waits',
  'internal',
] as const
export type BulkFailure = (typeof BULK_FAILURES)[number]

export function failureOf(code: string): BulkFailure {
  if (code === 'forbidden') return 'lacks_permission'
  return BULK_FAILURES.find((one) => one === code) ?? 'internal'
}
