import type { PayStatusView } from '#features/buying/payment/view/shapes.ts'

/** How a payment stands, in one text: the page was made from one, and another means that something has happened. */
export function knownOf({
  status,
  payment,
  method,
  missing,
  is_payable: isPayable,
}: Pick<PayStatusView, 'status' | 'payment' | 'method' | 'missing' | 'is_payable'>): string {
  return [status, payment, method ?? '', missing?.minor ?? '', isPayable].join(' ')
}
