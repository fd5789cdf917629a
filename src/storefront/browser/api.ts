import type { ApiCalls } from '#api/contract.ts'
import { endProgress, startProgress } from '../state/progress.ts'
import { showToast } from '../state/toasts.ts'
import type { Words } from '../i18n.tsx'

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
  readonly signal?: AbortSignal
}

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: unknown
}

/** A call that did not succeed: `code` is the envelope's, or the HTTP status. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const TIMEOUT_MS = 30_000
const MINIMUM_DELAY_MS = 200
const ERROR_TOAST_MS = 3_000
const SUCCESS_TOAST_MS = 3_000

export interface Client {
  readonly get: <Path extends keyof ApiCalls>(path: Path, query: ApiCalls[Path]['query'], options?: CallOptions) => Promise<ApiCalls[Path]['data']>
}

/** The browser's client of the wire contract; it adds language, currency and device to every call, never a token. */
export function createClient(words: Words, currency: string, session: { readonly isSignedIn: () => boolean; readonly onExpired: () => void }): Client {
  return {
    get: async (path, query, options = {}) => {
      if (options.needToken && !session.isSignedIn()) throw new CallFailed(401, '')
      if (options.showLoading) startProgress()
      const minimum = options.showLoading ? new Promise((resolve) => setTimeout(resolve, MINIMUM_DELAY_MS)) : null
      try {
        const envelope = await send(path, { ...query, lang: words.language, currency_code: currency, deviceType: deviceType() }, options)
        await minimum
        if (options.showLoading) endProgress('done')
        return accept(envelope, options) as ApiCalls[typeof path]['data']
      } catch (error) {
        if (options.showLoading) endProgress('failed')
        if (!(error instanceof CallFailed) && options.showErrorMsg) showToast('error', words.t('shell.requestFailed'), ERROR_TOAST_MS)
        throw error
      }
    },
  }

  async function send(path: string, query: object, options: CallOptions): Promise<Envelope> {
    const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]))
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(options.signal ? [options.signal] : [])]
    const response = await fetch(`/api/${path}?${params}`, { signal: AbortSignal.any(signals), headers: { accept: 'application/json' } })
    if (response.status === 401) {
      session.onExpired()
      throw new CallFailed(401, '')
    }
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
    return (await response.json()) as Envelope
  }

  function accept(envelope: Envelope, options: CallOptions): unknown {
    if (envelope.code !== 1 && !options.customCode?.includes(envelope.code)) {
      if (envelope.code === 401) session.onExpired()
      else if (options.showCheckMsg !== false) showToast('error', envelope.msg)
      throw new CallFailed(envelope.code, envelope.msg)
    }
    if (envelope.code === 1 && options.showSuccessMsg) showToast('ok', envelope.msg, SUCCESS_TOAST_MS)
    return options.cutData === false ? envelope : envelope.data
  }
}

function deviceType(): 'pc' | 'mobile' {
  return matchMedia('(max-width: 767px)').matches ? 'mobile' : 'pc'
}
