import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { SupplyOrder } from '../provider.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { byCode, failed, unknown, type CodeTable } from '../wire/outcome.ts'
import { hmacHex } from '../wire/signed.ts'

export interface SeagmOptions {
  readonly uid: string
  readonly secret: Secret
  readonly baseUrl: string
  readonly client: SupplyClient
  readonly now: () => Date
}

/**
 * Only these answers are published. Codes inside `error_info` are not, so that an order refused for its own sake is looked for by our
 * reference until it is certain that there is none.
 */
export const SEAGM_CODES: CodeTable = { '409': 'ours', '412': 'ours', '413': 'wait' }
const TOO_MANY_WAIT_MS = 60_000

const envelope = z.object({
  code: z.string(),
  msg: z.string().nullish(),
  data: z.unknown().optional(),
  error_info: z
    .object({ info_code: z.string().nullish(), info_message: z.string().nullish() })
    .nullish(),
})

export type SeagmParameters = Readonly<Record<string, string>>
export type SeagmApi = (
  method: 'GET' | 'POST',
  path: string,
  parameters?: SeagmParameters,
) => Promise<Exchange>

/** All parameters by their names, then the digest. */
export function seagmSignature(parameters: SeagmParameters, key: Secret): string {
  const text = Object.keys(parameters)
    .filter((name) => name !== 'signature')
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
  return hmacHex('sha256', key, text)
}

export function openSeagmApi({ uid, secret, baseUrl, client, now }: SeagmOptions): SeagmApi {
  return (method, path, parameters = {}) => {
    const plain = { ...parameters, uid, timestamp: String(Math.floor(now().getTime() / 1_000)) }
    const signed = new URLSearchParams({ ...plain, signature: seagmSignature(plain, secret) })
    return method === 'GET'
      ? client({ method, url: `${baseUrl}${path}?${signed}` })
      : client({ method, url: `${baseUrl}${path}`, body: signed })
  }
}

/** They have calls of their own. */
export const areCards = ({ kind }: Pick<SupplyOrder, 'kind'>): boolean =>
  kind === 'giftcard' || kind === 'voucher' || kind === 'key'

/** The data of a success; null for anything else. */
export function dataOf(exchange: Exchange): unknown {
  const told = exchange.kind === 'answer' ? envelope.safeParse(exchange.json).data : undefined
  return told?.code === '200' && !told.error_info ? (told.data ?? null) : null
}

export function errorOf(exchange: Exchange, now: Date) {
  if (exchange.kind === 'not_sent') return failed('supplier', 'not_sent', exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = envelope.safeParse(exchange.json).data
  if (!told) return unknown(`answer ${exchange.status} in an unknown form`)
  if (told.code === '200') return unknown('a success that holds nothing we know')
  const more = told.code === '413' ? { until: new Date(now.getTime() + TOO_MANY_WAIT_MS) } : {}
  return byCode(SEAGM_CODES, told.code, told.error_info?.info_message ?? told.msg, more)
}
