import { LATE_ACCEPTED_MINUTES, LIVES_MINUTES, type Hold } from '#features/buying/order/rules.ts'

export const PAYMENT_STATUSES = [
  'created',
  'requires_action',
  'seen',
  'authorised',
  'captured',
  'failed',
  'voided',
  'expired',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** A late capture is legal from anywhere; what is captured stays so. */
export const PAYMENT_TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  created: ['requires_action', 'seen', 'authorised', 'captured', 'failed', 'voided', 'expired'],
  requires_action: ['seen', 'authorised', 'captured', 'failed', 'voided', 'expired'],
  seen: ['requires_action', 'authorised', 'captured', 'failed', 'voided', 'expired'],
  authorised: ['captured', 'failed', 'voided', 'expired'],
  captured: [],
  failed: ['captured'],
  voided: ['captured'],
  expired: ['captured'],
}

const OPEN: ReadonlySet<PaymentStatus> = new Set([
  'created',
  'requires_action',
  'seen',
  'authorised',
])

/** Times that paying for an order may be begun; the function `start_plainly` knows it too. */
export const ATTEMPTS_MAX = 20

/** Whether an attempt may still bring money by itself. */
export const isOpen = (status: PaymentStatus) => OPEN.has(status)

/** What an attempt becomes by what its provider says now: a notice that comes late or twice takes nothing back. */
export function nextStatus(known: PaymentStatus, told: PaymentStatus): PaymentStatus {
  return PAYMENT_TRANSITIONS[known].includes(told) ? told : known
}

/** What decides about money that has just come. Amounts in minor units; `capturedMinor` is everything this attempt has brought and that is not on its way back. */
export interface ArrivedMoney {
  readonly capturedMinor: bigint
  readonly capturedCurrency: string
  readonly amountMinor: bigint
  readonly currency: string
  /** This attempt, or another one, has paid for the order. */
  readonly isSettled: boolean
  /** Everything the order ever held was given back. */
  readonly isRefunded: boolean
  readonly ended: 'cancelled' | 'expired' | null
  readonly expiresAt: Date
}

export type Disposition =
  /** The goods are paid for; what is too much goes back. */
  | { readonly kind: 'settle'; readonly surplusMinor: bigint }
  /** The order had expired: it is taken up again where the goods are still there. */
  | { readonly kind: 'settle_late'; readonly surplusMinor: bigint }
  | { readonly kind: 'hold'; readonly hold: Hold }
  /** It paid for nothing and goes back. */
  | {
      readonly kind: 'return'
      readonly reason:
        | 'paid_twice'
        | 'paid_after_cancelling'
        | 'paid_too_late'
        | 'paid_after_refund'
    }

/** The rule for each way in which money can come. */
export function dispose(money: ArrivedMoney, now: Date): Disposition {
  if (money.capturedCurrency !== money.currency) return { kind: 'hold', hold: 'wrong_currency' }
  if (money.isSettled) return { kind: 'return', reason: 'paid_twice' }
  if (money.isRefunded) return { kind: 'return', reason: 'paid_after_refund' }
  if (money.ended === 'cancelled') return { kind: 'return', reason: 'paid_after_cancelling' }
  const isTooLate =
    money.ended === 'expired' &&
    now.getTime() > money.expiresAt.getTime() + LATE_ACCEPTED_MINUTES * 60_000
  const surplusMinor = money.capturedMinor - money.amountMinor
  if (isTooLate || (money.ended === 'expired' && surplusMinor < 0n))
    return { kind: 'return', reason: 'paid_too_late' }
  if (surplusMinor < 0n) return { kind: 'hold', hold: 'underpaid' }
  return { kind: money.ended === 'expired' ? 'settle_late' : 'settle', surplusMinor }
}

/** What a payment gives towards the price of its order, of what it has brought. */
export interface Part<Payment> {
  readonly payment: Payment
  readonly takenMinor: bigint
}

/**
 * What several payments give towards a price, the first of them first: no more of them than it takes. One that is enough by itself is taken alone.
 * Amounts in minor units.
 */
export function partsOf<Payment extends { readonly amountMinor: bigint }>(
  payments: readonly Payment[],
  neededMinor: bigint,
): Part<Payment>[] {
  const parts: Part<Payment>[] = []
  let leftMinor = neededMinor
  for (const payment of payments) {
    if (leftMinor <= 0n) break
    const takenMinor = payment.amountMinor < leftMinor ? payment.amountMinor : leftMinor
    parts.push({ payment, takenMinor })
    leftMinor -= takenMinor
  }
  return parts
}

/** What is lacking, or too much, of money that a person accepts for an order. Amounts in minor units. */
export function acceptanceOf(
  keptMinor: bigint,
  neededMinor: bigint,
): { readonly shortfallMinor: bigint; readonly surplusMinor: bigint } {
  const overMinor = keptMinor - neededMinor
  return {
    shortfallMinor: overMinor < 0n ? -overMinor : 0n,
    surplusMinor: overMinor > 0n ? overMinor : 0n,
  }
}

const MINUTE_MS = 60_000
const FIRST_CHECK_MS = MINUTE_MS / 2
/** Minutes between one question to the provider and the next, while a payment is open; the last is repeated. */
const CHECK_MINUTES = [1, 2, 5, 10, 30, 60, 120, 240, 480, 1440] as const
const CHECKED_DAYS = 30
/** An attempt that came to nothing is asked about this often more: late money needs no notice to be found. */
const LATE_CHECKS = CHECK_MINUTES.length

export interface ExpiryLimits {
  readonly noSooner: Date | null
  readonly noLater: Date | null
}

/** Whether a method's payers may take longer than an order's own time: its goods are reserved when the money is there. */
export const isSlow = (livesMinutes: number | undefined) =>
  livesMinutes !== undefined && livesMinutes > LIVES_MINUTES

/** Between which moments an order expires once its payment has begun: a method whose payers may take longer gives it more time, any other takes that back. */
export function expiryLimits(livesMinutes: number | undefined, now: Date): ExpiryLimits {
  const until = new Date(now.getTime() + (livesMinutes ?? LIVES_MINUTES) * MINUTE_MS)
  return livesMinutes === undefined
    ? { noSooner: null, noLater: until }
    : { noSooner: until, noLater: null }
}

/** When an order's time is over once its payment has begun. */
export function expiryOnceStarted(
  expiresAt: Date,
  livesMinutes: number | undefined,
  now: Date,
): Date {
  const { noSooner, noLater } = expiryLimits(livesMinutes, now)
  return new Date(
    Math.max(
      Math.min(expiresAt.getTime(), noLater?.getTime() ?? Infinity),
      noSooner?.getTime() ?? -Infinity,
    ),
  )
}

export const firstCheck = (now: Date) => new Date(now.getTime() + FIRST_CHECK_MS)

/** When the provider is asked next about an attempt; null for never. One that may still bring money is asked about until it is over, once a day in the end. */
export function nextCheck(
  status: PaymentStatus,
  checks: number,
  createdAt: Date,
  now: Date,
): Date | null {
  const isLate = now.getTime() > createdAt.getTime() + CHECKED_DAYS * 86_400_000
  if (status === 'captured' || (!isOpen(status) && (isLate || checks >= LATE_CHECKS))) return null
  const minutes = CHECK_MINUTES[Math.min(checks, CHECK_MINUTES.length - 1)] ?? 1440
  return new Date(now.getTime() + minutes * MINUTE_MS)
}

/** Hours after which an order past its time keeps its goods no longer, though its provider does not say how its payment stands. */
const AWAY_HOURS = 24

/** Orders whose time was over by this moment end by themselves. */
export const endsByItself = (now: Date) => new Date(now.getTime() - AWAY_HOURS * 60 * MINUTE_MS)

const NOTICE_AGAIN_MS = 15_000
const NOTICE_AGAIN_MAX_MS = 240_000

/** When a notice is tried again that so many tries before could not work off. */
export const noticeDueAgain = (tries: number, now: Date) =>
  new Date(
    now.getTime() + Math.min(NOTICE_AGAIN_MS * 2 ** Math.min(tries, 10), NOTICE_AGAIN_MAX_MS),
  )
