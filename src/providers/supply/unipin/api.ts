import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { SupplyFailure, SupplyUnknown } from '../provider.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { byCode, failed, notSent, unknown, type CodeTable } from '../wire/outcome.ts'
import { hmacHex } from '../wire/signed.ts'

export interface UnipinOptions {
  readonly partnerId: string
  readonly secret: Secret
  readonly baseUrl: string
  /** What the account that vouchers are paid from is kept in; null: there are none. */
  readonly voucherCurrency: string | null
  readonly client: SupplyClient
  readonly now: () => Date
}

/** In-game top-up, signed in its headers. */
export type UnipinApi = (path: string, body: object) => Promise<Exchange>
/** Vouchers, signed in the body: over these parts of it, or over the time of the call (`logid`). */
export type UnipinVoucherApi = (
  path: string,
  body: object,
  signed: readonly (string | number)[] | 'logid',
) => Promise<Exchange>

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1_000)

export function openUnipinApi(options: UnipinOptions): UnipinApi {
  const { partnerId, secret, baseUrl, client, now } = options
  return (path, body) => {
    const timestamp = String(secondsOf(now()))
    return client({
      method: 'POST',
      url: `${baseUrl}/${path}`,
      headers: {
        partnerid: partnerId,
        timestamp,
        path,
        auth: hmacHex('sha256', secret, `${partnerId}${timestamp}${path}`),
      },
      body,
    })
  }
}

export function openUnipinVoucherApi(options: UnipinOptions): UnipinVoucherApi {
  const { partnerId, secret, baseUrl, client, now } = options
  return (path, body, signed) => {
    const logid = secondsOf(now())
    const parts = signed === 'logid' ? [logid] : signed
    const signature = createHash('sha256')
      .update([partnerId, ...parts, secret.reveal()].join(''))
      .digest('hex')
    return client({
      method: 'POST',
      url: `${baseUrl}/${path}`,
      body: {
        ...body,
        partner_guid: partnerId,
        ...(signed === 'logid' ? { logid } : {}),
        signature,
      },
    })
  }
}

const refusal = z.object({
  status: z.literal('0'),
  // Top-ups name it `code`, vouchers `error_code`.
  error: z.object({
    code: z.string().nullish(),
    error_code: z.string().nullish(),
    message: z.string().nullish(),
  }),
})

export function errorOf(exchange: Exchange, table: CodeTable): SupplyFailure | SupplyUnknown {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = refusal.safeParse(exchange.json).data
  const code = told?.error.code ?? told?.error.error_code
  return told && code
    ? byCode(table, code, told.error.message)
    : unknown(`answer ${exchange.status} in an unknown form`)
}

/** The order itself was not sent. */
export const beforeSending = (told: SupplyFailure | SupplyUnknown): SupplyFailure =>
  told.kind === 'unknown' ? failed('supplier', 'not_sent', told.why) : told
