import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import {
  type DisputeEvidence,
  type ListSpan,
  ProviderRefusal,
  readListed,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderPayment,
  type ProviderRefund,
  type RefundRequest,
} from '../provider.ts'
import { fromPaypal, paypalLimits, toPaypal } from './amounts.ts'
import { readBalance } from './balance.ts'
import { openPaypalCertificates } from './certificates.ts'
import { bodyOrRefusal, openPaypalClient, type PaypalClient } from './client.ts'
import { PAYPAL_EVIDENCE_MAX, provideEvidence } from './evidence.ts'
import {
  capturesOf,
  dispute,
  endedName,
  findRefundOf,
  isEnded,
  order,
  ourReferenceOf,
  paymentOf,
  refundOf,
  refundShape,
  takenOf,
  type PaypalDispute,
  type PaypalOrder,
} from './facts.ts'
import { captureIn, readPaypalNotice } from './notice.ts'
import { changedCaptures, searchTransactions } from './search.ts'

export interface PaypalOptions {
  readonly clientId: string
  readonly clientSecret: Secret
  /** Of the webhook as it was set up at PayPal: notices are verified for it. */
  readonly webhookId: string
  readonly environment: 'live' | 'sandbox'
  readonly now: () => Date
  /** Origin of the API; the environment's by default. */
  readonly baseUrl?: string
  readonly timeoutMs?: number
}

/** Where a payer is sent to. */
export const PAYPAL_API = {
  live: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
}
export const PAYPAL_TIMEOUT_MS = 10_000
/** Nobody disputes a payment in its first minutes, and delivery shall not wait for the answer. */
const UNDISPUTED_MS = 10 * 60_000
/** Where PayPal's pages have no translation, it chooses by itself. */
const LOCALES: Readonly<Record<string, string>> = {
  ar: 'ar-EG',
  de: 'de-DE',
  en: 'en-US',
  es: 'es-ES',
  fr: 'fr-FR',
  id: 'id-ID',
  it: 'it-IT',
  ja: 'ja-JP',
  ko: 'ko-KR',
  nl: 'nl-NL',
  pt: 'pt-BR',
  ru: 'ru-RU',
  th: 'th-TH',
  zh: 'zh-CN',
  'zh-tw': 'zh-TW',
}

/** PayPal by its Orders API, version 2: the payer approves on PayPal's pages, and we capture. A payment's reference is its order's id. */
export function createPaypalProvider(options: PaypalOptions): PaymentProvider {
  const {
    clientId,
    clientSecret,
    webhookId,
    environment,
    now,
    baseUrl = PAYPAL_API[environment],
    timeoutMs = PAYPAL_TIMEOUT_MS,
  } = options
  const client = openPaypalClient({ clientId, clientSecret, baseUrl, timeoutMs, now })
  const certificates = openPaypalCertificates({ origin: options.baseUrl, timeoutMs, now })
  return {
    code: 'paypal',
    limits: paypalLimits,
    create: (request) => create(client, request),
    fetch: (reference) => fetchPayment(client, reference, now()),
    cancel: (reference) => cancel(client, reference, now()),
    refund: (request) => refund(client, request),
    findRefund: async ({ paymentReference, ourReference }) =>
      findRefundOf(await readOrder(client, paymentReference), ourReference),
    readNotice: (body, headers, at) => readPaypalNotice(certificates, webhookId, body, headers, at),
    balance: () => readBalance(client),
    disputes: {
      textMost: PAYPAL_EVIDENCE_MAX,
      answer: (evidence) => answerDispute(client, evidence),
    },
    list: (span) => list(client, span, now),
    listChanged: (span) => listChanged(client, span, now),
  }
}

/** Settings that are wrong make no payment either: the payer chooses another method. A way of paying that takes days is not offered. */
async function create(
  client: PaypalClient,
  { ourReference, amount, orderNumber, returnUrl, language }: PaymentRequest,
): Promise<ProviderPayment> {
  const locale = LOCALES[language]
  const answer = await client({
    method: 'POST',
    path: '/v2/checkout/orders',
    requestId: ourReference,
    body: {
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: 'default',
          custom_id: ourReference,
          description: `#${orderNumber}`,
          amount: toPaypal(amount),
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: returnUrl,
            cancel_url: returnUrl,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
            ...(locale === undefined ? {} : { locale }),
          },
        },
      },
    },
  })
  return paymentOf(bodyOrRefusal(answer, order, [401, 403]), [], null)
}

/**
 * How an order stands. One that the payer has approved is captured here, for approval alone moves no money: whoever asks, the
 * returning payer's page, a notice or the sweep, completes the payment, and none of them is needed if another comes.
 */
async function fetchPayment(
  client: PaypalClient,
  reference: string,
  now: Date,
): Promise<ProviderPayment> {
  const found = await readOrder(client, reference)
  if (found.status !== 'APPROVED' || isEnded(found))
    return paymentOf(found, await disputesOf(client, found, now), null)
  const issue = await capture(client, found)
  return paymentOf(await readOrder(client, found.id), [], issue)
}

/**
 * Under an id for each approval: one that was declined is not answered for the next. PayPal captures an order once in any case.
 * @returns PayPal's word for why not; the order may have been captured by another at the same time
 */
async function capture(client: PaypalClient, approved: PaypalOrder): Promise<string | null> {
  const requestId = `${ourReferenceOf(approved)}:capture:${approved.update_time ?? ''}`
  const answer = await client({
    method: 'POST',
    path: `/v2/checkout/orders/${encodeURIComponent(approved.id)}/capture`,
    body: {},
    requestId,
  })
  try {
    bodyOrRefusal(answer, z.object({ id: z.string() }))
    return null
  } catch (error) {
    if (error instanceof ProviderRefusal) return error.message
    throw error
  }
}

/** By an order's id, or by a capture's: notices of refunds and disputes name the latter. */
async function readOrder(client: PaypalClient, reference: string): Promise<PaypalOrder> {
  const captureId = captureIn(reference)
  const id = captureId === null ? reference : await orderOfCapture(client, captureId)
  return bodyOrRefusal(
    await client({ method: 'GET', path: `/v2/checkout/orders/${encodeURIComponent(id)}` }),
    order,
  )
}

const captureAnswer = z.object({
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().nullish() }) })
    .nullish(),
})

async function orderOfCapture(client: PaypalClient, captureId: string): Promise<string> {
  const answer = bodyOrRefusal(
    await client({ method: 'GET', path: `/v2/payments/captures/${encodeURIComponent(captureId)}` }),
    captureAnswer,
  )
  const id = answer.supplementary_data?.related_ids.order_id
  if (!id) throw new ProviderRefusal('a capture without an order')
  return id
}

const disputeList = z.object({ items: z.array(dispute).default([]) })

async function answerDispute(client: PaypalClient, evidence: DisputeEvidence): Promise<string> {
  const found: PaypalDispute[] = []
  for (const { id } of takenOf(await readOrder(client, evidence.paymentReference))) {
    const answer = await client({ method: 'GET', path: disputesPath(id) })
    found.push(...bodyOrRefusal(answer, disputeList).items)
  }
  return provideEvidence(client, found, evidence)
}

const disputesPath = (capture: string) =>
  `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(capture)}&page_size=50`

/** Null for an app without the right to see disputes, which is no fault: the shop then learns of them from PayPal's mails alone. */
async function disputesOf(
  client: PaypalClient,
  of: PaypalOrder,
  now: Date,
): Promise<PaypalDispute[] | null> {
  const old = takenOf(of).filter(
    ({ create_time: at }) => now.getTime() - Date.parse(at ?? '') > UNDISPUTED_MS,
  )
  const disputes: PaypalDispute[] = []
  for (const { id } of old) {
    const answer = await client({ method: 'GET', path: disputesPath(id) })
    if (answer.status === 403) return null
    for (const known of bodyOrRefusal(answer, disputeList).items) {
      disputes.push(
        known.status === 'RESOLVED'
          ? bodyOrRefusal(
              await client({
                method: 'GET',
                path: `/v1/customer/disputes/${encodeURIComponent(known.dispute_id)}`,
              }),
              dispute,
            )
          : known,
      )
    }
  }
  return disputes
}

/**
 * PayPal keeps an unpaid order open for hours and offers no way to end it. It is renamed: `fetch` never captures one with that name,
 * and without a capture an approval comes to nothing. One that PayPal will not rename, and that holds no money, is given up as well.
 */
async function cancel(
  client: PaypalClient,
  reference: string,
  now: Date,
): Promise<ProviderPayment> {
  const found = await readOrder(client, reference)
  if (isEnded(found) || capturesOf(found).length > 0)
    return paymentOf(found, await disputesOf(client, found, now), null)
  const answer = await client({
    method: 'PATCH',
    path: `/v2/checkout/orders/${encodeURIComponent(found.id)}`,
    body: [
      {
        op: 'replace',
        path: "/purchase_units/@reference_id=='default'/custom_id",
        value: endedName(ourReferenceOf(found)),
      },
    ],
  })
  if (answer.status >= 300 && answer.status !== 422) bodyOrRefusal(answer, z.never())
  const ended = paymentOf(await readOrder(client, found.id), [], null)
  return ended.status === 'requires_action'
    ? { ...ended, status: 'voided', redirectUrl: null }
    : ended
}

/** A refund of ours is looked for by its name first: PayPal forgets request ids after hours. */
async function refund(
  client: PaypalClient,
  { ourReference, paymentReference, amount }: RefundRequest,
): Promise<ProviderRefund> {
  const found = await readOrder(client, paymentReference)
  const known = findRefundOf(found, ourReference)
  if (known) return known
  const [taken] = takenOf(found)
  if (!taken) throw new ProviderRefusal('nothing was captured')
  if (fromPaypal(taken.amount).currency !== amount.currency)
    throw new ProviderRefusal('captured in another currency')
  const answer = await client({
    method: 'POST',
    path: `/v2/payments/captures/${encodeURIComponent(taken.id)}/refund`,
    requestId: ourReference,
    body: { amount: toPaypal(amount), custom_id: ourReference },
  })
  return refundOf(bodyOrRefusal(answer, refundShape))
}

/** By the transaction search, which an account's app needs a right for and which lags by up to three hours. Payments (T00…) that bear a name of ours. */
async function* list(
  client: PaypalClient,
  span: ListSpan,
  now: () => Date,
): AsyncIterable<ProviderPayment> {
  for await (const info of searchTransactions(client, span)) {
    const { custom_field: ourReference, transaction_event_code: code } = info
    if (!ourReference || code?.startsWith('T00') !== true) continue
    const reference = `capture:${info.transaction_id}`
    const told = await readListed(span, { reference, ourReference }, () =>
      fetchPayment(client, reference, now()),
    )
    if (told) yield told
  }
}

/** Refunds and reversals (T11…), chargebacks (T12…), and disputes that have moved, whoever made them. */
async function* listChanged(
  client: PaypalClient,
  span: ListSpan,
  now: () => Date,
): AsyncIterable<ProviderPayment> {
  const seen = new Set<string>()
  for await (const capture of changedCaptures(client, span)) {
    if (seen.has(capture)) continue
    seen.add(capture)
    const told = await readListed(
      span,
      { reference: `capture:${capture}`, ourReference: null },
      () => ownOrNone(client, capture, now()),
    )
    if (told) yield told
  }
}

/** Null for what others did with the same account. */
async function ownOrNone(
  client: PaypalClient,
  capture: string,
  now: Date,
): Promise<ProviderPayment | null> {
  try {
    return await fetchPayment(client, `capture:${capture}`, now)
  } catch (error) {
    if (error instanceof ProviderRefusal) return null
    throw error
  }
}
