import { createHmac, timingSafeEqual } from 'node:crypto'
import { Agent, request as startRequest, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import { findLanguage } from '#kernel/language.ts'
import { systemErrorCode } from '#platform/refusal.ts'
import { requestHeaders } from '#platform/request-scope.ts'
import type { Secret } from '#platform/secret.ts'
import {
  ProviderRefusal,
  type Notice,
  type PaymentProvider,
  type ProviderPayment,
  type ProviderRefund,
  type RefundRequest,
} from '../provider.ts'

export interface SandboxPaymentOptions {
  /** Where the service listens: `http://127.0.0.1:4321`. */
  readonly origin: string
  readonly secret: Secret
  readonly timeoutMs?: number
}

const PATH = '/sandbox/payment'
const ANSWER_MS = 8_000
const LIMITS = { min: 1n, max: 10n ** 18n, step: 1n }
const CONNECTIONS = 64
const CHECKS_PER_SECOND = 100
const ANSWER_MAX_BYTES = 2 * 1024 * 1024
/** A notice is taken that was signed this long ago at most, or so much ahead by a clock that is off. */
const NOTICE_AGE_SECONDS = 300

const sum = z.object({ amount: z.string().regex(/^\d+$/), currency: z.string() })
const paymentShape = z.object({
  id: z.string(),
  our_reference: z.string(),
  status: z.enum(['requires_action', 'seen', 'captured', 'failed', 'voided', 'expired']),
  captured: sum.nullable(),
  disputed: z.boolean(),
  reversed: z.string().regex(/^\d+$/),
  failure: z.string().nullable(),
  redirect_url: z.string().nullable(),
})
const refundShape = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  failure: z.string().nullable(),
})
const listShape = z.object({ list: z.array(paymentShape), next: z.string().nullable() })
const balanceShape = z.object({
  available: z.array(z.object({ amount: z.string().regex(/^-?\d+$/), currency: z.string() })),
})
const refusalShape = z.object({ error: z.string() })
const noticeShape = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  session: z.string().min(1).max(255),
})

type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: unknown }>

/** The demo's payment service, over HTTP as any outside one. */
export function sandboxPayments({
  origin,
  secret,
  timeoutMs = ANSWER_MS,
}: SandboxPaymentOptions): PaymentProvider {
  const call = caller(origin, secret, timeoutMs)
  const findRefund = async ({
    ourReference,
  }: Pick<RefundRequest, 'ourReference'>): Promise<ProviderRefund | null> => {
    const { status, body } = await call('GET', `/refunds/${encodeURIComponent(ourReference)}`)
    return status === 404 ? null : refundOf(body)
  }
  return {
    code: 'sandbox',
    checksPerSecond: CHECKS_PER_SECOND,
    limits: () => LIMITS,
    async create({ ourReference, amount, orderNumber, returnUrl, language }) {
      if (amount.minor < LIMITS.min || amount.minor > LIMITS.max)
        throw new ProviderRefusal('amount')
      const { body } = await call('POST', '/sessions', {
        our_reference: ourReference,
        amount: amount.minor.toString(),
        currency: amount.currency,
        order_number: orderNumber,
        return_url: returnUrl,
        locale: findLanguage(language)?.tag ?? language,
        method: 'card',
      })
      return paymentOf(paymentShape.parse(body))
    },
    fetch: async (reference) =>
      paymentOf(
        paymentShape.parse(known(await call('GET', `/sessions/${encodeURIComponent(reference)}`))),
      ),
    cancel: async (reference) =>
      paymentOf(
        paymentShape.parse(
          known(await call('POST', `/sessions/${encodeURIComponent(reference)}/cancel`)),
        ),
      ),
    async refund({ ourReference, paymentReference, amount }) {
      return refundOf(
        known(
          await call('POST', `/sessions/${encodeURIComponent(paymentReference)}/refunds`, {
            our_reference: ourReference,
            amount: amount.minor.toString(),
            currency: amount.currency,
          }),
        ),
      )
    },
    findRefund,
    readNotice: async (body, headers, now) => readNotice(secret, body, headers, now),
    balance: () => readBalance(call),
    async *list({ since, until }) {
      let after = ''
      for (;;) {
        const { body } = await call(
          'GET',
          `/sessions?since=${since.toISOString()}&until=${until.toISOString()}&after=${after}`,
        )
        const { list, next } = listShape.parse(body)
        for (const payment of list) yield paymentOf(payment)
        if (next === null) return
        after = next
      }
    },
  }
}

async function readBalance(call: Call): Promise<Money[]> {
  const { body } = await call('GET', '/balance')
  const { available } = balanceShape.parse(body)
  return available.map(({ amount, currency }) => ({ minor: BigInt(amount), currency }))
}

function paymentOf({
  id,
  our_reference,
  status,
  captured,
  disputed,
  reversed,
  failure,
  redirect_url,
}: z.infer<typeof paymentShape>): ProviderPayment {
  return {
    reference: id,
    ourReference: our_reference,
    status,
    captured: captured && { minor: BigInt(captured.amount), currency: captured.currency },
    isDisputed: disputed,
    reversed:
      captured && reversed !== '0'
        ? { minor: BigInt(reversed), currency: captured.currency }
        : null,
    redirectUrl: redirect_url,
    failure,
  }
}

function refundOf(body: unknown): ProviderRefund {
  const { id, status, failure } = refundShape.parse(body)
  return { reference: id, status, failure }
}

function known({ status, body }: { readonly status: number; readonly body: unknown }): unknown {
  if (status === 404) throw new ProviderRefusal('not_found')
  return body
}

/** `Sandbox-Signature: t=<seconds>,v1=<HMAC-SHA-256 of "t.body" in hex>` */
function readNotice(secret: Secret, body: Uint8Array, headers: Headers, now: Date): Notice {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get('sandbox-signature') ?? '')
  const [, seconds = '', given = ''] = match ?? []
  const wanted = createHmac('sha256', secret.reveal()).update(`${seconds}.`).update(body).digest()
  if (!match || !timingSafeEqual(wanted, Buffer.from(given, 'hex')))
    throw new ProviderRefusal('signature')
  if (Math.abs(now.getTime() / 1_000 - Number(seconds)) > NOTICE_AGE_SECONDS)
    throw new ProviderRefusal('too old')
  const parsed = noticeShape.safeParse(parsedJson(body))
  if (!parsed.success) throw new ProviderRefusal('shape')
  return { eventId: parsed.data.id, kind: parsed.data.type, paymentReference: parsed.data.session }
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}

/** 404 is the caller's to judge, 409 and 422 are a no for good; everything else leaves it open what was done. */
function caller(origin: string, secret: Secret, timeoutMs: number): Call {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    maxFreeSockets: CONNECTIONS,
    scheduling: 'lifo',
  })
  const send = (
    method: 'GET' | 'POST',
    path: string,
    text: string,
    isAgain: boolean,
  ): ReturnType<Call> =>
    new Promise((resolve, reject) => {
      const sent = startRequest(
        `${origin}${PATH}${path}`,
        {
          method,
          agent: isAgain ? false : agent,
          headers: {
            ...requestHeaders(),
            authorization: `Bearer ${secret.reveal()}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          },
        },
        (answer) =>
          void read(answer)
            .then(resolve, reject)
            .finally(() => clearTimeout(deadline)),
      )
      // Not a signal of the platform: those outlive their request, each to make an error that nobody reads.
      const deadline = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs)
      sent.once('error', (error) => {
        clearTimeout(deadline)
        // The service closed a connection while nothing was under way on it. Every request may be sent twice.
        if (!isAgain && sent.reusedSocket && systemErrorCode(error) === 'ECONNRESET')
          resolve(send(method, path, text, true))
        else reject(error)
      })
      sent.end(text)
    })
  return (method, path, body) => send(method, path, body ? JSON.stringify(body) : '', false)
}

async function read(answer: IncomingMessage): ReturnType<Call> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += (chunk as Buffer).length
    if (size > ANSWER_MAX_BYTES) throw new Error('the answer is too large')
    chunks.push(chunk as Buffer)
  }
  return answered(answer.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))
}

function answered(
  status: number,
  text: string,
): { readonly status: number; readonly body: unknown } {
  if (status !== 404 && (status < 200 || status >= 300) && status !== 409 && status !== 422)
    throw new Error(`the payment service answered ${status}`)
  const body: unknown = JSON.parse(text)
  if (status === 409 || status === 422)
    throw new ProviderRefusal(refusalShape.safeParse(body).data?.error ?? 'refused')
  return { status, body }
}
