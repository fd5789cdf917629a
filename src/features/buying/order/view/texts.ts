import type { EventKind, PaymentState, Tone } from './shapes.ts'
import type { OrderStatus, UnitStatus } from '../rules.ts'
import type { StoredEvent, StoredOrder } from './stored.ts'

export const ORDER_TONES: Readonly<Record<OrderStatus, Tone | null>> = {
  pending_payment: 'warn',
  waiting_for_payment: 'warn',
  waiting_for_shipment: 'info',
  shipping: 'info',
  processing: 'info',
  cancelled: null,
  refunded: null,
  expired: 'bad',
  completed: 'ok',
}

export const UNIT_TONES: Readonly<Record<UnitStatus, Tone | null>> = {
  queued: 'info',
  delivering: 'info',
  in_doubt: 'warn',
  needs_input: 'warn',
  delivered: 'ok',
  failed: 'warn',
  refund_due: 'info',
  refunded: null,
  released: null,
}

export const PAYMENT_TONES: Readonly<Record<PaymentState, Tone | null>> = {
  unpaid: 'warn',
  waiting: 'warn',
  confirming: 'info',
  failed: 'bad',
  partly_paid: 'warn',
  received: 'info',
  paid: 'ok',
  partly_refunded: null,
  refunded: null,
}

/** How each step of the history went: a tick is for what succeeded alone. */
export const EVENT_TONES: Readonly<Record<EventKind, 'ok' | 'warn' | 'bad' | null>> = {
  placed: 'ok',
  payment_started: null,
  payment_failed: 'bad',
  paid: 'ok',
  shipping: 'ok',
  completed: 'ok',
  not_delivered: 'bad',
  // Nothing went wrong for good: something is to be done.
  input_needed: 'warn',
  input_corrected: null,
  held: null,
  money_returning: null,
  disputed: 'bad',
  dispute_over: null,
  refund_requested: null,
  request_withdrawn: null,
  request_declined: 'bad',
  refund_started: null,
  refunded: null,
  refund_failed: 'bad',
  refund_called_off: null,
  cancelled: null,
  expired: 'bad',
}

/** Part of what the order costs was given back for good; returning a surplus is no such part. */
export function isPartlyRefunded({
  status,
  capturedMinor,
  refundedMinor,
  totalMinor,
}: Pick<StoredOrder, 'status' | 'capturedMinor' | 'refundedMinor' | 'totalMinor'>): boolean {
  const keptMinor = capturedMinor - refundedMinor
  return status === 'completed' && refundedMinor > 0n && keptMinor > 0n && keptMinor < totalMinor
}

const OPEN = ['created', 'requires_action']
const SEEN = ['seen', 'authorised']

/** What has yet to arrive of an order that was paid in part; null for every other, and where the part is on its way back. */
export function missingMinor({
  hold,
  settledAt,
  askedBackMinor,
  totalMinor,
  capturedMinor,
}: Pick<StoredOrder, 'hold' | 'settledAt' | 'askedBackMinor' | 'totalMinor' | 'capturedMinor'>):
  | bigint
  | null {
  const isPart = hold === 'underpaid' && settledAt === null && askedBackMinor === 0n
  return isPart && capturedMinor > 0n && capturedMinor < totalMinor
    ? totalMinor - capturedMinor
    : null
}

/** How far the payment is, whatever its provider calls that. */
export function paymentState(
  order: Pick<
    StoredOrder,
    | 'capturedMinor'
    | 'refundedMinor'
    | 'askedBackMinor'
    | 'totalMinor'
    | 'hold'
    | 'settledAt'
    | 'attempt'
    | 'status'
  >,
): PaymentState {
  const { capturedMinor, refundedMinor, settledAt, attempt, status } = order
  if (capturedMinor > 0n && refundedMinor === capturedMinor) return 'refunded'
  if (settledAt !== null) return refundedMinor > 0n ? 'partly_refunded' : 'paid'
  if (missingMinor(order) !== null) return 'partly_paid'
  if (capturedMinor > 0n || attempt?.status === 'captured') return 'received'
  if (attempt && SEEN.includes(attempt.status)) return 'confirming'
  if (attempt && OPEN.includes(attempt.status)) return 'waiting'
  return attempt?.status === 'failed' && status !== 'cancelled' && status !== 'expired'
    ? 'failed'
    : 'unpaid'
}

/** What a reason means to the buyer; the others are the shop's own business, or show as a new state. */
const KIND_OF_REASON: Readonly<Record<string, EventKind>> = {
  created: 'placed',
  payment_started: 'payment_started',
  payment_failed: 'payment_failed',
  payment_expired: 'payment_failed',
  paid: 'paid',
  underpaid: 'held',
  wrong_currency: 'held',
  late: 'held',
  risk: 'held',
  out_of_stock: 'held',
  paid_twice: 'money_returning',
  paid_after_cancelling: 'money_returning',
  paid_too_late: 'money_returning',
  paid_after_refund: 'money_returning',
  money_returned: 'money_returning',
  disputed: 'disputed',
  dispute_over: 'dispute_over',
  reversal_undone: 'dispute_over',
  refund_requested: 'refund_requested',
  request_withdrawn: 'request_withdrawn',
  refund_asked: 'refund_started',
  unit_failed: 'not_delivered',
  input_needed: 'input_needed',
  input_corrected: 'input_corrected',
  refunded: 'refunded',
  refund_failed: 'refund_failed',
  refund_rejected: 'refund_called_off',
  cancelled: 'cancelled',
  expired: 'expired',
}

export interface HistoryEntry {
  readonly kind: EventKind
  readonly event: StoredEvent
}

const DELIVERING = new Set(['paid', 'delivered', 'restocked'])

/** What a row of the history tells of the delivery; an attempt that has begun is labelled as one in part, and is none. */
function deliveryOf({ from, to, reason }: StoredEvent): 'completed' | 'shipping' | null {
  const isDelivery = DELIVERING.has(reason)
  if (to === 'shipping') return isDelivery ? 'shipping' : null
  if (to !== 'completed' || from === to) return null
  // Back to where it was before a hold or a refund of a part: nothing new was delivered.
  return isDelivery || (from !== 'processing' && from !== 'refunded') ? 'completed' : null
}

/**
 * The history as its buyer reads it: one row of it may tell of two things (paid, and with that delivered), and what says the same
 * again is left out.
 */
export function historyOf(events: readonly StoredEvent[]): readonly HistoryEntry[] {
  let isPartTold = false
  const told = events.flatMap((event): HistoryEntry[] => {
    const kind =
      event.reason === 'case_decided' && event.details['decision'] === 'reject'
        ? 'request_declined'
        : KIND_OF_REASON[event.reason]
    const own = kind === undefined ? [] : [{ kind, event }]
    const state = deliveryOf(event)
    if (state === null || (state === 'shipping' && isPartTold)) return own
    isPartTold = true
    return [...own, { kind: state, event }]
  })
  // Money that went back twice is two sums.
  return told.filter(({ kind }, index) => kind === 'refunded' || kind !== told[index - 1]?.kind)
}

/** Seconds from the money's arrival to the delivery of everything; null before, and for what was not delivered whole. */
export function deliverySeconds({
  settledAt,
  status,
  lines,
}: Pick<StoredOrder, 'settledAt' | 'status' | 'lines'>): number | null {
  const moments = lines.flatMap(({ units }) => units.map(({ deliveredAt }) => deliveredAt))
  if (status !== 'completed' || settledAt === null || moments.some((moment) => moment === null))
    return null
  const last = Math.max(...moments.map((moment) => moment?.getTime() ?? 0))
  return Math.max(0, Math.round((last - settledAt.getTime()) / 1_000))
}
