import { randomBytes } from 'node:crypto'

export interface Amount {
  readonly currency_code: string
  readonly value: string
}

export interface Order {
  readonly id: string
  readonly created: Date
  readonly amount: Amount
  readonly description: string
  readonly returnUrl: string
  readonly cancelUrl: string
  customId: string
  updated: Date
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  /** What comes of the next capture. */
  next: 'good' | 'declined' | 'pending' | 'denied' | 'less'
  capture: Capture | null
}

export interface Capture {
  readonly id: string
  readonly created: Date
  readonly amount: Amount
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  readonly refunds: {
    readonly id: string
    readonly amount: Amount
    readonly created: Date
    /** Null for one made by hand. */
    readonly customId: string | null
    status: 'COMPLETED' | 'FAILED'
  }[]
  readonly disputes: {
    readonly id: string
    readonly amount: Amount
    outcome: string | null
    updated: Date
    /** What the shop has said to it. */
    notes: string | null
  }[]
}

/** What a payer or PayPal does with an order. The captures that follow may be wrong on purpose. */
export const ACTS = [
  'approve',
  'approve_declined',
  'approve_pending',
  'approve_denied',
  'approve_less',
  'clear',
  'deny',
  'dispute',
  'win_dispute',
  'lose_dispute',
  'win_appeal',
  'fail_refund',
  'refund_by_hand',
] as const
export type Act = (typeof ACTS)[number]

const TWO_DIGITS = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN RUB SEK SGD THB USD'.split(
    ' ',
  ),
)
const WHOLE_ONLY = new Set(['HUF', 'JPY', 'TWD'])

/** Seventeen capital letters and digits. */
export const newId = () =>
  [...randomBytes(17)].map((byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'[byte % 34]).join('')

/** PayPal's word for an amount that it would not take; null for a good one. */
export function faultOfAmount({ currency_code: currency, value }: Amount): string | null {
  if (!TWO_DIGITS.has(currency) && !WHOLE_ONLY.has(currency)) return 'CURRENCY_NOT_SUPPORTED'
  if (WHOLE_ONLY.has(currency) && !/^\d{1,10}$/.test(value)) return 'DECIMALS_NOT_SUPPORTED'
  if (!/^\d{1,10}(?:\.\d\d)?$/.test(value)) return 'DECIMAL_PRECISION'
  return hundredths(value) > 0n ? null : 'CANNOT_BE_ZERO_OR_NEGATIVE'
}

/** For comparing amounts of one currency. */
export function hundredths(value: string): bigint {
  const [whole = '0', rest = ''] = value.split('.')
  return BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'))
}

export function refundedOf({ refunds }: Capture): bigint {
  return refunds
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((sum, { amount }) => sum + hundredths(amount.value), 0n)
}

const NEXT: Partial<Record<Act, Order['next']>> = {
  approve: 'good',
  approve_declined: 'declined',
  approve_pending: 'pending',
  approve_denied: 'denied',
  approve_less: 'less',
}

/** Does what is named, where the order's state allows it. @returns the events that PayPal sends of it */
export function perform(order: Order, act: Act, now: Date): string[] {
  const next = NEXT[act]
  if (next !== undefined) return approve(order, next, now)
  const { capture } = order
  if (!capture) return []
  if (act === 'clear' || act === 'deny') {
    if (capture.status !== 'PENDING') return []
    capture.status = act === 'clear' ? 'COMPLETED' : 'DECLINED'
    return [act === 'clear' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED']
  }
  if (act === 'fail_refund') return failRefund(capture)
  if (act === 'refund_by_hand') return refundByHand(capture, now)
  if (act === 'win_appeal') {
    for (const lost of capture.disputes.filter(
      ({ outcome }) => outcome === 'RESOLVED_BUYER_FAVOUR',
    ))
      Object.assign(lost, { outcome: 'RESOLVED_SELLER_FAVOUR', updated: now })
    return ['CUSTOMER.DISPUTE.RESOLVED']
  }
  if (act === 'dispute') {
    capture.disputes.push({
      id: `PP-D-${newId()}`,
      amount: capture.amount,
      outcome: null,
      updated: now,
      notes: null,
    })
    return ['CUSTOMER.DISPUTE.CREATED']
  }
  for (const open of capture.disputes.filter(({ outcome }) => outcome === null))
    Object.assign(open, {
      outcome: act === 'lose_dispute' ? 'RESOLVED_BUYER_FAVOUR' : 'RESOLVED_SELLER_FAVOUR',
      updated: now,
    })
  return [
    'CUSTOMER.DISPUTE.RESOLVED',
    ...(act === 'lose_dispute' ? ['PAYMENT.CAPTURE.REVERSED'] : []),
  ]
}

/** As somebody does who clicks on PayPal's pages: all that is left, under no name of the shop's. */
function refundByHand(capture: Capture, now: Date): string[] {
  const left = hundredths(capture.amount.value) - refundedOf(capture)
  if (left === 0n) return []
  const value = capture.amount.value.includes('.')
    ? `${left / 100n}.${String(left % 100n).padStart(2, '0')}`
    : String(left / 100n)
  capture.refunds.push({
    id: newId(),
    amount: { ...capture.amount, value },
    created: now,
    customId: null,
    status: 'COMPLETED',
  })
  capture.status = 'REFUNDED'
  return ['PAYMENT.CAPTURE.REFUNDED']
}

/** The last refund comes back. PayPal sends no event of it. */
function failRefund(capture: Capture): string[] {
  const last = capture.refunds.findLast(({ status }) => status === 'COMPLETED')
  if (last) last.status = 'FAILED'
  capture.status = refundedOf(capture) === 0n ? 'COMPLETED' : 'PARTIALLY_REFUNDED'
  return []
}

function approve(order: Order, next: Order['next'], now: Date): string[] {
  if (order.status !== 'PAYER_ACTION_REQUIRED') return []
  order.status = 'APPROVED'
  order.updated = now
  order.next = next
  return ['CHECKOUT.ORDER.APPROVED']
}

/** Captures an approved order. @returns PayPal's word for why not, and the events that it sends */
export function captureOrder(
  order: Order,
  now: Date,
): { readonly issue: string | null; readonly events: string[] } {
  if (order.status === 'COMPLETED') return { issue: 'ORDER_ALREADY_CAPTURED', events: [] }
  if (order.status !== 'APPROVED') return { issue: 'ORDER_NOT_APPROVED', events: [] }
  if (order.next === 'declined') {
    order.status = 'PAYER_ACTION_REQUIRED'
    return { issue: 'INSTRUMENT_DECLINED', events: [] }
  }
  const status =
    order.next === 'pending' ? 'PENDING' : order.next === 'denied' ? 'DECLINED' : 'COMPLETED'
  const amount = order.next === 'less' ? { ...order.amount, value: '1' } : order.amount
  order.status = 'COMPLETED'
  order.capture = { id: newId(), created: now, amount, status, refunds: [], disputes: [] }
  return { issue: null, events: [`PAYMENT.CAPTURE.${status === 'DECLINED' ? 'DENIED' : status}`] }
}
