/** What a team does with an order in the console. */
export const ORDER_ACTS = [
  'refund',
  'return_money',
  'accept_money',
  'cancel',
  'release',
  'refuse',
  'replace',
  'requeue',
  'complete',
  'fail',
  'supplier',
] as const
export type OrderAct = (typeof ORDER_ACTS)[number]

/** An act on an order as its caller has seen it. */
export interface DeskAct {
  /** Number of the order. */
  readonly order: string
  /** What the order was at, as it was read. */
  readonly version: string
  /** The caller's own name for the act: sent again, it is the same one. */
  readonly key: string
}

/** What came of an act. */
export type DeskAnswer = {
  /** Public id of what waits for another person; null where it is done. */
  readonly waits: string | null
}

/** The list of orders among those whose columns are kept. */
export const ORDERS = 'orders'

/** What the list of orders may show beside an order and its state. */
export const ORDER_COLUMNS = ['customer', 'goods', 'total', 'method', 'age'] as const
export type OrderColumn = (typeof ORDER_COLUMNS)[number]
