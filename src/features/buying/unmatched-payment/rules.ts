import type { Money } from '#kernel/money.ts'

interface Confirmable {
  readonly provider: string
  readonly reference: string
  readonly amount: Money
}

/** What its payment service has just confirmed of unmatched money: that all of it is there, and nobody asks for it. */
export const confirmationOf = ({ provider, reference, amount }: Confirmable): string =>
  `${provider} ${reference} ${amount.minor} ${amount.currency}`
