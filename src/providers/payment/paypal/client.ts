import { z } from 'zod'
import { requestHeaders } from '#platform/request-scope.ts'
import type { Secret } from '#platform/secret.ts'
import { ProviderRefusal } from '../provider.ts'

export interface PaypalClientOptions {
  readonly clientId: string
  readonly clientSecret: Secret
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly now: () => Date
}

export interface PaypalCall {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** A text goes out as it is. */
  readonly body?: unknown
  /** Of the body; JSON where left out. */
  readonly type?: string
  /** Sent again under it, a call gives what it gave before; PayPal remembers for six hours. */
  readonly requestId?: string
}

export interface PaypalAnswer {
  readonly status: number
  /** Null for what is no JSON. */
  readonly body: unknown
}

/** One call of PayPal's API; throws when there is no answer. */
export type PaypalClient = (call: PaypalCall) => Promise<PaypalAnswer>

const ANSWER_MAX_BYTES = 2 * 1024 * 1024
/** A token is not used in its last minute. */
const TOKEN_MARGIN_MS = 60_000

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** Calls with a token that is kept until it expires, and asked for once more when PayPal no longer knows it. */
export function openPaypalClient({
  clientId,
  clientSecret,
  baseUrl,
  timeoutMs,
  now,
}: PaypalClientOptions): PaypalClient {
  let kept: { readonly token: string; readonly until: number } | null = null
  let pending: Promise<string> | null = null

  const send = (path: string, init: RequestInit) => ask(`${baseUrl}${path}`, init, timeoutMs)

  async function newToken(): Promise<string> {
    const answer = await askForToken({ clientId, clientSecret, baseUrl, timeoutMs })
    const parsed = tokenAnswer.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success)
      throw new Error(`PayPal gave no token: answer ${answer.status}`)
    kept = {
      token: parsed.data.access_token,
      until: now().getTime() + parsed.data.expires_in * 1_000 - TOKEN_MARGIN_MS,
    }
    return kept.token
  }

  async function token(): Promise<string> {
    if (kept && kept.until > now().getTime()) return kept.token
    pending ??= newToken().finally(() => {
      pending = null
    })
    return pending
  }

  async function callWith(
    bearer: string,
    { method, path, body, requestId, type = 'application/json' }: PaypalCall,
  ): Promise<PaypalAnswer> {
    return send(path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        accept: 'application/json',
        'content-type': type,
        prefer: 'return=representation',
        ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  return async (call) => {
    const answer = await callWith(await token(), call)
    if (answer.status !== 401) return answer
    kept = null
    return callWith(await token(), call)
  }
}

/** The call that every other one needs: it moves nothing, and says whether the app is known. */
export function askForToken({
  clientId,
  clientSecret,
  baseUrl,
  timeoutMs,
}: Omit<PaypalClientOptions, 'now'>): Promise<PaypalAnswer> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64')}`
  return ask(
    `${baseUrl}/v1/oauth2/token`,
    {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    },
    timeoutMs,
  )
}

async function ask(address: string, init: RequestInit, timeoutMs: number): Promise<PaypalAnswer> {
  const answer = await fetch(address, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...requestHeaders() },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: answer.status, body: await bodyOf(answer) }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new Error("PayPal's answer is too large")
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return null
  }
}

/** Answers that say nothing about what was asked: wrong keys or rights, a conflict, too much at once. */
const NO_ANSWER = new Set([401, 403, 408, 409, 425, 429])
const problem = z.object({
  name: z.string().max(100).catch(''),
  details: z.array(z.object({ issue: z.string().max(100).catch('') })).catch([]),
})

/** The body of a success. Throws ProviderRefusal, whose message is PayPal's word for the issue, for a definite no. */
export function bodyOrRefusal<Shape extends z.ZodType>(
  { status, body }: PaypalAnswer,
  shape: Shape,
  more: readonly number[] = [],
): z.infer<Shape> {
  const parsed = status >= 200 && status < 300 ? shape.safeParse(body) : null
  if (parsed?.success) return parsed.data
  const told = problem.safeParse(body)
  const issue =
    (told.success && (told.data.details[0]?.issue || told.data.name)) || `answer ${status}`
  // Something was done under this request id: whether it was what is asked now is open.
  const isDefinite =
    status >= 400 &&
    status < 500 &&
    (!NO_ANSWER.has(status) || more.includes(status)) &&
    issue !== 'DUPLICATE_REQUEST_ID'
  if (isDefinite) throw new ProviderRefusal(issue)
  throw new Error(
    parsed ? `PayPal answered ${status} in an unknown form` : `PayPal answered ${status}: ${issue}`,
  )
}
