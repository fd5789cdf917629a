import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { SupplyFailure, SupplyUnknown } from '../provider.ts'
import type { Call, Exchange, SupplyClient } from '../wire/client.ts'
import { byCode, failed, unknown } from '../wire/outcome.ts'
import { PENDING_WAIT_MS, RECHARGED_WAIT_MS, RELOADLY_CODES, RELOADLY_MESSAGES } from './codes.ts'

export type Part = 'topups' | 'giftcards'

export interface ReloadlyOptions {
  readonly clientId: string
  readonly clientSecret: Secret
  /** Any of them may have signed a notice: two while one is being replaced. */
  readonly webhookSecrets: readonly Secret[]
  readonly environment: 'live' | 'sandbox'
  /** One origin in place of all of Reloadly's. */
  readonly baseUrl?: string
  readonly client: SupplyClient
  readonly now: () => Date
}

export type ReloadlyApi = (
  part: Part,
  call: Pick<Call, 'method' | 'body'> & { readonly path: string },
) => Promise<Exchange>

/** A token is not used in its last minute. */
const TOKEN_MARGIN_MS = 60_000
const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.string().regex(/^\d{1,9}$/),
})
const errorAnswer = z.object({
  errorCode: z.string().nullish(),
  message: z.string().nullish(),
})

/** Calls with a token for each audience, kept until it expires; one that Reloadly no longer knows is replaced once. */
export function openReloadlyApi(options: ReloadlyOptions): ReloadlyApi {
  const kept = new Map<Part, { readonly token: string; readonly until: number }>()
  const { now, client } = options
  async function token(part: Part): Promise<string | Exchange> {
    const known = kept.get(part)
    if (known && known.until > now().getTime()) return known.token
    const exchange = await client({
      method: 'POST',
      url: `${options.baseUrl ?? 'https://auth.reloadly.com'}/oauth/token`,
      body: {
        client_id: options.clientId,
        client_secret: options.clientSecret.reveal(),
        grant_type: 'client_credentials',
        audience: hostOf(part, options.environment),
      },
    })
    const parsed = tokenAnswer.safeParse(exchange.kind === 'answer' ? exchange.json : undefined)
    if (!parsed.success) return noToken(exchange)
    kept.set(part, {
      token: parsed.data.access_token,
      until: now().getTime() + Number(parsed.data.expires_in) * 1_000 - TOKEN_MARGIN_MS,
    })
    return parsed.data.access_token
  }
  async function once(part: Part, call: Parameters<ReloadlyApi>[1]): Promise<Exchange> {
    const bearer = await token(part)
    if (typeof bearer !== 'string') return bearer
    return client({
      method: call.method,
      url: `${options.baseUrl ?? hostOf(part, options.environment)}${call.path}`,
      headers: {
        accept: `application/com.reloadly.${part}-v1+json`,
        authorization: `Bearer ${bearer}`,
      },
      ...(call.body === undefined ? {} : { body: call.body }),
    })
  }
  return async (part, call) => {
    const exchange = await once(part, call)
    if (!isTokenRefused(exchange)) return exchange
    kept.delete(part)
    return once(part, call)
  }
}

const hostOf = (part: Part, environment: ReloadlyOptions['environment']) =>
  `https://${part}${environment === 'live' ? '' : '-sandbox'}.reloadly.com`

/** What was asked for was not sent, whatever became of asking for a token; a refusal of our credentials is told as such. */
function noToken(exchange: Exchange): Exchange {
  const { errorCode } =
    errorAnswer.safeParse(exchange.kind === 'answer' ? exchange.json : null).data ?? {}
  if (exchange.kind === 'answer' && errorCode === 'INVALID_CREDENTIALS') return exchange
  return { kind: 'not_sent', why: 'Reloadly gave no token' }
}

function isTokenRefused(exchange: Exchange): boolean {
  if (exchange.kind !== 'answer' || exchange.status !== 401) return false
  const { errorCode } = errorAnswer.safeParse(exchange.json).data ?? {}
  return errorCode === 'TOKEN_EXPIRED' || errorCode === 'INVALID_TOKEN'
}

/** What an answer that is no success says, by its code; by its message where the code is left out. */
export function errorOf(exchange: Exchange, now: Date): SupplyFailure | SupplyUnknown {
  if (exchange.kind === 'not_sent') return failed('supplier', 'not_sent', exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const parsed = errorAnswer.safeParse(exchange.json)
  if (!parsed.success) return unknown(`answer ${exchange.status} in an unknown form`)
  const { errorCode, message } = parsed.data
  if (!errorCode)
    return message && Object.hasOwn(RELOADLY_MESSAGES, message)
      ? failed('price', 'INVALID_PRICE', message)
      : unknown(`answer ${exchange.status}: ${message ?? ''}`)
  const wait = {
    PHONE_RECENTLY_RECHARGED: RECHARGED_WAIT_MS,
    RECIPIENT_HAS_PENDING_TRANSACTION: PENDING_WAIT_MS,
  }[errorCode]
  return byCode(
    RELOADLY_CODES,
    errorCode,
    message,
    wait === undefined ? {} : { until: new Date(now.getTime() + wait) },
  )
}
