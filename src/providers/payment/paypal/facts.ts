import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import type { ProviderPayment, ProviderRefund, ProviderStatus } from '../provider.ts'
import { fromPaypal } from './amounts.ts'

const amount = z.object({ currency_code: z.string(), value: z.string() })
const details = z.object({ reason: z.string().max(100).nullish() }).nullish()
const capture = z.object({
  id: z.string(),
  status: z.string(),
  amount,
  custom_id: z.string().nullish(),
  status_details: details,
  create_time: z.string().nullish(),
})
const refund = z.object({
  id: z.string(),
  status: z.string(),
  custom_id: z.string().nullish(),
  amount: amount.nullish(),
  status_details: details,
})

/** An order of the Orders API, version 2, as far as it is read. We make orders of one purchase unit. */
export const order = z.object({
  id: z.string().min(1),
  status: z.string(),
  update_time: z.string().nullish(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().nullish(),
        payments: z
          .object({ captures: z.array(capture).default([]), refunds: z.array(refund).default([]) })
          .nullish(),
      }),
    )
    .min(1),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
})
export type PaypalOrder = z.infer<typeof order>
export type PaypalCapture = z.infer<typeof capture>
export const refundShape = refund

export const dispute = z.object({
  dispute_id: z.string(),
  status: z.string(),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: z.string().nullish() }))
    .nullish(),
  dispute_amount: amount.nullish(),
  dispute_outcome: z
    .object({ outcome_code: z.string(), amount_refunded: amount.nullish() })
    .nullish(),
})
export type PaypalDispute = z.infer<typeof dispute>

/** Captures that brought money, whatever became of it later. */
const TAKEN = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])
/** Decided for the payer, or given up by the shop. */
const LOST = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'])
/** PayPal cannot end an order that nobody has paid. Ours carry this mark from then on, and are never captured. */
const ENDED = 'ended:'

export const endedName = (ourReference: string) => `${ENDED}${ourReference}`

export function isEnded(of: PaypalOrder): boolean {
  return customId(of).startsWith(ENDED)
}

export function ourReferenceOf(of: PaypalOrder): string {
  return customId(of).replace(ENDED, '')
}

/** Once captured, an order may tell it at the capture alone. */
function customId(of: PaypalOrder): string {
  return of.purchase_units[0]?.custom_id ?? capturesOf(of)[0]?.custom_id ?? ''
}

export function capturesOf(of: PaypalOrder): readonly PaypalCapture[] {
  return of.purchase_units[0]?.payments?.captures ?? []
}

export function takenOf(of: PaypalOrder): readonly PaypalCapture[] {
  return capturesOf(of).filter(({ status }) => TAKEN.has(status))
}

/**
 * @param told null where PayPal does not tell of disputes
 * @param issue PayPal's word for why it would not capture, if it was asked to
 */
export function paymentOf(
  of: PaypalOrder,
  told: readonly PaypalDispute[] | null,
  issue: string | null,
): ProviderPayment {
  const disputes = told ?? []
  const status = statusOf(of)
  const captured = sum(takenOf(of).map((taken) => fromPaypal(taken.amount)))
  const reason = capturesOf(of).find((known) => known.status_details?.reason)?.status_details
    ?.reason
  return {
    reference: of.id,
    ourReference: ourReferenceOf(of),
    status,
    captured,
    isDisputed: disputes.some((known) => known.status !== 'RESOLVED'),
    reversed: captured && reversedOf(captured, disputes.flatMap(lostAmount)),
    ...(captured ? { refundedMinor: refundedOf(of, captured) } : {}),
    ...(told === null ? { isDisputeUnknown: true } : {}),
    redirectUrl:
      status === 'requires_action'
        ? (of.links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? null)
        : null,
    failure: status === 'captured' ? null : (issue ?? reason ?? null),
  }
}

/** 'COMPLETED' says that capturing is over and not that it went well: the captures tell. */
function statusOf(of: PaypalOrder): ProviderStatus {
  const captures = capturesOf(of)
  if (takenOf(of).length > 0) return 'captured'
  if (captures.some(({ status }) => status === 'PENDING')) return 'seen'
  if (isEnded(of) || of.status === 'VOIDED') return 'voided'
  return captures.length > 0 || of.status === 'COMPLETED' ? 'failed' : 'requires_action'
}

function lostAmount({
  dispute_outcome: outcome,
  dispute_amount: disputed,
}: PaypalDispute): Money[] {
  const given =
    outcome && LOST.has(outcome.outcome_code) ? (outcome.amount_refunded ?? disputed) : null
  return given ? [fromPaypal(given)] : []
}

export function findRefundOf(of: PaypalOrder, ourReference: string): ProviderRefund | null {
  const found = of.purchase_units[0]?.payments?.refunds.find(
    (known) => known.custom_id === ourReference,
  )
  return found ? refundOf(found) : null
}

export function refundOf({
  id,
  status,
  status_details: why,
}: z.infer<typeof refund>): ProviderRefund {
  if (status === 'COMPLETED') return { reference: id, status: 'succeeded', failure: null }
  if (status === 'FAILED' || status === 'CANCELLED')
    return { reference: id, status: 'failed', failure: why?.reason ?? status }
  return { reference: id, status: 'pending', failure: null }
}

/** What went back, or is on its way. */
function refundedOf(of: PaypalOrder, captured: Money): bigint {
  const refunds = of.purchase_units[0]?.payments?.refunds ?? []
  return refunds
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .flatMap((known) => (known.amount ? [fromPaypal(known.amount)] : []))
    .filter(({ currency }) => currency === captured.currency)
    .reduce((total, { minor }) => total + minor, 0n)
}

/** Out of what was captured; counted in another currency, all of it is gone. */
function reversedOf(captured: Money, lost: readonly Money[]): Money | null {
  if (lost.length === 0) return null
  const minor = lost.reduce(
    (total, amount) =>
      total + (amount.currency === captured.currency ? amount.minor : captured.minor),
    0n,
  )
  return { ...captured, minor: minor < captured.minor ? minor : captured.minor }
}

function sum(amounts: readonly Money[]): Money | null {
  const [first, ...rest] = amounts
  return first
    ? rest.reduce((total, { minor }) => ({ ...total, minor: total.minor + minor }), first)
    : null
}
