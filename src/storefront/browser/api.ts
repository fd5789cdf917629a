import type { ApiCalls, ApiPosts } from '#api/contract.ts'
import { endProgress, startProgress } from '../state/progress.ts'
import { showToast } from '../state/toasts.ts'

/** What a call may ask for beside its answer (specification §7, "Per-request options"). */
export interface CallOptions {
  /** Show the answer's message when it went well. Off. */
  readonly showSuccessMsg?: boolean
  /** Show the message of a refusal (an envelope code other than 1) as a closable toast. On. */
  readonly showCheckMsg?: boolean
  /** Show 'Request failed' for 3 s on HTTP and network errors. Off. */
  readonly showErrorMsg?: boolean
  /** Show the progress bar, and answer no sooner than after 200 ms, so that it does not flicker. Off. */
  readonly showLoading?: boolean
  /** Only with a session: without one the call is refused here. Off. */
  readonly needToken?: boolean
  /** Envelope codes to hand to the caller as they are. */
  readonly customCode?: readonly number[]
  /** Answer `data` alone instead of the envelope. On. */
  readonly cutData?: boolean
  /** Of a post of somebody signed in: sent again under the same key it happens once, and is answered as the first time. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

/** A call that did not succeed: `code` is the envelope's, or the HTTP status; `data` what the refusal holds. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

const TIMEOUT_MS = 30_000
const MINIMUM_DELAY_MS = 200
const ERROR_TOAST_MS = 3_000
const SUCCESS_TOAST_MS = 3_000

export interface Client {
  readonly get: <Path extends keyof ApiCalls>(
    path: Path,
    query: ApiCalls[Path]['query'],
    options?: CallOptions,
  ) => Promise<ApiCalls[Path]['data']>
  /** A body that holds a file goes as a form, any other as JSON. */
  readonly post: <Path extends keyof ApiPosts>(
    path: Path,
    body: ApiPosts[Path]['body'],
    options?: CallOptions,
  ) => Promise<ApiPosts[Path]['data']>
}

/** Who is signed in, as far as this browser knows, and what to do when the server says otherwise. */
interface ClientSession {
  readonly isSignedIn: () => boolean
  readonly onExpired: () => void
}

/** What the client says and asks in. */
interface ClientWords {
  readonly language: string
  readonly currency: string
  readonly requestFailed: string
}

/** The browser's client of the wire contract; it adds language, currency and device to every call, never a token. */
export function createClient(words: ClientWords, session: ClientSession): Client {
  return {
    get: (path, query, options = {}) =>
      call(`/api/${path}?${parameters(query)}`, { method: 'GET' }, options) as Promise<
        ApiCalls[typeof path]['data']
      >,
    post: (path, body, options = {}) =>
      call(
        `/api/${path}?${parameters({})}`,
        { method: 'POST', ...encoded(body, options.idempotencyKey) },
        options,
      ) as Promise<ApiPosts[typeof path]['data']>,
  }

  async function call(
    address: string,
    request: RequestInit,
    options: CallOptions,
  ): Promise<unknown> {
    if (options.needToken && !session.isSignedIn()) throw new CallFailed(401, '')
    if (options.showLoading) startProgress()
    const minimum = options.showLoading
      ? new Promise((resolve) => setTimeout(resolve, MINIMUM_DELAY_MS))
      : null
    try {
      const envelope = await send(address, request, options, session)
      await minimum
      if (options.showLoading) endProgress('done')
      return accept(envelope, options, session)
    } catch (error) {
      if (options.showLoading) endProgress('failed')
      if (isHttpFailure(error) && options.showErrorMsg)
        showToast('error', words.requestFailed, ERROR_TOAST_MS)
      throw error
    }
  }

  /** The session is a cookie; the `token` of the contract says so and holds nothing secret. */
  function parameters(query: object): URLSearchParams {
    const common = {
      lang: words.language,
      currency_code: words.currency,
      deviceType: deviceType(),
      token: session.isSignedIn() ? 'cookie' : '',
    }
    const entries = Object.entries({ ...query, ...common }).filter(
      ([, value]) => value !== undefined,
    )
    return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  }
}

async function send(
  address: string,
  request: RequestInit,
  options: CallOptions,
  session: ClientSession,
): Promise<Envelope> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(options.signal ? [options.signal] : [])]
  const headers = { accept: 'application/json', ...request.headers }
  const response = await fetch(address, { ...request, headers, signal: AbortSignal.any(signals) })
  if (response.status === 401) {
    session.onExpired()
    throw new CallFailed(401, '')
  }
  if (response.status === 200) return (await response.json()) as Envelope
  const refused = (await response.json().catch(() => null)) as Envelope | null
  throw new CallFailed(response.status, refused?.msg ?? '', refused?.data)
}

function accept(envelope: Envelope, options: CallOptions, session: ClientSession): unknown {
  if (envelope.code !== 1 && !options.customCode?.includes(envelope.code)) {
    if (envelope.code === 401) session.onExpired()
    else if (options.showCheckMsg !== false) showToast('error', envelope.msg)
    throw new CallFailed(envelope.code, envelope.msg, envelope.data)
  }
  if (envelope.code === 1 && options.showSuccessMsg) showToast('ok', envelope.msg, SUCCESS_TOAST_MS)
  return options.cutData === false ? envelope : envelope.data
}

/** Envelope codes of business failures lie above those of HTTP. */
const BUSINESS_CODES = 1_000

function isHttpFailure(error: unknown): boolean {
  return !(error instanceof CallFailed) || error.code < BUSINESS_CODES
}

function encoded(body: object, idempotencyKey: string | undefined): RequestInit {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  if (!Object.values(body).some((value) => value instanceof Blob))
    return {
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    }
  const form = new FormData()
  for (const [name, value] of Object.entries(body) as [string, unknown][])
    form.append(name, value instanceof Blob ? value : String(value))
  return { body: form, headers }
}

function deviceType(): 'pc' | 'mobile' {
  return matchMedia('(max-width: 767px)').matches ? 'mobile' : 'pc'
}
