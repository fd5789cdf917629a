import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { hmacHex } from '../wire/signed.ts'

export interface LukadoOptions {
  /** Of the other shop. */
  readonly origin: string
  readonly key: string
  readonly secret: Secret
  /** What is bought in, and paid from the balance. */
  readonly currency: string
  /** Of the endpoint there that its webhooks come from; null where there is none. */
  readonly webhookSecret: Secret | null
  readonly client: SupplyClient
  readonly now: () => Date
  /** Another for each request. */
  readonly newNonce: () => string
}

/** A call of the other shop's reseller API, signed. */
export type LukadoApi = (
  method: 'GET' | 'POST',
  path: string,
  given: Readonly<Record<string, unknown>>,
) => Promise<Exchange>

export function openLukadoApi(options: LukadoOptions): LukadoApi {
  const { origin, key, secret, currency, client, now, newNonce } = options
  return (method, path, given) => {
    const query = new URLSearchParams({ currency_code: currency })
    if (method === 'GET')
      for (const [name, value] of Object.entries(given)) query.set(name, String(value))
    const target = `/api/reseller/${path}?${query.toString()}`
    const body = method === 'POST' ? JSON.stringify(given) : ''
    const [timestamp, nonce] = [String(Math.floor(now().getTime() / 1_000)), newNonce()]
    const hash = createHash('sha256').update(body).digest('hex')
    const signature = hmacHex('sha256', secret, [method, target, timestamp, nonce, hash].join('\n'))
    return client({
      method,
      url: origin + target,
      headers: {
        'reseller-key': key,
        'reseller-timestamp': timestamp,
        'reseller-nonce': nonce,
        'reseller-signature': `v1=${signature}`,
      },
      ...(method === 'POST' ? { body } : {}),
    })
  }
}

const envelope = z.object({ code: z.string(), msg: z.string().optional(), data: z.unknown() })
/** Numbers are texts. */
export type Envelope = z.infer<typeof envelope>

export const envelopeIn = (exchange: Exchange): Envelope | null =>
  exchange.kind === 'answer' ? (envelope.safeParse(exchange.json).data ?? null) : null

/** What a read was answered with, in its shape; null where it was not. */
export function dataIn<T>(shape: z.ZodType<T>, exchange: Exchange): T | null {
  const told = envelopeIn(exchange)
  return told?.code === '1' ? (shape.safeParse(told.data).data ?? null) : null
}

export const moneyShape = z.object({ amount: z.string(), currency: z.string() })
