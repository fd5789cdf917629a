import {
  atProvider,
  FEES,
  HELD,
  LOSSES,
  movement,
  ORDERS,
  RETURNS,
  storeCreditOf,
  type Posting,
} from '#features/base/ledger/rules.ts'

export const REFUND_STATUSES = [
  'requested',
  'approved',
  'submitted',
  'unknown',
  'succeeded',
  'failed',
  'rejected',
] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/**
 * A refund in doubt leaves it only by the provider's answer; one that failed is asked for anew, as another row. One that was sent out
 * may come back later; so may what a bank had taken.
 */
export const REFUND_TRANSITIONS: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  requested: ['approved', 'rejected'],
  approved: ['submitted', 'rejected'],
  submitted: ['succeeded', 'failed', 'unknown'],
  unknown: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
  rejected: [],
}

/** 'goods': units, with the fee where nothing remains of the order. 'surplus': money that paid for nothing. 'reversal': taken by the payer's bank. */
export type RefundPurpose = 'goods' | 'surplus' | 'reversal'
export type RefundDestination = 'original' | 'store_credit'
/** Whom refunds wait for that go into store credit, whoever took the money. */
export const TO_STORE_CREDIT = 'store_credit'

export interface Refund {
  readonly id: string
  readonly orderId: string
  readonly attemptId: string
  readonly purpose: RefundPurpose
  readonly destination: RefundDestination
  readonly status: RefundStatus
  readonly isApproved: boolean
  readonly currency: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  /** What of its units' price went back with an earlier refund, which was rounded up. */
  readonly restMinor: bigint
  readonly provider: string
  readonly checks: number
  readonly updatedAt: Date
  /** Id of the request that asked for it. */
  readonly request: string | null
}

export interface RefundedUnit {
  readonly id: string
  readonly priceMinor: bigint
  readonly wasDelivered: boolean
}

/** The movements of a refund that succeeded: from where its money stood, to the payer. */
export function refundPostings(
  refund: Refund,
  units: readonly RefundedUnit[],
  accountId: string,
): Posting[] {
  const credit =
    refund.destination === 'original' ? atProvider(refund.provider) : storeCreditOf(accountId)
  const common = {
    source: 'refund',
    sourceId: refund.id,
    credit,
    currency: refund.currency,
  } as const
  if (refund.purpose === 'surplus')
    return shownOnce([{ ...common, debit: HELD, amountMinor: refund.amountMinor }], accountId)
  const sum = (wasDelivered: boolean) =>
    units
      .filter((unit) => unit.wasDelivered === wasDelivered)
      .reduce((total, { priceMinor }) => total + priceMinor, 0n)
  return shownOnce(
    [
      ...movement({ ...common, leg: 0, debit: RETURNS, amountMinor: sum(true) }),
      ...movement({ ...common, leg: 1, debit: ORDERS, amountMinor: sum(false) }),
      ...movement({ ...common, leg: 2, debit: FEES, amountMinor: refund.feeMinor }),
    ],
    accountId,
  ).concat(
    movement({
      ...common,
      source: 'refund_rest',
      debit: credit,
      credit: FEES,
      amountMinor: refund.restMinor,
    }),
  )
}

/** What a refund of units is to give back. Amounts in minor units. */
export interface RefundWish {
  /** The price of its units. */
  readonly priceMinor: bigint
  /** What of the fee is not given back yet: below zero where less was taken for the whole, or refunds that were rounded up have given back more than there was. */
  readonly feeLeftMinor: bigint
  /** The price of all units whose refund is neither done nor on its way, these included. */
  readonly priceLeftMinor: bigint
  /** Nothing of the order remains. */
  readonly isLast: boolean
  /** What is left of the payment. */
  readonly leftMinor: bigint
  /** All amounts are multiples of it. */
  readonly step: bigint
}

/**
 * What goes back for units, of which some services move round amounts alone. A part is rounded up, in the buyer's favour, and the last one
 * gives back all that is left: together they are what was paid, to the last unit. Of what was not paid each part bears its share. Null
 * where less than that is left of the payment.
 */
export function refundAmount({
  priceMinor,
  feeLeftMinor,
  priceLeftMinor,
  isLast,
  leftMinor,
  step,
}: RefundWish): Pick<Refund, 'amountMinor' | 'feeMinor' | 'restMinor'> | null {
  const isShort = feeLeftMinor < 0n
  const isAllThatIsLeft = isLast && (!isShort || priceMinor === priceLeftMinor)
  const lackingMinor =
    isShort && priceLeftMinor > 0n ? (-feeLeftMinor * priceMinor) / priceLeftMinor : 0n
  const dueMinor = isAllThatIsLeft ? priceMinor + feeLeftMinor : priceMinor - lackingMinor
  const roundedMinor = ((dueMinor + step - 1n) / step) * step
  const mostMinor = leftMinor - (leftMinor % step)
  const partMinor = roundedMinor <= mostMinor ? roundedMinor : mostMinor
  const amountMinor = isAllThatIsLeft ? dueMinor : partMinor
  if (amountMinor > leftMinor || amountMinor < dueMinor || amountMinor <= 0n) return null
  const differenceMinor = amountMinor - priceMinor
  return {
    amountMinor,
    feeMinor: differenceMinor > 0n ? differenceMinor : 0n,
    restMinor: differenceMinor < 0n ? -differenceMinor : 0n,
  }
}

/** Money of one payment of an order that goods may be given back of. */
interface Source {
  readonly amountMinor: bigint
  /** All that its service moves are multiples of it. */
  readonly step: bigint
}

/**
 * What each payment gives back of an amount: those first whose services move the roundest amounts, each until nothing is left of it, so that
 * all of it together goes back to where it came from. Null where that cannot be.
 */
export function sharesOf<Payment extends Source>(
  payments: readonly Payment[],
  amountMinor: bigint,
): Payment[] | null {
  const [only, ...more] = payments
  if (only && more.length === 0)
    return amountMinor <= only.amountMinor ? [{ ...only, amountMinor }] : null
  let dueMinor = amountMinor
  const shares: Payment[] = []
  for (const payment of payments.toSorted((one, other) => Number(other.step - one.step))) {
    const wanted = payment.amountMinor < dueMinor ? payment.amountMinor : dueMinor
    const given = wanted === payment.amountMinor ? wanted : wanted - (wanted % payment.step)
    if (given > 0n) shares.push({ ...payment, amountMinor: given })
    dueMinor -= given
  }
  return dueMinor === 0n ? shares : null
}

/** Whether less than the price, taken for the whole, is enough that each unit can be given back by itself, in whatever order. */
export function canBeShared(paidMinor: bigint, prices: readonly bigint[], step: bigint): boolean {
  const priced = prices.filter((price) => price > 0n)
  const [least = 0n] = priced.toSorted((one, other) => (one < other ? -1 : 1))
  const priceMinor = priced.reduce((sum, price) => sum + price, 0n)
  // Each part is rounded up by less than a step, which is then lacking of the others.
  return paidMinor * least >= BigInt(priced.length) * priceMinor * step
}

/** The shopper sees one refund, whatever its money is taken from. */
function shownOnce([first, ...others]: readonly Posting[], accountId: string): Posting[] {
  return first ? [{ ...first, shownTo: accountId }, ...others] : []
}

/** What a payer's bank has taken back of a payment, and what the payment still stood for. Amounts in minor units. */
export interface Reversal {
  readonly minor: bigint
  /** What the payment has brought and is neither given back nor promised to be. */
  readonly restMinor: bigint
  /** What of that paid for goods and fee. */
  readonly goodsMinor: bigint
  /** The price of units that can still be kept back. */
  readonly undeliveredMinor: bigint
}

export interface ReversalParts {
  /** Money that had paid for nothing. */
  readonly heldMinor: bigint
  /** For units that are not delivered any more. */
  readonly ordersMinor: bigint
  /** For what is gone with the money. */
  readonly lossMinor: bigint
  /** Taken though it had been given back already. */
  readonly beyondMinor: bigint
  /** What of those units' price was lost or borne by the shop before, and is not any more. */
  readonly sparedMinor: bigint
}

/**
 * Where the money of a reversal comes from. Only one that takes everything that was paid for the goods keeps units back: what was
 * taken in part, or after all of it went back otherwise, is somebody's to decide.
 */
export function reversalParts({
  minor,
  restMinor,
  goodsMinor,
  undeliveredMinor,
}: Reversal): ReversalParts {
  const fitting = minor < restMinor ? minor : restMinor
  const fromGoods = fitting < goodsMinor ? fitting : goodsMinor
  const ordersMinor = fromGoods > 0n && fromGoods === goodsMinor ? undeliveredMinor : 0n
  const goneMinor = fromGoods - ordersMinor
  return {
    heldMinor: fitting - fromGoods,
    ordersMinor,
    lossMinor: goneMinor > 0n ? goneMinor : 0n,
    beyondMinor: minor - fitting,
    sparedMinor: goneMinor < 0n ? -goneMinor : 0n,
  }
}

/** The movements of a reversal; `number` counts those of the payment. */
export function reversalPostings(
  reversal: Pick<Refund, 'id' | 'attemptId' | 'provider' | 'currency'> & {
    readonly accountId: string
  },
  parts: ReversalParts,
  number: number,
): Posting[] {
  const common = {
    source: 'refund',
    sourceId: reversal.id,
    credit: atProvider(reversal.provider),
    currency: reversal.currency,
  } as const
  return [
    ...shownOnce(
      [
        ...movement({ ...common, leg: 0, debit: HELD, amountMinor: parts.heldMinor }),
        ...movement({ ...common, leg: 1, debit: ORDERS, amountMinor: parts.ordersMinor }),
        ...movement({ ...common, leg: 2, debit: LOSSES, amountMinor: parts.lossMinor }),
      ],
      reversal.accountId,
    ),
    ...movement({
      ...common,
      source: 'refund_rest',
      debit: common.credit,
      // It was lost before, by an earlier reversal, or borne when less was taken for the whole.
      credit: LOSSES,
      amountMinor: parts.sparedMinor,
    }),
    ...movement({
      ...common,
      source: 'write_off',
      sourceId: reversal.attemptId,
      leg: number,
      debit: LOSSES,
      amountMinor: parts.beyondMinor,
    }),
  ]
}

/** Seconds between one question about a refund in doubt and the next; the last is repeated, and an operator sees it meanwhile. */
const CHECK_SECONDS = [10, 30, 120, 600, 3_600, 21_600, 86_400] as const

export function nextRefundCheck(checks: number, now: Date): Date {
  return new Date(
    now.getTime() + (CHECK_SECONDS[Math.min(checks, CHECK_SECONDS.length - 1)] ?? 86_400) * 1_000,
  )
}

/** Why a refund ends that was not sent out. */
export const TAKEN_BACK = 'its money was taken back by the bank'
export const ACCEPTED = 'its money was accepted for the order'

const DISPUTED_MS = 3_600_000

/** When a refund of a disputed payment is looked at again, where nobody has told before that the dispute is over. */
export const whileDisputed = (now: Date) => new Date(now.getTime() + DISPUTED_MS)

const DAY_MS = 86_400_000
/** Days after which a refund that was sent out is asked about: banks send one back for up to a month. */
const LOOKED_AFTER_DAYS = [1, 3, 7, 14, 35] as const

/** Whether a refund went to a bank, which may send it back. */
export const mayComeBack = ({ destination, purpose }: Pick<Refund, 'destination' | 'purpose'>) =>
  destination === 'original' && purpose !== 'reversal'

/** When the provider is asked next about a refund that was sent out; null for never. */
export function nextLook(
  refund: Pick<Refund, 'destination' | 'purpose'>,
  sentAt: Date,
  now: Date,
): Date | null {
  if (!mayComeBack(refund)) return null
  const days = LOOKED_AFTER_DAYS.find((after) => sentAt.getTime() + after * DAY_MS > now.getTime())
  return days === undefined ? null : new Date(sentAt.getTime() + days * DAY_MS)
}

/** Hours after the last money of an order that was not paid by it, in which its keys are kept for the rest. */
export const KEYS_KEPT_HOURS = 24
/** Hours until money in another currency goes back by itself. */
export const WRONG_CURRENCY_HOURS = 24
/** Days until a part of the price goes back by itself: a bank transfer of the rest takes some. */
export const UNDERPAID_DAYS = 7
