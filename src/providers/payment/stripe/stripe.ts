import { Stripe } from 'stripe'
import type { Money } from '#kernel/money.ts'
import { requestHeaders } from '#platform/request-scope.ts'
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
import { fromStripe, stripeLimits, toStripe } from './amounts.ts'
import { STRIPE_EVIDENCE_MAX, submitEvidence } from './evidence.ts'
import { intentOf, isChargeDisputed, paymentOf, refundOf } from './facts.ts'
import { readStripeNotice } from './notice.ts'

export interface StripeOptions {
  readonly secretKey: Secret
  /** Any of them may have signed a notice: two while one is being replaced. */
  readonly webhookSecrets: readonly Secret[]
  /** Origin of the API; Stripe's own by default. */
  readonly baseUrl?: string
  readonly timeoutMs?: number
}

/** Answers are read in this version's form, whatever the account is set to. */
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 10_000
/** Stripe takes 30 minutes to a day. An hour leaves time to ask again for a session whose answer was lost; the shop ends it sooner. */
const SESSION_MINUTES = 60
const PAGE = 100
const OUR_REFERENCE = 'our_reference'
/** Where Stripe's pages have no translation, it goes by the browser. */
const LOCALES: Readonly<Record<string, Stripe.Checkout.SessionCreateParams.Locale>> = {
  de: 'de',
  en: 'en',
  es: 'es',
  fr: 'fr',
  hi: 'hi-IN',
  id: 'id',
  it: 'it',
  ja: 'ja',
  ko: 'ko',
  ms: 'ms',
  nl: 'nl',
  pt: 'pt',
  ro: 'ro',
  ru: 'ru',
  th: 'th',
  tl: 'fil',
  vi: 'vi',
  zh: 'zh',
  'zh-tw': 'zh-TW',
}

/** Card payments on Stripe's own page (Checkout). A payment's reference is its session's id. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = openClient(options)
  return {
    code: 'stripe',
    limits: stripeLimits,
    create: (request) => create(stripe, request),
    fetch: (reference) => asked(() => fetchPayment(stripe, reference)),
    cancel: (reference) => cancel(stripe, reference),
    refund: (request) => refund(stripe, request),
    findRefund: (request) => asked(() => findRefund(stripe, request)),
    readNotice: async (body, headers, now) =>
      readStripeNotice(body, headers, now, options.webhookSecrets),
    balance: () => asked(() => readBalance(stripe)),
    disputes: {
      textMost: STRIPE_EVIDENCE_MAX,
      answer: (evidence) => asked(() => answerDispute(stripe, evidence)),
    },
    list: (span) => list(stripe, span),
    listChanged: (span) => listChanged(stripe, span),
  }
}

async function answerDispute(stripe: Stripe, evidence: DisputeEvidence): Promise<string> {
  const intent = intentOf(await findSession(stripe, evidence.paymentReference))
  if (!intent) throw new ProviderRefusal('nothing was captured')
  return submitEvidence(stripe, intent.id, evidence)
}

/** What is on its way to the account is left out: it cannot be paid out yet. */
async function readBalance(stripe: Stripe): Promise<Money[]> {
  const { available } = await stripe.balance.retrieve()
  return available.map(({ amount, currency }) => fromStripe(amount, currency))
}

/** By fetch: its time limit holds for the whole answer, and it does not try again by itself. No telemetry goes out, and none is written to disk. */
export function openClient({
  secretKey,
  baseUrl = 'https://api.stripe.com',
  timeoutMs = TIMEOUT_MS,
}: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Stripe(secretKey.reveal(), {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) =>
      fetch(url, { ...init, headers: inThisRequest(init), redirect: 'error' }),
    ),
  })
}

function inThisRequest(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers)
  for (const [name, value] of Object.entries(requestHeaders())) headers.set(name, value)
  return headers
}

/** Settings that are wrong make no payment either: the payer chooses another method. */
async function create(stripe: Stripe, request: PaymentRequest): Promise<ProviderPayment> {
  const params = sessionParams(request)
  try {
    return paymentOf(
      await stripe.checkout.sessions.create(params, { idempotencyKey: request.ourReference }),
      [],
    )
  } catch (error) {
    if (!isReplayedFault(error)) throw refusalOf(error, [401, 403])
  }
  // Stripe keeps a failure of its own under the key and would tell it for ever. A session that it may have made nobody was sent to.
  try {
    return paymentOf(
      await stripe.checkout.sessions.create(params, {
        idempotencyKey: `${request.ourReference}:again`,
      }),
      [],
    )
  } catch (error) {
    throw refusalOf(error, [401, 403])
  }
}

/** The same for the same request, or Stripe refuses the key. The payer pays in the order's currency: no conversion on the way. */
function sessionParams({
  ourReference,
  amount,
  orderNumber,
  returnUrl,
  language,
  startedAt,
}: PaymentRequest): Stripe.Checkout.SessionCreateParams {
  const description = `#${orderNumber}`
  const metadata = { [OUR_REFERENCE]: ourReference }
  return {
    mode: 'payment',
    client_reference_id: ourReference,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: amount.currency.toLowerCase(),
          unit_amount: toStripe(amount),
          product_data: { name: description },
        },
      },
    ],
    allowed_payment_method_types: ['card'],
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(startedAt.getTime() / 1_000) + SESSION_MINUTES * 60,
    locale: LOCALES[language] ?? 'auto',
    metadata,
    payment_intent_data: { description, metadata },
    success_url: returnUrl,
    cancel_url: returnUrl,
    expand: ['payment_intent.latest_charge'],
  }
}

/** By the id of a session, of its payment intent, or of a charge: notices of refunds and disputes name the latter two. */
async function fetchPayment(stripe: Stripe, reference: string): Promise<ProviderPayment> {
  return withDisputes(stripe, await findSession(stripe, reference))
}

async function findSession(stripe: Stripe, reference: string): Promise<Stripe.Checkout.Session> {
  if (reference.startsWith('cs_'))
    return stripe.checkout.sessions.retrieve(reference, {
      expand: ['payment_intent.latest_charge'],
    })
  const intent =
    reference.startsWith('ch_') || reference.startsWith('py_')
      ? nameOf((await stripe.charges.retrieve(reference)).payment_intent)
      : reference
  if (intent === null) throw new ProviderRefusal('a charge without a payment intent')
  const {
    data: [session],
  } = await stripe.checkout.sessions.list({
    payment_intent: intent,
    limit: 1,
    expand: ['data.payment_intent.latest_charge'],
  })
  if (!session) throw new ProviderRefusal('a payment intent without a session')
  return session
}

async function withDisputes(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
): Promise<ProviderPayment> {
  const intent = intentOf(session)
  const disputes =
    intent && isChargeDisputed(session)
      ? (await stripe.disputes.list({ payment_intent: intent.id, limit: PAGE })).data
      : []
  return paymentOf(session, disputes)
}

/** A session that is over cannot be ended, and Stripe says so: how it stands is asked in any case. */
async function cancel(stripe: Stripe, reference: string): Promise<ProviderPayment> {
  try {
    await stripe.checkout.sessions.expire(reference)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!(refusal instanceof ProviderRefusal)) throw refusal
  }
  return asked(() => fetchPayment(stripe, reference))
}

/** Stripe forgets its keys after a day or more: a refund of ours is looked for by its name first. */
async function refund(stripe: Stripe, request: RefundRequest): Promise<ProviderRefund> {
  return asked(async () => {
    const intent = await capturedIntent(stripe, request)
    const known = await findByName(stripe, intent.id, request.ourReference)
    if (known) return known
    return refundOf(
      await stripe.refunds.create(
        {
          payment_intent: intent.id,
          amount: toStripe(request.amount, true),
          metadata: { [OUR_REFERENCE]: request.ourReference },
        },
        { idempotencyKey: request.ourReference },
      ),
    )
  })
}

/** Stripe is told an amount alone, so that the currency is looked at here. */
async function capturedIntent(
  stripe: Stripe,
  { paymentReference, amount }: RefundRequest,
): Promise<Stripe.PaymentIntent> {
  const intent = intentOf(await findSession(stripe, paymentReference))
  if (!intent || intent.amount_received === 0) throw new ProviderRefusal('nothing was captured')
  if (intent.currency.toUpperCase() !== amount.currency)
    throw new ProviderRefusal('captured in another currency')
  return intent
}

async function findRefund(
  stripe: Stripe,
  { paymentReference, ourReference }: RefundRequest,
): Promise<ProviderRefund | null> {
  const intent = intentOf(await findSession(stripe, paymentReference))
  return intent ? findByName(stripe, intent.id, ourReference) : null
}

async function findByName(
  stripe: Stripe,
  intent: string,
  ourReference: string,
): Promise<ProviderRefund | null> {
  for await (const found of stripe.refunds.list({ payment_intent: intent, limit: PAGE })) {
    if (found.metadata?.[OUR_REFERENCE] === ourReference) return refundOf(found)
  }
  return null
}

/** Sessions without a name of ours were made by others with the same account. */
async function* list(stripe: Stripe, span: ListSpan): AsyncIterable<ProviderPayment> {
  const created = within(span)
  try {
    for await (const session of stripe.checkout.sessions.list({
      created,
      limit: PAGE,
      expand: ['data.payment_intent.latest_charge'],
    })) {
      const ourReference = session.client_reference_id
      if (!ourReference || session.metadata?.[OUR_REFERENCE] !== ourReference) continue
      const told = await readListed(span, { reference: session.id, ourReference }, () =>
        withDisputes(stripe, session),
      )
      if (told) yield told
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Refunds and disputes that were begun in the span, whoever began them: what has become of them is told with their payment. */
async function* listChanged(stripe: Stripe, span: ListSpan): AsyncIterable<ProviderPayment> {
  const created = within(span)
  const seen = new Set<string>()
  try {
    for (const resource of [stripe.refunds, stripe.disputes]) {
      for await (const { payment_intent: of } of resource.list({ created, limit: PAGE })) {
        const intent = nameOf(of)
        if (intent === null || seen.has(intent)) continue
        seen.add(intent)
        const told = await readListed(span, { reference: intent, ourReference: null }, () =>
          ownOrNone(stripe, intent),
        )
        if (told) yield told
      }
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Null for a payment that others made with the same account. */
async function ownOrNone(stripe: Stripe, intent: string): Promise<ProviderPayment | null> {
  try {
    const told = await asked(() => fetchPayment(stripe, intent))
    return told.ourReference === '' ? null : told
  } catch (error) {
    if (error instanceof ProviderRefusal) return null
    throw error
  }
}

const within = ({ since, until }: ListSpan) => ({
  gte: Math.floor(since.getTime() / 1_000),
  lt: Math.ceil(until.getTime() / 1_000),
})

function nameOf(value: string | { readonly id: string } | null): string | null {
  return value === null || typeof value === 'string' ? value : value.id
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Answers that say nothing about what was asked: wrong keys, a conflict, too much at once. */
const NO_ANSWER = new Set([401, 403, 408, 409, 425, 429])

/**
 * A definite no as ProviderRefusal, anything else as an error without the SDK's copy of what was sent and answered. A key used with
 * other parameters is in doubt: something was done under it.
 */
function refusalOf(error: unknown, more: readonly number[] = []): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status = 0, type, code = type, requestId = 'unknown' } = error
  const isDefinite =
    more.includes(status) || (status >= 400 && status < 500 && !NO_ANSWER.has(status))
  if (isDefinite && type !== 'StripeIdempotencyError')
    return new ProviderRefusal(error.decline_code ?? code)
  return new Error(
    status === 0
      ? `Stripe could not be asked: ${type}`
      : `Stripe answered ${status}: ${code}, request ${requestId}`,
  )
}

function isReplayedFault(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  )
}
