import { randomUUID } from 'node:crypto'
import { toMajor } from '#kernel/money.ts'

/** Amounts are in Stripe's units throughout. */
export interface Session {
  readonly id: string
  readonly created: number
  readonly expiresAt: number
  readonly amount: number
  /** In lower case. */
  readonly currency: string
  readonly clientReference: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly intentMetadata: Readonly<Record<string, string>>
  readonly name: string
  readonly successUrl: string
  readonly cancelUrl: string
  status: 'open' | 'complete' | 'expired'
  intent: Intent | null
}

export interface Intent {
  readonly id: string
  readonly charge: string
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled'
  received: number
  decline: string | null
  readonly disputes: {
    readonly id: string
    readonly amount: number
    readonly created: number
    status: string
    isGivenBack: boolean
    metadata: Readonly<Record<string, string>>
    /** What the shop has said to it. */
    evidence: string | null
  }[]
  readonly refunds: Refund[]
}

export interface Refund {
  readonly id: string
  readonly amount: number
  readonly created: number
  readonly metadata: Readonly<Record<string, string>>
  status: string
}

/** What a payer, a bank or the passing of time does with a session. Amounts may be wrong on purpose. */
export const ACTS = [
  'pay',
  'pay_less',
  'pay_more',
  'decline',
  'pay_later',
  'arrive',
  'fail_later',
  'dispute',
  'win_dispute',
  'lose_dispute',
  'reinstate',
  'fail_refund',
  'refund_by_hand',
  'expire',
] as const
export type Act = (typeof ACTS)[number]

const ZERO = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THREE = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
const NO_FRACTIONS = new Set(['isk', 'ugx'])
const LEAST: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  jpy: 50,
  krw: 50,
  hkd: 400,
  huf: 17_500,
  thb: 1_000,
}

export const newId = (prefix: string) => `${prefix}_test_${randomUUID().replaceAll('-', '')}`

/** The amount as it stands on the payer's statement: "5.00", "500", "1.250". */
export function shownAmount({ amount, currency }: Pick<Session, 'amount' | 'currency'>): string {
  const decimals =
    ZERO.has(currency) || NO_FRACTIONS.has(currency) ? 0 : THREE.has(currency) ? 3 : 2
  return toMajor(NO_FRACTIONS.has(currency) ? BigInt(amount) / 100n : BigInt(amount), decimals)
}

/** The code of Stripe's error for an amount that it would not charge; null for a good one. */
export function faultOfAmount(amount: number, currency: string, isPart: boolean): string | null {
  if (!/^[a-z]{3}$/.test(currency) || currency === 'ghs') return 'invalid_currency'
  if (!Number.isSafeInteger(amount) || amount < 1) return 'parameter_invalid_integer'
  if (amount > 999_999_999_999) return 'amount_too_large'
  if (!isPart && amount < (LEAST[currency] ?? 1)) return 'amount_too_small'
  if (
    (THREE.has(currency) && amount % 10 !== 0) ||
    (NO_FRACTIONS.has(currency) && amount % 100 !== 0)
  )
    return 'invalid_amount'
  return null
}

/** Does what is named, where the session's state allows it. @returns the events that Stripe sends of it */
export function perform(session: Session, act: Act, now: number): string[] {
  const { intent } = session
  if (act === 'expire') return session.status === 'open' ? end(session) : []
  if (act === 'dispute') return intent && intent.received > 0 ? dispute(intent, now) : []
  if (act === 'refund_by_hand')
    return intent && intent.received > 0 ? refundByHand(intent, now) : []
  if (act === 'reinstate') return intent ? giveBack(intent) : []
  if (act === 'fail_refund') return intent ? failRefund(intent) : []
  if (act === 'win_dispute' || act === 'lose_dispute')
    return intent ? decide(intent, act === 'lose_dispute' ? 'lost' : 'won') : []
  if (act === 'arrive' || act === 'fail_later')
    return intent?.status === 'processing' ? settle(session, intent, act === 'arrive') : []
  return session.status === 'open' ? attempt(session, act) : []
}

function attempt(
  session: Session,
  act: 'pay' | 'pay_less' | 'pay_more' | 'decline' | 'pay_later',
): string[] {
  const intent = (session.intent ??= {
    id: newId('pi'),
    charge: newId('ch'),
    status: 'requires_payment_method',
    received: 0,
    decline: null,
    disputes: [],
    refunds: [],
  })
  if (act === 'decline') {
    intent.decline = 'generic_decline'
    return ['payment_intent.payment_failed', 'charge.failed']
  }
  session.status = 'complete'
  intent.decline = null
  if (act === 'pay_later') {
    intent.status = 'processing'
    return ['checkout.session.completed', 'payment_intent.processing']
  }
  intent.status = 'succeeded'
  intent.received = session.amount + (act === 'pay_less' ? -1 : act === 'pay_more' ? 1 : 0)
  return ['payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed']
}

function settle(session: Session, intent: Intent, isGood: boolean): string[] {
  intent.status = isGood ? 'succeeded' : 'requires_payment_method'
  intent.received = isGood ? session.amount : 0
  if (!isGood) intent.decline = 'generic_decline'
  return isGood
    ? ['checkout.session.async_payment_succeeded', 'payment_intent.succeeded']
    : ['checkout.session.async_payment_failed', 'payment_intent.payment_failed']
}

export function end(session: Session): string[] {
  session.status = 'expired'
  if (session.intent) session.intent.status = 'canceled'
  return ['checkout.session.expired']
}

/** As somebody does who clicks in the dashboard: all that is left, under no name of the shop's. */
function refundByHand(intent: Intent, now: number): string[] {
  const back = intent.refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0)
  if (back === intent.received) return []
  intent.refunds.push({
    id: newId('re'),
    amount: intent.received - back,
    created: now,
    metadata: {},
    status: 'succeeded',
  })
  return ['charge.refunded', 'refund.created']
}

function dispute(intent: Intent, now: number): string[] {
  intent.disputes.push({
    id: newId('du'),
    amount: intent.received,
    created: now,
    status: 'needs_response',
    isGivenBack: false,
    metadata: {},
    evidence: null,
  })
  return ['charge.dispute.created', 'charge.dispute.funds_withdrawn']
}

function decide(intent: Intent, status: string): string[] {
  for (const open of intent.disputes.filter(
    ({ status: of }) => of.endsWith('_response') || of === 'under_review',
  ))
    Object.assign(open, { status, isGivenBack: status === 'won' })
  return ['charge.dispute.closed', ...(status === 'won' ? ['charge.dispute.funds_reinstated'] : [])]
}

/** The bank gives back what it had taken, though the dispute was lost. */
function giveBack(intent: Intent): string[] {
  for (const lost of intent.disputes.filter(({ status }) => status === 'lost'))
    lost.isGivenBack = true
  return ['charge.dispute.funds_reinstated']
}

/** The payer's bank sends the last refund back: it had succeeded before. */
function failRefund({ refunds }: Intent): string[] {
  const last = refunds.findLast(({ status }) => status === 'succeeded')
  if (!last) return []
  last.status = 'failed'
  return ['refund.updated', 'refund.failed', 'charge.refund.updated']
}
