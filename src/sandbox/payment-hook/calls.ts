import {
  amountOf,
  backOf,
  newId,
  take,
  unitsOf,
  type Payment,
  type Refund,
  type Sum,
} from './books.ts'

/** One service's payments and what it takes. */
export interface Desk {
  readonly payments: Map<string, Payment>
  readonly origin: () => string
  readonly now: () => number
  /** Tells the shop that something has changed. */
  readonly emit: (payment: Payment) => void
  /** The payer's yes is not yet money: the shop takes it by `capture`. */
  readonly isTwoStep: boolean
  account: { readonly id: string; readonly name: string }
  /** Pretends are allowed. */
  readonly isTest: boolean
}

export interface CallBody {
  readonly action?: unknown
  readonly reference?: unknown
  readonly id?: unknown
  readonly amount?: { readonly amount?: unknown; readonly currency?: unknown }
  readonly order?: unknown
  readonly return_url?: unknown
  readonly of?: unknown
  readonly from?: unknown
  readonly to?: unknown
  readonly cursor?: unknown
  readonly what?: unknown
}

export type Body = Readonly<Record<string, unknown>>

/** Decimals that each currency has. */
const TAKEN: Readonly<Record<string, 0 | 2 | 3>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3, THB: 2 }
const MOST = '5000000'
const STEPS = { 0: '1', 2: '0.01', 3: '0.001' } as const
const PAGE = 50

export const refused = (code: string): Body => ({ outcome: 'refused', code, text: code })
const NOT_FOUND: Body = { outcome: 'not_found' }

/** One call, its signature checked already. */
export function answerCall(desk: Desk, told: CallBody): Body {
  const payment = typeof told.id === 'string' ? desk.payments.get(told.id) : undefined
  switch (told.action) {
    case 'offer':
      return offer(desk)
    case 'begin':
      return begin(desk, told)
    case 'balances':
      return balances(desk)
    case 'list':
      return list(desk, told)
    default:
      return payment ? ofPayment(desk, payment, told) : NOT_FOUND
  }
}

function ofPayment(desk: Desk, payment: Payment, told: CallBody): Body {
  switch (told.action) {
    case 'state':
      return paymentBody(desk, payment)
    case 'capture':
      return capture(desk, payment, told)
    case 'cancel':
      if (payment.status === 'requires_action' || payment.status === 'approved')
        payment.status = 'cancelled'
      return paymentBody(desk, payment)
    case 'refund':
      return refund(desk, payment, told)
    case 'find_refund': {
      const known = payment.refunds.find(({ reference }) => reference === told.reference)
      return known ? refundBody(payment, known) : NOT_FOUND
    }
    case 'pretend':
      if (!desk.isTest || told.what !== 'pay') return refused('no_test')
      if (payment.status === 'requires_action') {
        if (desk.isTwoStep) payment.status = 'approved'
        else take(payment)
      }
      return paymentBody(desk, payment)
    default:
      return refused('unknown_action')
  }
}

const offer = ({ account, isTest }: Desk): Body => ({
  outcome: 'offer',
  account,
  mode: isTest ? 'test' : 'live',
  currencies: Object.entries(TAKEN).map(([currency, digits]) => ({
    currency,
    min: STEPS[digits],
    max: MOST,
    step: STEPS[digits],
  })),
})

function sumOf({ amount }: CallBody): Sum | null {
  const currency = amount?.currency
  const units = unitsOf(amount?.amount)
  if (typeof currency !== 'string' || TAKEN[currency] === undefined || !units) return null
  return { amount: amountOf(units), currency }
}

function begin(desk: Desk, told: CallBody): Body {
  const asked = sumOf(told)
  if (!asked || typeof told.reference !== 'string') return refused('amount')
  const known = [...desk.payments.values()].find(({ reference }) => reference === told.reference)
  if (known)
    return known.asked.amount === asked.amount && known.asked.currency === asked.currency
      ? paymentBody(desk, known)
      : refused('another_amount')
  const at = desk.now()
  const made: Payment = {
    id: newId('pay'),
    reference: told.reference,
    asked,
    order: String(told.order),
    returnUrl: String(told.return_url),
    createdAt: at,
    changedAt: at,
    status: 'requires_action',
    captured: 0n,
    reversed: 0n,
    dispute: 'none',
    failure: null,
    refunds: [],
  }
  desk.payments.set(made.id, made)
  return paymentBody(desk, made)
}

function capture(desk: Desk, payment: Payment, told: CallBody): Body {
  const asked = sumOf(told)
  if (asked?.amount !== payment.asked.amount || asked.currency !== payment.asked.currency)
    return refused('another_amount')
  if (payment.status === 'approved') {
    take(payment)
    desk.emit(payment)
  }
  return payment.status === 'captured' ? paymentBody(desk, payment) : refused('not_approved')
}

function refund(desk: Desk, payment: Payment, told: CallBody): Body {
  const known = payment.refunds.find(({ reference }) => reference === told.reference)
  const asked = sumOf(told)
  const units = unitsOf(asked?.amount)
  if (!asked || !units || typeof told.reference !== 'string') return refused('amount')
  if (known) return known.units === units ? refundBody(payment, known) : refused('another_amount')
  const left = payment.captured - payment.reversed - backOf(payment)
  if (asked.currency !== payment.asked.currency || units > left || payment.dispute === 'open')
    return refused('too_much')
  const made: Refund = { id: newId('ref'), reference: told.reference, units, status: 'succeeded' }
  payment.refunds.push(made)
  payment.changedAt = desk.now()
  desk.emit(payment)
  return refundBody(payment, made)
}

export function paymentBody({ origin }: Pick<Desk, 'origin'>, payment: Payment): Body {
  const { id, reference, status, asked, captured, reversed, failure, dispute } = payment
  const sum = (units: bigint) => ({ amount: amountOf(units), currency: asked.currency })
  const back = backOf(payment)
  return {
    outcome: 'payment',
    id,
    reference,
    status,
    amount: asked,
    ...(captured > 0n ? { captured: sum(captured) } : {}),
    ...(back > 0n ? { refunded: sum(back) } : {}),
    ...(reversed > 0n ? { reversed: sum(reversed) } : {}),
    ...(dispute === 'open' ? { disputed: true } : {}),
    ...(status === 'requires_action' ? { redirect: `${origin()}/pay/${id}` } : {}),
    ...(failure === null ? {} : { failure }),
  }
}

const refundBody = ({ id, asked }: Payment, made: Refund): Body => ({
  outcome: 'refund',
  id: made.id,
  reference: made.reference,
  payment: id,
  amount: { amount: amountOf(made.units), currency: asked.currency },
  status: made.status,
  ...(made.status === 'failed' ? { failure: 'the bank sent it back' } : {}),
})

function balances({ payments }: Desk): Body {
  const held = new Map<string, bigint>()
  for (const payment of payments.values()) {
    const { currency } = payment.asked
    const left = payment.captured - payment.reversed - backOf(payment)
    held.set(currency, (held.get(currency) ?? 0n) + left)
  }
  return {
    outcome: 'balances',
    balances: [...held].map(([currency, units]) => ({ amount: amountOf(units), currency })),
  }
}

function list(desk: Desk, { of, from, to, cursor }: CallBody): Body {
  const [begins, ends] = [Date.parse(String(from)), Date.parse(String(to))]
  const found = [...desk.payments.values()].filter(({ createdAt, changedAt }) => {
    const at = of === 'changed' ? changedAt : createdAt
    return at >= begins && at < ends && (of !== 'changed' || changedAt !== createdAt)
  })
  const start = Number(cursor ?? 0)
  return {
    outcome: 'payments',
    payments: found.slice(start, start + PAGE).map((payment) => paymentBody(desk, payment)),
    next: start + PAGE < found.length ? String(start + PAGE) : null,
  }
}
