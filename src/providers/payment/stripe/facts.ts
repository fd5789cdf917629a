import type { Stripe } from 'stripe'
import type { Money } from '#kernel/money.ts'
import type { ProviderPayment, ProviderRefund, ProviderStatus } from '../provider.ts'
import { fromStripe } from './amounts.ts'

/** Disputes that are decided; the rest, the bank's early inquiries among them, are still open. */
const DECIDED = new Set(['lost', 'won', 'warning_closed', 'prevented'])

/** A session with `payment_intent.latest_charge` expanded, and the disputes of its charge, as one payment. */
export function paymentOf(
  session: Stripe.Checkout.Session,
  disputes: readonly Stripe.Dispute[],
): ProviderPayment {
  const intent = intentOf(session)
  const status = statusOf(session, intent)
  const error = intent?.last_payment_error
  const captured =
    intent && intent.amount_received > 0
      ? fromStripe(intent.amount_received, intent.currency)
      : null
  const charge = chargeOf(intent)
  return {
    reference: session.id,
    ourReference: session.client_reference_id ?? '',
    status,
    captured,
    isDisputed: disputes.some((dispute) => !DECIDED.has(dispute.status)),
    reversed: captured && reversedOf(captured, disputes.filter(isKept)),
    ...(captured && charge
      ? { refundedMinor: fromStripe(charge.amount_refunded, charge.currency).minor }
      : {}),
    redirectUrl: session.status === 'open' ? session.url : null,
    failure: status === 'captured' ? null : (error?.decline_code ?? error?.code ?? null),
  }
}

/** Money that was taken is told whatever the session says. */
function statusOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): ProviderStatus {
  if (intent && intent.amount_received > 0) return 'captured'
  if (intent?.status === 'processing') return 'seen'
  if (intent?.status === 'requires_capture') return 'authorised'
  if (session.status === 'expired') return 'expired'
  if (session.status !== 'complete') return 'requires_action'
  if (intent?.status === 'canceled') return 'voided'
  // Complete and unpaid: a way of paying that ends later has failed, unless the payer is still to act.
  return intent?.status === 'requires_payment_method' ? 'failed' : 'requires_action'
}

/** Null while nobody has tried to pay. Throws when it was not asked for whole. */
export function intentOf({
  payment_intent: intent,
}: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  if (typeof intent === 'string') throw new Error('a session without its payment intent')
  return intent
}

export function isChargeDisputed(session: Stripe.Checkout.Session): boolean {
  return chargeOf(intentOf(session))?.disputed === true
}

function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = intent?.latest_charge
  return typeof charge === 'object' ? charge : null
}

export function refundOf({ id, status, failure_reason: failure }: Stripe.Refund): ProviderRefund {
  if (status === 'succeeded') return { reference: id, status: 'succeeded', failure: null }
  if (status === 'failed' || status === 'canceled')
    return { reference: id, status: 'failed', failure: failure ?? status }
  return { reference: id, status: 'pending', failure: null }
}

/** Lost, and not given back since: what moved for it says so, whatever it is called. */
function isKept({ status, balance_transactions: told }: Stripe.Dispute): boolean {
  // A restricted key may not be shown them.
  const moved: readonly { readonly amount: number }[] | undefined = told
  if (moved === undefined) return status === 'lost'
  const given = moved.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
  const taken = moved.reduce((sum, { amount }) => sum + Math.max(0, -amount), 0)
  return status === 'lost' && (given === 0 || given < taken)
}

/** A bank may take a little more than was paid, or count in its own currency: out of what was captured, all of it is gone then. */
function reversedOf(captured: Money, lost: readonly Stripe.Dispute[]): Money | null {
  if (lost.length === 0) return null
  const amounts = lost.map((dispute) => fromStripe(dispute.amount, dispute.currency))
  const minor = amounts.reduce(
    (sum, amount) => sum + (amount.currency === captured.currency ? amount.minor : captured.minor),
    0n,
  )
  return { ...captured, minor: minor < captured.minor ? minor : captured.minor }
}
