import { createHmac } from 'node:crypto'
import type { Intent, Refund, Session } from './books.ts'

type Json = Readonly<Record<string, unknown>>

/** Objects in the form of the API version below, as far as a shop reads them. */
export const API_VERSION = '2026-10-28.endive'

export function sessionObject(session: Session, origin: string, isExpanded: boolean): Json {
  const { intent } = session
  return {
    id: session.id,
    object: 'checkout.session',
    mode: 'payment',
    livemode: false,
    created: session.created,
    expires_at: session.expiresAt,
    status: session.status,
    payment_status: intent && intent.received > 0 ? 'paid' : 'unpaid',
    amount_subtotal: session.amount,
    amount_total: session.amount,
    currency: session.currency,
    client_reference_id: session.clientReference,
    metadata: session.metadata,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: session.status === 'open' ? `${origin}/c/pay/${session.id}` : null,
    payment_intent: intent === null ? null : isExpanded ? intentObject(session, intent) : intent.id,
  }
}

function intentObject(session: Session, intent: Intent): Json {
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: session.amount,
    amount_received: intent.received,
    amount_capturable: 0,
    currency: session.currency,
    status: intent.status,
    metadata: session.intentMetadata,
    latest_charge:
      intent.received > 0 || intent.decline !== null ? chargeObject(session, intent) : null,
    last_payment_error:
      intent.decline === null
        ? null
        : {
            type: 'card_error',
            code: 'card_declined',
            decline_code: intent.decline,
            message: 'Your card was declined.',
          },
  }
}

export function chargeObject(session: Session, intent: Intent): Json {
  return {
    id: intent.charge,
    object: 'charge',
    amount: session.amount,
    amount_captured: intent.received,
    amount_refunded: refunded(intent),
    currency: session.currency,
    captured: intent.received > 0,
    disputed: intent.disputes.length > 0,
    refunded: intent.received > 0 && refunded(intent) === intent.received,
    metadata: session.intentMetadata,
    payment_intent: intent.id,
    status:
      intent.received > 0 ? 'succeeded' : intent.status === 'processing' ? 'pending' : 'failed',
  }
}

export function disputeObjects(session: Session, intent: Intent): Json[] {
  return intent.disputes.map(
    ({ id, amount, created, status, isGivenBack, metadata, evidence }) => ({
      id,
      object: 'dispute',
      amount,
      created,
      balance_transactions: [
        movedFor(id, -amount, session.currency),
        ...(isGivenBack ? [movedFor(id, amount, session.currency)] : []),
      ],
      currency: session.currency,
      charge: intent.charge,
      payment_intent: intent.id,
      status,
      reason: 'fraudulent',
      evidence: { uncategorized_text: evidence },
      evidence_details: {
        has_evidence: evidence !== null,
        submission_count: evidence === null ? 0 : 1,
      },
      metadata,
      livemode: false,
    }),
  )
}

const movedFor = (dispute: string, amount: number, currency: string): Json => ({
  object: 'balance_transaction',
  source: dispute,
  amount,
  currency,
  type: 'adjustment',
  reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
})

export function refundObject(
  session: Session,
  intent: Intent,
  { id, amount, created, metadata, status }: Refund,
): Json {
  return {
    id,
    object: 'refund',
    amount,
    created,
    currency: session.currency,
    charge: intent.charge,
    payment_intent: intent.id,
    metadata,
    status,
    reason: null,
    ...(status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}),
  }
}

/** Everything given back but what failed. */
export function refunded({ refunds }: Intent): number {
  return refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** What an event is about, in the form that it had when it happened. */
export function eventObject(type: string, session: Session, origin: string): Json {
  const { intent } = session
  if (!intent || type.startsWith('checkout.')) return sessionObject(session, origin, false)
  if (type.startsWith('payment_intent.')) return intentObject(session, intent)
  if (type.startsWith('charge.dispute.')) return disputeObjects(session, intent).at(-1) ?? {}
  if (type.startsWith('refund.') || type === 'charge.refund.updated') {
    const about =
      (type === 'refund.created'
        ? undefined
        : intent.refunds.findLast(({ status }) => status === 'failed')) ?? intent.refunds.at(-1)
    return about ? refundObject(session, intent, about) : {}
  }
  return chargeObject(session, intent)
}

/** The Stripe-Signature header of a body sent at a time (seconds since 1970). */
export function signatureOf(body: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')},v0=${'0'.repeat(64)}`
}
