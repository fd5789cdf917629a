import type { Secret } from '#platform/secret.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { hmacHex, isFresh, isSameText } from '../wire/signed.ts'

export interface HookOptions {
  readonly url: string
  readonly secret: Secret
  readonly client: SupplyClient
  readonly now: () => Date
  /** A credited account is asked about right before it is bought for, and the token of that answer is given with the purchase. */
  readonly checksFirst?: boolean
}

export type HookApi = (
  call: Readonly<Record<string, unknown>> & { readonly action: string },
) => Promise<Exchange>

const WINDOW_MS = 5 * 60_000

/** `v1=` and the digest of the time, a point, and the body as it is sent. */
export const hookSignature = (key: Secret, timestamp: string, body: string | Uint8Array): string =>
  `v1=${hmacHex('sha256', key, Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body)]))}`

export function openHookApi({ url, secret, client, now }: HookOptions): HookApi {
  return (call) => {
    const body = JSON.stringify(call)
    const timestamp = String(Math.floor(now().getTime() / 1_000))
    return client({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'supply-timestamp': timestamp,
        'supply-signature': hookSignature(secret, timestamp, body),
      },
      body,
    })
  }
}

/** Whether a notice was signed by whoever has the secret, and lately. */
export function isHookNotice(body: Uint8Array, headers: Headers, now: Date, key: Secret): boolean {
  const timestamp = headers.get('supply-timestamp') ?? ''
  return (
    isFresh(timestamp, now, WINDOW_MS) &&
    isSameText(hookSignature(key, timestamp, body), headers.get('supply-signature') ?? '')
  )
}
