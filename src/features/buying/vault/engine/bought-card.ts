import { isDay } from '#kernel/day.ts'
import {
  ANY_CODE,
  PART_MAX,
  pictureOf,
  SECONDARY,
  type KeyFormat,
  type KeyLine,
  type KeyParts,
  type LineFault,
} from '../rules.ts'

/** A card as a supplier hands it over: whatever of these it has. */
export interface BoughtCard {
  readonly code: string | null
  readonly pin: string | null
  readonly serial: string | null
  readonly url: string | null
  readonly image: Uint8Array | null
  /** A calendar day. */
  readonly expiresOn: string | null
}

/** Kinds that suppliers send beside those that an owner imports. */
const SUPPLIERS_PICTURES = [
  { type: 'gif', test: (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'GIF8' },
  { type: 'bmp', test: (bytes: Buffer) => bytes.toString('latin1', 0, 2) === 'BM' },
]

/** A bought card as a key of its brand, or why it cannot be one; what stands in it is never part of that. */
export function boughtKey(
  format: KeyFormat,
  card: BoughtCard,
  today: string,
): { readonly key: KeyLine } | { readonly fault: LineFault } {
  const names = new Set(format.parts.map(({ name }) => name))
  const codeName = !names.has('code') && names.has('number') ? 'number' : 'code'
  const picture =
    card.image === null ? null : pictureOf(Buffer.from(card.image), SUPPLIERS_PICTURES)
  if (picture && 'fault' in picture) return picture
  const given: readonly (readonly [string, string | null])[] = [
    [codeName, card.code],
    ['serial', card.serial],
    ['pin', card.pin],
    ['url', card.url],
    ['image', picture?.dataUrl ?? null],
  ]
  const parts = Object.fromEntries(
    given.flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  )
  // A serial number alone redeems nothing.
  if (!Object.keys(parts).some((name) => name !== 'serial' || names.has(name)))
    return { fault: 'part' }
  if (Object.entries(parts).some(([name, text]) => name !== 'image' && text.length > PART_MAX))
    return { fault: 'too_long' }
  if (parts['url'] !== undefined && !/^https?:\/\/[^\s/]+/i.test(parts['url']))
    return { fault: 'part' }
  const { expiresOn } = card
  if (expiresOn !== null && !isDay(expiresOn)) return { fault: 'date' }
  if (expiresOn !== null && expiresOn <= today) return { fault: 'expired' }
  return { key: { parts, expiresOn } }
}

/**
 * How a key looks that was bought: as its brand's keys do where it has what makes them what they are, so that it is known again however it
 * came; else as itself.
 */
export function boughtFormat(format: KeyFormat, parts: KeyParts): KeyFormat {
  const needed = format.parts.filter(({ name }) => !SECONDARY.has(name))
  if (needed.every(({ name }) => (parts[name] ?? '') !== '')) return format
  const pattern = ANY_CODE.parts[0]?.pattern ?? ''
  return {
    parts: Object.keys(parts)
      .toSorted()
      .map((name) => ({ name, pattern })),
  }
}
