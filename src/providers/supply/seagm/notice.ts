import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { SupplyRefusal, type SupplyNotice } from '../provider.ts'
import { readJson } from '../wire/json.ts'
import { fingerprintOf, isFresh, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { seagmSignature } from './api.ts'

const WINDOW_MS = 10 * 60_000
/** The signature stands within, so that anybody's notice is taken apart: an order has no more than this. */
const MOST_BYTES = 16 * 1024
const MOST_MEMBERS = 100
const SIGNATURE = /^[0-9a-f]{64}$/
const payload = z.record(z.string(), z.string())

/** The whole order, signed as calls are: as a form or as JSON, which of them is not verified. */
export function readSeagmNotice(body: Uint8Array, now: Date, key: Secret): SupplyNotice {
  const told = membersOf(body)
  const signature = told?.signature ?? ''
  if (!told || !SIGNATURE.test(signature) || !isSameText(seagmSignature(told, key), signature))
    throw new SupplyRefusal('the signature is not theirs')
  if (!isFresh(told.timestamp ?? '', now, WINDOW_MS)) throw new SupplyRefusal('too old')
  return {
    eventId: fingerprintOf(body),
    kind: cleanText(told.status_code, 80),
    reference: idOf(told.mch_order_id),
    supplierId: idOf(told.id ?? told.order_id),
  }
}

/** Null where there are more than an order has. */
function membersOf(body: Uint8Array): Readonly<Record<string, string>> | null {
  if (body.length > MOST_BYTES) return null
  const text = Buffer.from(body).toString('utf8')
  const json = readJson(text)
  if (json === undefined)
    return text.split('&', MOST_MEMBERS + 1).length > MOST_MEMBERS
      ? null
      : Object.fromEntries(new URLSearchParams(text))
  return Object.keys(json ?? {}).length > MOST_MEMBERS
    ? null
    : (payload.safeParse(json).data ?? null)
}
