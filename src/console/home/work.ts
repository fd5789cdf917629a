import type { WorkKind } from '#features/office/health/rules.ts'

/** What waits for a person, and the page that shows it; null while only a command does. */
export const WORK: Readonly<Record<WorkKind, string | null>> = {
  refunds_refused: '/orders?view=attention',
  sold_out: '/keys?view=low',
  low_stock: '/keys?view=low',
  orders_undecided: '/orders?view=attention',
  cases: '/cases',
  disputes: '/cases?view=disputes',
  by_hand: '/by-hand',
  differences: '/money?view=differences',
  unmatched_payments: '/money?view=unmatched',
  credit_debts: null,
  approvals: '/approvals',
  supply: null,
  supply_books: null,
  gate: '/orders?view=attention',
  rates_held: null,
  costs_held: null,
  prices_withheld: null,
  syncs_failed: null,
}

export interface WorkLine {
  readonly kind: WorkKind
  readonly count: number
  readonly path: string | null
  /** How long the oldest of it waits, where that is known. */
  readonly age: string | null
}
