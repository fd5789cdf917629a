import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type { CardsOutcome, SupplyCard, SupplyPurchase } from '../provider.ts'
import type { Exchange } from '../wire/client.ts'
import { dataIn } from './api.ts'

const keysShape = z.object({
  reference: z.string(),
  units: z.array(
    z.object({
      id: z.string(),
      item: z.string(),
      parts: z.record(z.string(), z.string().max(4_194_304)),
      expires_on: z.iso.date().nullable(),
    }),
  ),
})
/** What of a card there is a place for; one with more is not handed over in part. */
const KNOWN = new Set(['code', 'number', 'pin', 'cvv', 'serial', 'url', 'image'])
const PICTURE = /^data:(image\/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/]+=*)$/

/** Exactly the cards that were bought, or that they are not known. */
export function cardsOf(exchange: Exchange, purchase: SupplyPurchase): CardsOutcome {
  const told = dataIn(keysShape, exchange)
  if (!told) return { kind: 'unknown', why: 'no codes' }
  if (
    told.reference !== purchase.reference ||
    told.units.some(({ item }) => item !== purchase.product)
  )
    return { kind: 'unknown', why: 'codes of something else' }
  if (told.units.length !== purchase.quantity)
    return { kind: 'unknown', why: 'not as many codes as were bought' }
  const cards = told.units.map(cardOf)
  return cards.some((card) => card === null)
    ? { kind: 'unknown', why: 'a card of a form that is not known' }
    : { kind: 'cards', cards: cards.flatMap((card) => (card ? [card] : [])) }
}

const hidden = (value: string | undefined) => (value === undefined ? null : secret(value))

function cardOf({
  id,
  parts,
  expires_on: expiresOn,
}: z.infer<typeof keysShape>['units'][number]): SupplyCard | null {
  const [, type, bytes] = PICTURE.exec(parts['image'] ?? '') ?? []
  const isWhole =
    Object.keys(parts).length > 0 &&
    Object.keys(parts).every((name) => KNOWN.has(name)) &&
    !('code' in parts && 'number' in parts) &&
    !('pin' in parts && 'cvv' in parts) &&
    (parts['image'] === undefined || bytes !== undefined)
  if (!isWhole) return null
  return {
    id,
    code: hidden(parts['code'] ?? parts['number']),
    pin: hidden(parts['pin'] ?? parts['cvv']),
    serial: parts['serial'] ?? null,
    url: hidden(parts['url']),
    image: type && bytes ? { type, bytes: Buffer.from(bytes, 'base64') } : null,
    expiresOn,
  }
}
