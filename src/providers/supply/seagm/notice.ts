import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { SupplyRefusal, type SupplyNotice } from '../provider.ts'
import { readJson } from '../wire/json.ts'
import { fingerprintOf, isFresh, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { seagmSignature } from './api.ts'

const WINDOW_MS = 10 * 60_000
const payload = z.record(z.string(), z.string())

/** The whole order, signed as calls are: as a form or as JSON, which of them is not verified. */
export function readSeagmNotice(body: Uint8Array, now: Date, key: Secret): SupplyNotice {
  const text = Buffer.from(body).toString('utf8')
  const told =
    payload.safeParse(readJson(text)).data ?? Object.fromEntries(new URLSearchParams(text))
  if (!isSameText(seagmSignature(told, key), told.signature ?? ''))
    throw new SupplyRefusal('the signature is not theirs')
  if (!isFresh(told.timestamp ?? '', now, WINDOW_MS)) throw new SupplyRefusal('too old')
  return {
    eventId: fingerprintOf(body),
    kind: cleanText(told.status_code, 80),
    reference: idOf(told.mch_order_id),
    supplierId: idOf(told.id ?? told.order_id),
  }
}
