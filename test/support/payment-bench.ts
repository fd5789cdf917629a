import type { Money } from '#kernel/money.ts'
import type { PaymentProvider, ProviderPayment } from '#providers/payment/provider.ts'

/** `fault`: an answer of 500. `too_many`: 429. `lost_request`: not done. `lost_answer` and `silent`: done, and not answered. */
export type ContractFault = 'fault' | 'too_many' | 'lost_request' | 'lost_answer' | 'silent'

/** A provider, and its other side. What is left out cannot be done with it, and is not tested. */
export interface PaymentBench {
  readonly provider: PaymentProvider
  readonly now: () => Date
  /** The payer pays it whole. */
  readonly pay: (payment: ProviderPayment) => unknown
  /** What the payer is asked for, in whole units and decimals: "500 JPY", "1.250 KWD". */
  readonly asks?: (payment: ProviderPayment) => string
  /** The newest notice about a payment, as it was sent. */
  readonly notice?: (payment: ProviderPayment) => {
    readonly body: Uint8Array
    readonly headers: Headers
  }
  /** Lets the next such call fail on its way; the provider under test gives up within a second. */
  readonly fail?: (call: 'create' | 'fetch' | 'refund', fault: ContractFault) => void
  /** `given_back`: the bank gives back what it took when the dispute was lost. */
  readonly dispute?: (
    payment: ProviderPayment,
    what: 'open' | 'won' | 'lost' | 'given_back',
  ) => unknown
  /** The payer's bank sends the last refund back, which had been sent out. */
  readonly failRefund?: (payment: ProviderPayment) => unknown
  readonly close: () => unknown
}

export interface PaymentContract {
  readonly open: () => Promise<PaymentBench>
  /** Of 0, 2 and 3 decimals, as far as it takes such, each with what the payer is asked for. */
  readonly amounts: readonly (Money & { readonly shown: string })[]
  /** A currency that it does not take; null when it takes all. */
  readonly untaken: string | null
  readonly cannot: readonly (
    | 'asks'
    | 'cancel'
    | 'dispute'
    | 'fail'
    | 'list'
    | 'notice'
    | 'part'
    | 'refund'
    | 'refund_failure'
  )[]
}
