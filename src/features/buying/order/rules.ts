import type { UnitTax } from '#features/goods/tax/rules.ts'
import type { StoredStep } from '#features/goods/price/rules.ts'
import type { Money } from '#kernel/money.ts'

/**
 * What an order may be and become. The label shoppers see is never set by hand: it follows from facts, so that a crash
 * between two steps leaves nothing to guess. The database keeps the same transitions and refuses all others.
 */

/**
 * - `pending_payment`: no payment is open, nothing is captured; it may be paid until it expires.
 * - `waiting_for_payment`: a payment is open at a provider. The stock is reserved.
 * - `waiting_for_shipment`: paid, nothing of it is under way.
 * - `shipping`: paid, some of it is under way or delivered.
 * - `processing`: a decision is open about money or goods.
 * - `completed`: everything is delivered, or delivered in part and refunded in part.
 * - `refunded`: everything captured was given back.
 * - `cancelled`, `expired`: ended by a person, or by the clock, while no money was there.
 */
export const ORDER_STATUSES = [
  'pending_payment',
  'waiting_for_payment',
  'waiting_for_shipment',
  'shipping',
  'processing',
  'cancelled',
  'refunded',
  'expired',
  'completed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const UNIT_STATUSES = [
  'queued',
  'delivering',
  'in_doubt',
  'needs_input',
  'delivered',
  'failed',
  'refund_due',
  'refunded',
  'released',
] as const
/** `needs_input`: what its buyer gave is wrong (a player's id, a number); it waits for them to correct it, and is refunded in the end. */
export type UnitStatus = (typeof UNIT_STATUSES)[number]

/** What the open decision of an order is about. */
export const HOLDS = [
  'late',
  'underpaid',
  'wrong_currency',
  'out_of_stock',
  'disputed',
  'risk',
  'refund_requested',
] as const
export type Hold = (typeof HOLDS)[number]

export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending_payment: [
    'waiting_for_payment',
    'waiting_for_shipment',
    'shipping',
    'processing',
    'completed',
    'cancelled',
    'expired',
  ],
  waiting_for_payment: [
    'pending_payment',
    'waiting_for_shipment',
    'shipping',
    'processing',
    'completed',
    'cancelled',
    'expired',
  ],
  waiting_for_shipment: ['shipping', 'processing', 'completed', 'refunded'],
  // Back, when whoever took goods up to deliver them by hand lets go of them.
  shipping: ['waiting_for_shipment', 'processing', 'completed', 'refunded'],
  processing: [
    'pending_payment',
    'waiting_for_payment',
    'waiting_for_shipment',
    'shipping',
    'completed',
    'refunded',
    'cancelled',
    'expired',
  ],
  completed: ['processing', 'refunded'],
  // Money can always arrive.
  cancelled: ['processing'],
  expired: ['processing'],
  // Where a bank took the money back after delivery, too.
  refunded: ['processing', 'waiting_for_shipment', 'shipping', 'completed'],
}

export const UNIT_TRANSITIONS: Readonly<Record<UnitStatus, readonly UnitStatus[]>> = {
  queued: ['delivering', 'delivered', 'refund_due', 'released'],
  delivering: ['delivered', 'in_doubt', 'needs_input', 'failed'],
  in_doubt: ['delivered', 'needs_input', 'failed'],
  needs_input: ['queued', 'refund_due'],
  failed: ['queued', 'needs_input', 'refund_due'],
  delivered: ['refund_due'],
  // The last two: a refund that waited has ended, as a bank took its money or another person refused it.
  refund_due: ['refunded', 'delivered', 'queued'],
  // A refund came back to its provider, or a bank gave back what it had taken.
  refunded: ['refund_due', 'queued'],
  released: ['queued'],
}

/**
 * The hold of an order by what is true of it: while a payment of it is disputed nothing goes on that went on by itself, and no hold says
 * so any longer than that.
 */
export function holdOf(
  hold: Hold | null,
  { isDisputed, isAsked }: { readonly isDisputed: boolean; readonly isAsked: boolean },
): Hold | null {
  if (isDisputed) return hold === null || hold === 'refund_requested' ? 'disputed' : hold
  if (hold !== 'disputed') return hold
  return isAsked ? 'refund_requested' : null
}

/** Whether a unit can still be given back. Store credit that was given may be spent by now. */
export function isRefundable({
  status,
  delivery,
}: {
  readonly status: string
  readonly delivery: string
}): boolean {
  return (
    status === 'queued' ||
    status === 'failed' ||
    status === 'needs_input' ||
    (status === 'delivered' && delivery !== 'store_credit')
  )
}

/** Everything the label depends on. Amounts in minor units of the order's currency. */
export interface OrderFacts {
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly hold: Hold | null
  readonly ended: 'cancelled' | 'expired' | null
  /** Money was taken for the goods: they are owed. */
  readonly isSettled: boolean
  /** An attempt may still bring money. */
  readonly isPaymentOpen: boolean
  /** A refund of goods is asked for and not yet answered. Returning a surplus is none. */
  readonly isRefundOpen: boolean
  readonly units: Readonly<Record<CountedStatus, number>>
}

/** Those that wait for their buyer's correction count among those in doubt, for releases that do not know them. */
export type CountedStatus = Exclude<UnitStatus, 'needs_input'>
export const COUNTED_STATUSES = UNIT_STATUSES.filter(
  (status): status is CountedStatus => status !== 'needs_input',
)

/** The label that the facts mean. Total: every combination has one. */
export function labelOf(facts: OrderFacts): OrderStatus {
  const { capturedMinor, refundedMinor, units } = facts
  if (capturedMinor > 0n && refundedMinor === capturedMinor) return 'refunded'
  if (
    facts.hold !== null ||
    facts.isRefundOpen ||
    units.in_doubt + units.failed + units.refund_due > 0
  )
    return 'processing'
  if (!facts.isSettled) {
    if (capturedMinor > 0n) return 'processing'
    if (facts.ended !== null) return facts.ended
    return facts.isPaymentOpen ? 'waiting_for_payment' : 'pending_payment'
  }
  if (units.queued + units.delivering === 0) return units.delivered > 0 ? 'completed' : 'processing'
  return units.delivering + units.delivered > 0 ? 'shipping' : 'waiting_for_shipment'
}

/** Whether a step is in the table; staying is none and always allowed. */
export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || ORDER_TRANSITIONS[from].includes(to)
}

/** The list's filters: the specification's, and what each of them means. */
export const ORDER_FILTERS = [
  'all',
  'pending_payment',
  'pending_shipment',
  'completed',
  'after_sales',
  'game_card',
  'direct_charging',
] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]

/** Minutes an order may be paid, from its creation; with a payment open it is asked for first. */
export const LIVES_MINUTES = 15
/** Unpaid orders an account may have at once. */
export const UNPAID_MAX = 5
/** Orders of an account that may come to nothing, cancelled or expired, within a day. */
export const UNPAID_A_DAY = 50
/** The same of whoever buys by a contract: no bound on what comes to nothing in a day, as it is paid for in advance. */
export interface UnpaidLimits {
  readonly atOnce: number
}
export const QUANTITY_MAX = 100
/** Different goods of one order. */
export const LINES_MAX = 50
/** Money that comes this long after an order expired still buys it, where the stock is there. */
export const LATE_ACCEPTED_MINUTES = 60

/** A line of an order about to be made, priced by the shop. */
export interface PricedLine {
  /** Null for store credit, and only there. */
  readonly item: string | null
  readonly itemCode: string
  readonly product: string
  /** 0 for store credit. */
  readonly goodsType: 0 | 1 | 2 | 3 | 4
  readonly delivery: 'card_key' | 'direct_charge' | 'store_credit'
  readonly productName: string
  readonly itemName: string
  readonly quantity: number
  /** Of one unit, in the order's currency. */
  readonly priceMinor: bigint
  readonly baseMinor: bigint
  readonly baseCurrency: string
  /** How the price came about; left out where it is an amount of store credit that the buyer chose. */
  readonly priceSteps?: readonly StoredStep[]
  readonly accountFields: Readonly<Record<string, string>>
  /** The amount asked for of goods that are sold at any, in their face currency. */
  readonly amount: Money | null
  /** Of one unit; left out or null where nothing was said of how it is taxed. */
  readonly tax?: UnitTax | null
}

/** What is kept of where an order was made from. */
export const EVIDENCE_PARTS = [
  'billing_country',
  'chosen_country',
  'address',
  'network',
  'user_agent',
  'accept_language',
] as const
export type EvidencePart = (typeof EVIDENCE_PARTS)[number]

/** What was bought from which place, as the law of the buyer's country asks to be kept. */
export interface Purchase {
  readonly accountId: string
  readonly lines: readonly PricedLine[]
  readonly currency: string
  /** Rates, margin and rounding the prices were made with. */
  readonly pricing: Readonly<Record<string, unknown>>
  readonly language: string
  readonly country: string | null
  readonly evidence: Readonly<Partial<Record<EvidencePart, string | null>>>
  readonly termsVersion: string
  readonly tax: { readonly minor: bigint; readonly basisPoints: number }
}

export function goodsTotal(lines: readonly Pick<PricedLine, 'priceMinor' | 'quantity'>[]): bigint {
  return lines.reduce((sum, line) => sum + line.priceMinor * BigInt(line.quantity), 0n)
}

/**
 * The same request in the same words, whatever the order of its parts: what an idempotency key stands for. Prices are no part
 * of it, as a request that is sent again after prices moved means the order that was made; of store credit the price is the goods.
 */
export function requestText({ lines, currency }: Pick<Purchase, 'lines' | 'currency'>): string {
  const parts = lines.map(({ item, priceMinor, quantity, accountFields, amount }) => [
    item ?? priceMinor.toString(),
    quantity,
    Object.entries(accountFields).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...(amount ? [`${amount.minor} ${amount.currency}`] : []),
  ])
  return JSON.stringify([currency, parts])
}
