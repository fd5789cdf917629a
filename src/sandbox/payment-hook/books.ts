import { randomUUID } from 'node:crypto'

export interface Sum {
  readonly amount: string
  readonly currency: string
}

export interface Refund {
  readonly id: string
  /** The shop's; null of one made by hand. */
  readonly reference: string | null
  /** In hundredths of the smallest unit that anybody counts: see `unitsOf`. */
  readonly units: bigint
  status: 'succeeded' | 'failed'
}

export interface Payment {
  readonly id: string
  readonly reference: string
  readonly asked: Sum
  readonly order: string
  readonly returnUrl: string
  readonly createdAt: number
  changedAt: number
  status: 'requires_action' | 'seen' | 'approved' | 'captured' | 'failed' | 'cancelled' | 'expired'
  captured: bigint
  reversed: bigint
  dispute: 'none' | 'open' | 'won' | 'lost'
  failure: string | null
  readonly refunds: Refund[]
}

/** What a payer, a bank, its owner or the passing of time does with a payment. */
export const ACTS = [
  'pay',
  'pay_later',
  'arrive',
  'decline',
  'expire',
  'dispute',
  'win_dispute',
  'lose_dispute',
  'give_back',
  'fail_refund',
  'refund_by_hand',
] as const
export type Act = (typeof ACTS)[number]

const SCALE = 1_000n

/** Thousandths of the currency, exactly: a service counts as it likes, this one without decimals. Null for what is no amount. */
export function unitsOf(amount: unknown): bigint | null {
  const parts = typeof amount === 'string' ? /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(amount) : null
  if (!parts) return null
  return BigInt(parts[1] ?? '0') * SCALE + BigInt((parts[2] ?? '').padEnd(3, '0'))
}

/** "19.99", "500", "1.25". */
export function amountOf(units: bigint): string {
  const rest = (units % SCALE).toString().padStart(3, '0').replace(/0+$/, '')
  return rest === '' ? String(units / SCALE) : `${units / SCALE}.${rest}`
}

export const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

export const backOf = ({ refunds }: Payment): bigint =>
  refunds.reduce((sum, { status, units }) => (status === 'failed' ? sum : sum + units), 0n)

/** Does what is named, where the payment's state allows it. @returns whether anything has changed */
export function perform(payment: Payment, act: Act, isTwoStep: boolean): boolean {
  const { status } = payment
  switch (act) {
    case 'pay':
      if (status !== 'requires_action') return false
      if (isTwoStep) payment.status = 'approved'
      else take(payment)
      return true
    case 'pay_later':
      return moved(payment, 'requires_action', 'seen')
    case 'arrive':
      if (status !== 'seen') return false
      take(payment)
      return true
    case 'decline':
      payment.failure = 'declined'
      return moved(payment, 'requires_action', 'failed')
    case 'expire':
      return moved(payment, 'requires_action', 'expired')
    default:
      return status === 'captured' && afterwards(payment, act)
  }
}

function moved(payment: Payment, from: Payment['status'], to: Payment['status']): boolean {
  if (payment.status !== from) return false
  payment.status = to
  return true
}

export function take(payment: Payment): void {
  payment.status = 'captured'
  payment.captured = unitsOf(payment.asked.amount) ?? 0n
}

function afterwards(payment: Payment, act: Act): boolean {
  const last = payment.refunds.findLast(({ status }) => status === 'succeeded')
  switch (act) {
    case 'dispute':
      payment.dispute = 'open'
      return true
    case 'win_dispute':
      payment.dispute = 'won'
      return true
    case 'lose_dispute':
      payment.dispute = 'lost'
      payment.reversed = payment.captured - backOf(payment)
      return true
    case 'give_back':
      payment.reversed = 0n
      return true
    case 'fail_refund':
      if (last) last.status = 'failed'
      return last !== undefined
    case 'refund_by_hand':
      payment.refunds.push({
        id: newId('ref'),
        reference: null,
        units: payment.captured - backOf(payment),
        status: 'succeeded',
      })
      return true
    default:
      return false
  }
}
