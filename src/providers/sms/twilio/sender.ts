import { z } from 'zod'
import type { TwilioSettings } from '#platform/config.ts'
import { systemErrorCode } from '#platform/refusal.ts'
import { requestHeaders } from '#platform/request-scope.ts'
import type { Sms, SmsOutcome, SmsSender } from '../sender.ts'

export interface TwilioOptions extends TwilioSettings {
  /** Origin of the service; its own by default. */
  readonly origin?: string
  readonly timeoutMs?: number
}

const ORIGIN = 'https://api.twilio.com'
const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 65_536
/** Seconds a message may wait at the service, as it takes them. */
const VALIDITY = { min: 1, max: 36_000 }

const created = z.object({
  sid: z.string().regex(/^[A-Z]{2}[0-9a-f]{32}$/),
  status: z.string(),
  error_code: z.number().nullish(),
})
/** Of an account: active, suspended or closed. */
const found = z.object({ status: z.string().max(40) })
const refused = z.object({ code: z.number(), message: z.string().optional() })

/** No connection came about, so that nothing was asked for. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface TwilioSender extends SmsSender {
  /** Throws where the service does not answer, or does not know the shop by its settings. */
  readonly check: () => Promise<void>
}

/** Text messages through Twilio's Messages resource (API version 2010-04-01). */
export function createTwilioSender({
  accountSid,
  authToken,
  from,
  origin = ORIGIN,
  timeoutMs = TIMEOUT_MS,
}: TwilioOptions): TwilioSender {
  const account = `${origin}/2010-04-01/Accounts/${accountSid}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken.reveal()}`).toString('base64')}`
  const request = (): RequestInit => ({
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { ...requestHeaders(), authorization, accept: 'application/json' },
  })
  return {
    close: () => {},
    async check() {
      const answer = await fetch(`${account}.json`, request())
      const body = await bodyOf(answer)
      if (answer.status !== 200) throw new Error(reasonOf(answer.status, body))
      const { status } = found.parse(body)
      if (status !== 'active') throw new Error(`the account is ${status}`)
    },
    async send(sms) {
      try {
        const answer = await fetch(`${account}/Messages.json`, {
          ...request(),
          method: 'POST',
          body: formOf(sms, from),
        })
        return outcomeOf(answer.status, await bodyOf(answer))
      } catch (error) {
        return unansweredOutcome(error)
      }
    },
  }
}

function formOf({ to, text, validSeconds }: Sms, from: string): URLSearchParams {
  return new URLSearchParams({
    To: to,
    Body: text,
    ValidityPeriod: String(
      Math.min(VALIDITY.max, Math.max(VALIDITY.min, Math.round(validSeconds))),
    ),
    ...(/^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }),
  })
}

/** Null for what is no JSON. */
async function bodyOf(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    length += chunk.length
    if (length > ANSWER_MAX_BYTES) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown
  } catch {
    return null
  }
}

/** The service says 201 for a message it took on, 429 for too many, 503 while it is away, and 400 with a code for what it will not send. */
function outcomeOf(status: number, body: unknown): SmsOutcome {
  const message = created.safeParse(body)
  if (status === 200 || status === 201) {
    if (!message.success)
      return { kind: 'unknown', reason: `answer ${status} without a message id` }
    const { sid, status: state, error_code: code } = message.data
    return state === 'failed' || state === 'undelivered'
      ? { kind: 'refused', reason: `message ${state}, error ${code ?? 'unnamed'}` }
      : { kind: 'sent', reference: sid }
  }
  const reason = reasonOf(status, body)
  if (status === 429 || status === 503) return { kind: 'later', reason }
  return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', reason }
}

function reasonOf(status: number, body: unknown): string {
  const error = refused.safeParse(body)
  return `answer ${status}${error.success ? `, error ${error.data.code}` : ''}`
}

function unansweredOutcome(error: unknown): SmsOutcome {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = systemErrorCode(cause) ?? (error instanceof Error ? error.name : 'error')
  return { kind: NOT_CONNECTED.has(code) ? 'later' : 'unknown', reason: code }
}
