import type { OrderStatus } from '#features/buying/order/rules.ts'

/** The lists of orders that everybody has, in the order of their tabs. */
export const ORDER_VIEWS = ['attention', 'open', 'unpaid', 'done', 'ended', 'all'] as const
export type OrderView = (typeof ORDER_VIEWS)[number]

/** What a view holds; none for all of them. */
export const STATUSES_OF: Readonly<Record<OrderView, readonly OrderStatus[]>> = {
  attention: ['processing'],
  open: ['waiting_for_shipment', 'shipping'],
  unpaid: ['pending_payment', 'waiting_for_payment'],
  done: ['completed'],
  ended: ['cancelled', 'expired', 'refunded'],
  all: [],
}

export const isOrderView = (name: string | null): name is OrderView =>
  ORDER_VIEWS.some((view) => view === name)
