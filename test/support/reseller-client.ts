import { createHash, createHmac, randomUUID } from 'node:crypto'

export interface ResellerAnswer {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ResellerClient {
  readonly get: (path: string, query?: Readonly<Record<string, string>>) => Promise<ResellerAnswer>
  readonly post: (path: string, body: unknown) => Promise<ResellerAnswer>
}

/** How a request is sent; what is left out is as it should be. */
export interface Sent {
  readonly timestamp?: string
  readonly nonce?: string
  readonly signature?: string
  readonly key?: string
  /** Sent in place of what was signed. */
  readonly body?: string
}

/** A reseller's program, written by what docs/selling/reseller-api.md says and nothing else. */
export function resellerClient(
  origin: string,
  { key, secret }: { readonly key: string; readonly secret: string },
  currency = 'USD',
): ResellerClient {
  const call = (
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body: string,
  ) => {
    const target = `/api/reseller/${path}?${new URLSearchParams({ ...query, currency_code: currency }).toString()}`
    return sendSigned(origin, { key, secret }, { method, target, body })
  }
  return {
    get: (path, query = {}) => call('GET', path, query, ''),
    post: (path, body) => call('POST', path, {}, JSON.stringify(body)),
  }
}

export async function sendSigned(
  origin: string,
  { key, secret }: { readonly key: string; readonly secret: string },
  request: { readonly method: string; readonly target: string; readonly body: string },
  sent: Sent = {},
): Promise<ResellerAnswer> {
  const timestamp = sent.timestamp ?? String(Math.floor(Date.now() / 1_000))
  const nonce = sent.nonce ?? randomUUID()
  const hash = createHash('sha256').update(request.body).digest('hex')
  const text = [request.method, request.target, timestamp, nonce, hash].join('\n')
  const signature = `v1=${createHmac('sha256', secret).update(text).digest('hex')}`
  const answer = await fetch(origin + request.target, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      'reseller-key': sent.key ?? key,
      'reseller-timestamp': timestamp,
      'reseller-nonce': nonce,
      'reseller-signature': sent.signature ?? signature,
    },
    ...(request.method === 'POST' ? { body: sent.body ?? request.body } : {}),
  })
  return { status: answer.status, ...((await answer.json()) as Omit<ResellerAnswer, 'status'>) }
}
