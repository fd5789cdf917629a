import type { UnmatchedPayment } from './queries.ts'

/** What its payment service has just confirmed of unmatched money: that all of it is there, and nobody asks for it. */
export const confirmationOf = ({ provider, reference, amount }: UnmatchedPayment): string =>
  `${provider} ${reference} ${amount.minor} ${amount.currency}`
