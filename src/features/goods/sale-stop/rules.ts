/** What can be stopped: everything, a product, an item's shelf, what a supplier delivers, a way to pay. */
export const STOP_KINDS = ['shop', 'product', 'shelf', 'supplier', 'method'] as const
export type StopKind = (typeof STOP_KINDS)[number]

export interface Stoppable {
  readonly kind: StopKind
  /** Of the product, item, supplier or method; empty for the shop. */
  readonly code: string
}

export interface Stop extends Stoppable {
  readonly reason: string
  /** Actors, as in the audit trail. */
  readonly stoppedBy: string
  readonly stoppedAt: Date
}

export const STOP_REASON_MAX = 300
