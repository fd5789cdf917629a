import type { Money } from '#kernel/money.ts'

/**
 * - `requires_action`: the payer has yet to act; nothing is under way.
 * - `seen`: money is on its way, not certain yet. `authorised`: set aside for us.
 * - `captured`: money was taken, whole or in part. The rest: nothing was, and no more is expected.
 */
export type ProviderStatus =
  | 'requires_action'
  | 'seen'
  | 'authorised'
  | 'captured'
  | 'failed'
  | 'voided'
  | 'expired'

/** A payment as its provider knows it: the truth about money. */
export interface ProviderPayment {
  /** The provider's name for it. */
  readonly reference: string
  /** What we called it when it was made: the attempt's id. */
  readonly ourReference: string
  readonly status: ProviderStatus
  /** Everything taken so far; null while nothing was. */
  readonly captured: Money | null
  /** The payer's bank asks for it back, and that is not decided yet. */
  readonly isDisputed: boolean
  /** Everything the payer's bank has taken back and keeps, out of `captured` and in its currency; null while it keeps nothing. A bank may give back what it took. */
  readonly reversed: Money | null
  /** What went back to the payer by refunds, ours and those made by hand in the provider's dashboard, in the currency of `captured`. Left out where that is not told. */
  readonly refundedMinor?: bigint
  /** The provider does not tell of disputes: `isDisputed` and `reversed` say nothing. */
  readonly isDisputeUnknown?: boolean
  /** Where the payer goes on, while they can. */
  readonly redirectUrl: string | null
  /** The provider's word for why it failed. */
  readonly failure: string | null
}

export interface PaymentRequest {
  /** The attempt's id, also the idempotency key: sent again, it gives the same payment. */
  readonly ourReference: string
  readonly amount: Money
  readonly orderNumber: string
  /** When the attempt was begun: the same each time it is sent. */
  readonly startedAt: Date
  /** Where the payer comes back to. It proves nothing. */
  readonly returnUrl: string
  readonly language: string
}

/** A refund that was sent out ('succeeded') may come back to the provider weeks later: then it has 'failed'. */
export interface ProviderRefund {
  readonly reference: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failure: string | null
}

export interface RefundRequest {
  /** The refund's id, also the idempotency key. */
  readonly ourReference: string
  readonly paymentReference: string
  readonly amount: Money
}

/** What a notice says happened, once its signature holds. It is a hint: the provider is asked before anything is done. */
export interface Notice {
  readonly eventId: string
  readonly kind: string
  readonly paymentReference: string | null
}

/** What the shop says to a disputed payment. */
export interface DisputeEvidence {
  /** Ours: sent again under it, it arrives once. */
  readonly ourReference: string
  readonly paymentReference: string
  /** In English, of no more characters than the provider takes. */
  readonly text: string
  readonly email: string | null
}

/** How disputes are answered at a provider. */
export interface DisputeDesk {
  readonly textMost: number
  /** Hands evidence over, for good. @returns the provider's name for the dispute. Throws ProviderRefusal where none of the payment takes evidence. */
  readonly answer: (evidence: DisputeEvidence) => Promise<string>
}

/** The provider says no, for good. Anything else thrown leaves it open whether it did what was asked. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

/** The amounts that a provider takes, in our minor units. */
export interface AmountLimits {
  readonly min: bigint
  readonly max: bigint
  /** Every amount is a multiple of it. */
  readonly step: bigint
}

/** Of what the shop itself takes: there is no amount it could not. */
export const ANY_AMOUNT: AmountLimits = { min: 1n, max: 10n ** 30n, step: 1n }

/** A payment in a list that could not be read: its provider's name for it, and ours where that is known. */
export interface UnreadPayment {
  readonly reference: string
  readonly ourReference: string | null
}

export interface ListSpan {
  readonly since: Date
  readonly until: Date
  /** Reply of each payment that could not be read, so that the others are listed all the same; without it the first ends the list. */
  readonly unread?: (payment: UnreadPayment, error: unknown) => void
}

/** What reading one payment of a list gives; null for one that could not be read, where somebody is told of it. */
export async function readListed(
  { unread }: Pick<ListSpan, 'unread'>,
  payment: UnreadPayment,
  read: () => Promise<ProviderPayment | null>,
): Promise<ProviderPayment | null> {
  try {
    return await read()
  } catch (error) {
    if (!unread) throw error
    unread(payment, error)
    return null
  }
}

export interface PaymentProvider {
  readonly code: string
  /** Minutes its payers may take, where that is more than an order's own. */
  readonly livesMinutes?: number
  /** Payments it may be asked about in a second by the work in the background, each by one request or two. */
  readonly checksPerSecond?: number
  /** It is the shop itself, which answers by its own database. */
  readonly isOwn?: boolean
  /** Making a payment takes its money, once for each of our references; `fetch` tells by that reference whether it was taken. */
  readonly takesAtOnce?: boolean
  /** Null for a currency that it does not take. An amount outside is refused by `create`. */
  readonly limits: (currency: string) => AmountLimits | null
  /** Makes a payment, or gives the one made before under the same reference. */
  readonly create: (request: PaymentRequest) => Promise<ProviderPayment>
  readonly fetch: (reference: string) => Promise<ProviderPayment>
  /** Ends a payment that holds no money; answers how it stands then, which may be `captured`. */
  readonly cancel: (reference: string) => Promise<ProviderPayment>
  readonly refund: (request: RefundRequest) => Promise<ProviderRefund>
  /** How a refund stands, by our reference; null when the provider has never heard of it. */
  readonly findRefund: (request: RefundRequest) => Promise<ProviderRefund | null>
  /** Throws ProviderRefusal when the notice is not the provider's own, or too old; anything else thrown means that this could not be found out. */
  readonly readNotice: (body: Uint8Array, headers: Headers, now: Date) => Promise<Notice>
  /** Payments made before it that something happened to in a span of time: refunds, disputes and reversals, whoever made them. Left out where nobody else could. */
  readonly listChanged?: (span: ListSpan) => AsyncIterable<ProviderPayment>
  /** What lies there and can be paid out, by currency; below zero where the shop owes. Left out where nobody tells. */
  readonly balance?: () => Promise<readonly Money[]>
  /** Left out where disputes are answered in its dashboard alone. */
  readonly disputes?: DisputeDesk
  /** Payments made in a span of time, for reconciliation. */
  readonly list: (span: ListSpan) => AsyncIterable<ProviderPayment>
}

/** The providers a shop uses, by code. */
export type Providers = ReadonlyMap<string, PaymentProvider>
