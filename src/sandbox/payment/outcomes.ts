import { newCode, type No, type Session } from './book.ts'

/** What the payer, or the payer's bank, may decide. */
export const OUTCOMES = [
  'approve',
  'decline',
  'challenge',
  'pending',
  'underpay',
  'overpay',
  'wrong_currency',
  'abandon',
  'dispute',
  'dispute_won',
  'reverse',
  'give_back',
  'expire',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A pending payment goes through after this time by itself. */
const SETTLES_AFTER_MS = 60_000

export const isOutcome = (text: unknown): text is Outcome =>
  OUTCOMES.some((outcome) => outcome === text)

/** What a decision changes of a session. Money may come late, as it does in life: after a payment failed, was ended or expired. */
export function decide(session: Session, outcome: Outcome, now: number): Partial<Session> | No {
  const amount = BigInt(session.amount)
  const isOpen = session.status === 'requires_action' || session.status === 'seen'
  const tenth = amount / 10n > 0n ? amount / 10n : 1n
  switch (outcome) {
    case 'approve':
      return isPaidWhole(session) ? { no: 'paid_already' } : captured(amount, session.currency)
    case 'underpay':
      return session.captured || amount === 1n
        ? { no: 'not_possible' }
        : captured(amount - tenth, session.currency)
    case 'overpay':
      return isPaidWhole(session)
        ? { no: 'paid_already' }
        : captured(amount + tenth, session.currency)
    case 'wrong_currency':
      return session.captured
        ? { no: 'paid_already' }
        : captured(amount, session.currency === 'EUR' ? 'USD' : 'EUR')
    case 'decline':
      return isOpen ? { ...SETTLED, status: 'failed', failure: 'declined' } : { no: 'not_open' }
    case 'expire':
      return isOpen ? { ...SETTLED, status: 'expired' } : { no: 'not_open' }
    case 'challenge':
      return session.status === 'requires_action' ? { challenge: newCode() } : { no: 'not_open' }
    case 'pending':
      return session.status === 'requires_action'
        ? { challenge: null, status: 'seen', settles_at: now + SETTLES_AFTER_MS }
        : { no: 'not_open' }
    case 'abandon':
      return isOpen ? { challenge: null } : {}
    case 'dispute':
      return session.captured ? { disputed: true } : { no: 'not_paid' }
    case 'dispute_won':
      return session.disputed ? { disputed: false } : { no: 'not_disputed' }
    case 'reverse':
      return session.captured
        ? { disputed: false, reversed: session.captured.amount }
        : { no: 'not_paid' }
    case 'give_back':
      return session.reversed === '0' ? { no: 'not_reversed' } : { disputed: false, reversed: '0' }
    default:
      return outcome satisfies never
  }
}

const SETTLED = { challenge: null, settles_at: null } as const

const captured = (amount: bigint, currency: string): Partial<Session> => ({
  ...SETTLED,
  status: 'captured',
  failure: null,
  captured: { amount: amount.toString(), currency },
})

const isPaidWhole = ({ captured: taken, amount, currency }: Session) =>
  taken !== null && (taken.currency !== currency || BigInt(taken.amount) >= BigInt(amount))
