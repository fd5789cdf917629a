import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { SupplyRefusal, type SupplyNotice } from '../provider.ts'
import { readJson } from '../wire/json.ts'
import { fingerprintOf, hmacHex, isFresh, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'

const WINDOW_MS = 5 * 60_000
const payload = z.object({
  type: z.string().optional(),
  data: z
    .object({ customIdentifier: z.string().nullish(), transactionId: z.string().nullish() })
    .optional(),
})

/** The form of the signature and the names of the events come from third parties: the notice says only where to look. */
export function readReloadlyNotice(
  body: Uint8Array,
  headers: Headers,
  now: Date,
  secrets: readonly Secret[],
): SupplyNotice {
  const timestamp = headers.get('x-reloadly-request-timestamp') ?? ''
  const signature = headers.get('x-reloadly-signature') ?? ''
  const signed = Buffer.concat([body, Buffer.from(`:${timestamp}`)])
  if (!secrets.some((key) => isSameText(hmacHex('sha256', key, signed), signature)))
    throw new SupplyRefusal('the signature is not theirs')
  if (!isFresh(timestamp, now, WINDOW_MS)) throw new SupplyRefusal('too old')
  const told = payload.safeParse(readJson(Buffer.from(body).toString('utf8'))).data
  return {
    eventId: fingerprintOf(body),
    kind: cleanText(told?.type, 80),
    reference: idOf(told?.data?.customIdentifier),
    supplierId: idOf(told?.data?.transactionId),
  }
}
