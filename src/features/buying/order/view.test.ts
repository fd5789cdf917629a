import { describe, expect, test } from 'vitest'
import type { OrderStatus } from './rules.ts'
import type { StoredEvent, StoredOrder } from './view/stored.ts'
import { EVENT_KINDS } from './view/shapes.ts'
import {
  deliverySeconds,
  EVENT_TONES,
  isPartlyRefunded,
  paymentState,
  historyOf,
} from './view/texts.ts'

const event = (
  reason: string,
  from: OrderStatus | null,
  to: OrderStatus,
  details = {},
): StoredEvent => ({ at: new Date(0), from, to, reason, details })
const kinds = (...events: StoredEvent[]) => historyOf(events).map(({ kind }) => kind)
const created = event('created', null, 'pending_payment')

describe('the history as its buyer reads it', () => {
  test('tells of payment and delivery, though they were one step', () => {
    expect(
      kinds(
        created,
        event('payment_started', 'pending_payment', 'waiting_for_payment'),
        event('paid', 'waiting_for_payment', 'completed'),
      ),
    ).toEqual(['placed', 'payment_started', 'paid', 'completed'])
  })

  test('tells of a delivery in parts', () => {
    expect(
      kinds(
        created,
        event('paid', 'pending_payment', 'shipping'),
        event('delivered', 'shipping', 'completed'),
      ),
    ).toEqual(['placed', 'paid', 'shipping', 'completed'])
  })

  test('tells of no delivery where one was only begun, and of the first part once', () => {
    const started = event('delivery_started', 'waiting_for_shipment', 'shipping')
    expect(kinds(started)).toEqual([])
    expect(
      kinds(
        started,
        event('delivered', 'shipping', 'shipping'),
        event('refund_asked', 'shipping', 'processing'),
        event('refunded', 'processing', 'shipping'),
        event('delivered', 'shipping', 'shipping'),
        event('delivered', 'shipping', 'completed'),
      ),
    ).toEqual(['shipping', 'refund_started', 'refunded', 'completed'])
  })

  test('does not tell again of a delivery when a hold or a refund is over', () => {
    expect(
      kinds(
        event('refund_requested', 'completed', 'processing'),
        event('request_withdrawn', 'processing', 'completed'),
      ),
    ).toEqual(['refund_requested', 'request_withdrawn'])
    expect(
      kinds(
        event('refund_asked', 'completed', 'processing'),
        event('refunded', 'processing', 'completed'),
      ),
    ).toEqual(['refund_started', 'refunded'])
    expect(kinds(event('case_decided', 'processing', 'completed', { decision: 'reject' }))).toEqual(
      ['request_declined'],
    )
    expect(kinds(event('reversal_undone', 'refunded', 'completed'))).toEqual(['dispute_over'])
  })

  test("says nothing twice in a row, and nothing of what is the shop's own business", () => {
    expect(
      kinds(
        event('payment_failed', 'waiting_for_payment', 'pending_payment'),
        event('payment_expired', 'waiting_for_payment', 'pending_payment'),
        event('case_decided', 'processing', 'processing', { decision: 'refund' }),
      ),
    ).toEqual(['payment_failed'])
  })
})

test.each([
  ['unpaid', {}],
  ['waiting', { attempt: 'requires_action' }],
  ['confirming', { attempt: 'seen' }],
  ['failed', { attempt: 'failed' }],
  ['unpaid', { attempt: 'failed', status: 'cancelled' }],
  ['received', { captured: 40n }],
  ['partly_paid', { captured: 40n, isShort: true }],
  ['received', { captured: 40n, isShort: true, askedBack: 40n }],
  ['paid', { captured: 100n, isSettled: true }],
  ['partly_refunded', { captured: 100n, refunded: 10n, isSettled: true }],
  ['refunded', { captured: 100n, refunded: 100n, isSettled: true }],
] as const)(
  'a payment is %s by what is known of it (%#)',
  (state, known: {
    attempt?: string
    status?: OrderStatus
    captured?: bigint
    refunded?: bigint
    isSettled?: boolean
    isShort?: boolean
    askedBack?: bigint
  }) => {
    expect(
      paymentState({
        status: known.status ?? 'pending_payment',
        capturedMinor: known.captured ?? 0n,
        refundedMinor: known.refunded ?? 0n,
        settledAt: known.isSettled ? new Date(0) : null,
        totalMinor: 100n,
        hold: known.isShort ? 'underpaid' : null,
        askedBackMinor: known.askedBack ?? 0n,
        attempt:
          known.attempt === undefined
            ? null
            : { method: 'card', provider: 'x', status: known.attempt },
      }),
    ).toBe(state)
  },
)

test('how long a delivery took counts from the money to the last piece', () => {
  const order = (status: OrderStatus, delivered: readonly (number | null)[]) =>
    ({
      status,
      settledAt: new Date(1_000),
      lines: [
        { units: delivered.map((at) => ({ deliveredAt: at === null ? null : new Date(at) })) },
      ],
    }) as unknown as StoredOrder
  expect(deliverySeconds(order('completed', [1_000, 13_000]))).toBe(12)
  expect(deliverySeconds(order('shipping', [1_000, null]))).toBeNull()
  expect(deliverySeconds(order('completed', [1_000, null]))).toBeNull()
})

test('a tick stands at what succeeded alone, and what failed is said to have', () => {
  const told = (tone: string | null) => EVENT_KINDS.filter((kind) => EVENT_TONES[kind] === tone)
  expect(told('ok')).toEqual(['placed', 'paid', 'shipping', 'completed'])
  expect(told('bad')).toEqual([
    'payment_failed',
    'not_delivered',
    'disputed',
    'request_declined',
    'refund_failed',
    'expired',
  ])
  // To be mended by the shopper, and no failure.
  expect(told('warn')).toEqual(['input_needed'])
})

test('money that goes back twice is told twice', () => {
  expect(
    kinds(
      event('refunded', 'processing', 'completed', { amount_minor: '100' }),
      event('refunded', 'completed', 'completed', { amount_minor: '200' }),
    ),
  ).toEqual(['refunded', 'refunded'])
})

test.each([
  ['a part', { capturedMinor: 100n, refundedMinor: 20n }, true],
  ['a surplus', { capturedMinor: 120n, refundedMinor: 20n }, false],
  ['nothing', { capturedMinor: 100n, refundedMinor: 0n }, false],
  ['everything', { capturedMinor: 100n, refundedMinor: 100n, status: 'refunded' }, false],
  ['a part of what is not settled yet', { refundedMinor: 20n, status: 'processing' }, false],
] as const)('whether an order is partly refunded: %s went back', (_, facts, isPart) => {
  expect(
    isPartlyRefunded({ status: 'completed', capturedMinor: 100n, totalMinor: 100n, ...facts }),
  ).toBe(isPart)
})
