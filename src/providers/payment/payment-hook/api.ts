import type { Secret } from '#platform/secret.ts'
import { hookSignature } from '../../supply/hook/api.ts'
import type { Exchange, SupplyClient } from '../../supply/wire/client.ts'
import { isFresh, isSameText } from '../../supply/wire/signed.ts'
import { cleanText } from '../../supply/wire/text.ts'
import { ProviderRefusal } from '../provider.ts'

export interface HookApiOptions {
  readonly url: string
  readonly secret: Secret
  readonly client: SupplyClient
  readonly now: () => Date
}

/** An answer's members; numbers in it are texts. */
export type HookAnswer = Readonly<Record<string, unknown>> & { readonly outcome: string }

/** Throws ProviderRefusal where the service says no for good, and an error where what it says is not known. */
export type HookPaymentApi = (
  call: Readonly<Record<string, unknown>> & { readonly action: string },
) => Promise<HookAnswer>

/** The service answered against the contract: nothing is known by it. */
export class HookContradiction extends Error {
  override readonly name = 'HookContradiction'
}

/** It does not take the shop's signature. */
export class HookUnsigned extends Error {
  override readonly name = 'HookUnsigned'
}

export const HOOK_PAYMENT_TIMEOUT_MS = 10_000
const WINDOW_MS = 5 * 60_000

/** Headers of a call or a notice: the same scheme as of suppliers, under a secret of its own. */
export function paymentHeaders(key: Secret, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  return {
    'content-type': 'application/json',
    'payment-timestamp': timestamp,
    'payment-signature': hookSignature(key, timestamp, body),
  }
}

/** Whether a notice was signed by whoever has the secret, and lately. */
export function isPaymentNotice(body: Uint8Array, headers: Headers, now: Date, key: Secret) {
  const timestamp = headers.get('payment-timestamp') ?? ''
  const given = headers.get('payment-signature') ?? ''
  return (
    isFresh(timestamp, now, WINDOW_MS) && isSameText(hookSignature(key, timestamp, body), given)
  )
}

export function openHookPaymentApi({ url, secret, client, now }: HookApiOptions): HookPaymentApi {
  return async (call) => {
    const body = JSON.stringify(call)
    const headers = paymentHeaders(secret, body, now())
    return readPaymentAnswer(call.action, await client({ method: 'POST', url, headers, body }))
  }
}

/** Throws ProviderRefusal for a no for good, and an error for all that says nothing. */
export function readPaymentAnswer(action: string, exchange: Exchange): HookAnswer {
  if (exchange.kind !== 'answer')
    throw new Error(`the payment service did not answer ${action}: ${exchange.why}`)
  if (exchange.status === 401) throw new HookUnsigned('the payment service took no signature')
  if (exchange.status !== 200)
    throw new Error(`the payment service answered ${action} with ${exchange.status}`)
  const answer = exchange.json
  if (!isAnswer(answer))
    throw new HookContradiction(`the answer to ${action} is no object with an outcome`)
  if (answer.outcome === 'refused')
    throw new ProviderRefusal(cleanText(answer['text']) || cleanText(answer['code']) || 'refused')
  return answer
}

function isAnswer(json: unknown): json is HookAnswer {
  return (
    typeof json === 'object' &&
    json !== null &&
    typeof (json as Record<string, unknown>)['outcome'] === 'string'
  )
}
