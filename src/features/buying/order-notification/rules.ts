import type { MailKind } from '#features/people/mail/rules.ts'
import type { OrderNoticeKind } from '#features/people/notice/rules.ts'
import type { OrderStatus } from '#features/buying/order/rules.ts'

/** An event of an order that its buyer is to hear of. */
export interface OrderEvent {
  readonly reason: string
  readonly status: OrderStatus
  /** Whether the order is held for a closer look by now. */
  readonly isHeld: boolean
  readonly details: Readonly<Record<string, string | number>>
  /** How the goods that it is about are delivered. */
  readonly deliveries: ReadonlySet<string>
  /** Where money went that was given back. */
  readonly refundedTo: string | null
}

export interface OrderNotification {
  /** Mail and notice have the same kinds. */
  readonly kind: OrderNoticeKind & MailKind
  /** Which of the kind's sentences. */
  readonly variant: string
}

const RETURNED = new Set([
  'paid_twice',
  'paid_too_much',
  'paid_after_cancelling',
  'paid_too_late',
  'paid_after_refund',
  'money_returned',
])
const PROBLEMS = new Set([
  'underpaid',
  'wrong_currency',
  'late',
  'risk',
  'disputed',
  'refund_failed',
])

/** What the buyer is told of an event; null for one that has no words for buyers. */
export function notificationOf(event: OrderEvent): OrderNotification | null {
  const { reason, status } = event
  if (reason === 'paid' || reason === 'restocked') return notificationOfPaid(event)
  if (reason === 'delivered' || reason === 'key_replaced')
    return event.deliveries.has('card_key')
      ? { kind: 'order_delivered', variant: 'keys' }
      : { kind: 'order_credited', variant: '' }
  if (reason === 'refunded')
    return { kind: 'order_refunded', variant: event.refundedTo ?? 'original' }
  if (reason === 'unit_failed') return { kind: 'order_failed_unit', variant: '' }
  if (reason === 'delivery_late') return { kind: 'order_delayed', variant: 'late' }
  if (reason === 'input_needed') return { kind: 'order_input_needed', variant: '' }
  if (reason === 'case_decided')
    return { kind: 'case_decided', variant: String(event.details.decision ?? '') }
  // Late money for goods that were gone by then: nothing of the order is owed, and all of it goes back.
  if (RETURNED.has(reason) || reason === 'out_of_stock')
    return { kind: 'order_money_returned', variant: reason }
  if (PROBLEMS.has(reason)) return { kind: 'order_payment_problem', variant: reason }
  return status === 'cancelled' ? { kind: 'order_cancelled', variant: '' } : null
}

function notificationOfPaid(event: OrderEvent): OrderNotification | null {
  const { status, deliveries, isHeld } = event
  // That somebody looks at it is told beside this: nothing of it is being delivered.
  if (isHeld && status === 'waiting_for_shipment') return null
  if (status === 'processing') return { kind: 'order_delayed', variant: '' }
  if (status !== 'completed')
    return { kind: 'order_paid_by_hand', variant: status === 'shipping' ? 'partly' : '' }
  return {
    kind: 'order_delivered',
    variant: deliveries.size > 1 ? 'mixed' : deliveries.has('store_credit') ? 'credit' : 'keys',
  }
}
