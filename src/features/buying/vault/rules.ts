import { isDay } from '#kernel/day.ts'

/** What a card key is made of, by the names its brand gives the parts: `code`; `number` and `pin`; `serial`, `pin` and `expiry`; `url`; `image`. */
export type KeyParts = Readonly<Record<string, string>>

/** What a shopper's key says. */
export interface OpenedKey {
  /** Public id of the unit. */
  readonly unit: string
  readonly parts: KeyParts
}

/** How keys of a brand look. */
export interface KeyFormat {
  readonly parts: readonly { readonly name: string; readonly pattern: string }[]
}

/** Whether keys of a brand are pictures and nothing beside. */
export const arePictures = ({ parts }: KeyFormat): boolean =>
  parts.length === 1 && parts[0]?.name === 'image'

/** Of a brand that says nothing about its keys. */
export const ANY_CODE: KeyFormat = { parts: [{ name: 'code', pattern: '^.{3,2000}$' }] }

export const KEY_STATUSES = ['quarantined', 'free', 'claimed', 'delivered', 'void'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

/** From a status to those it may become. What was shown never returns to stock. */
export const KEY_TRANSITIONS: Readonly<Record<KeyStatus, readonly KeyStatus[]>> = {
  quarantined: ['free', 'void'],
  // Delivered at once: claimed and delivered in one step.
  free: ['claimed', 'delivered', 'quarantined', 'void'],
  // Kept back after a restore, which may have lost who bought it.
  claimed: ['delivered', 'free', 'quarantined', 'void'],
  delivered: ['void'],
  void: [],
}

export type KeyPurpose = 'reveal' | 'export' | 'picture' | 'check'

/** Parts that change nothing about which card it is. */
export const SECONDARY = new Set(['expiry', 'cvv'])
export const PART_MAX = 4_000
/** Of a picture, in bytes. */
export const PICTURE_MAX = 1_048_576

/** Which card a key is, however it was typed: what two rows may never share. Letters keep their case where the brand's codes have both. */
export function identityOf(brand: string, format: KeyFormat, parts: KeyParts): string {
  const identifying = format.parts.some(({ name }) => name === 'number')
    ? ['number']
    : format.parts.map(({ name }) => name).filter((name) => !SECONDARY.has(name))
  const texts = identifying.map((name) => {
    const pattern = format.parts.find((part) => part.name === name)?.pattern ?? ''
    return `${name}=${normalisePart(name, parts[name] ?? '', pattern)}`
  })
  return [brand, ...texts].join('|')
}

/** NFKC without blanks, hyphens and the like; in capitals unless small letters mean something. Addresses and pictures stay as they are. */
function normalisePart(name: string, text: string, pattern: string): string {
  if (name === 'url' || name === 'image') return text.trim()
  const bare = text.normalize('NFKC').replaceAll(/[\s\p{Pd}._]/gu, '')
  return /a-z/.test(pattern) || pattern === ANY_CODE.parts[0]?.pattern ? bare : bare.toUpperCase()
}

/** What of a key may be seen: its last characters, never more than a third of it, and never of a PIN that stands beside a number. */
export function lastCharacters(format: KeyFormat, parts: KeyParts): string {
  const names = format.parts.map(({ name }) => name)
  const name =
    ['number', 'serial', 'code'].find((candidate) => names.includes(candidate)) ??
    names[0] ??
    'code'
  if (name === 'image' || name === 'url') return '····'
  const bare = [...(parts[name] ?? '').replaceAll(/[\s\p{Pd}]/gu, '')]
  return bare.slice(-Math.min(4, Math.max(1, Math.floor(bare.length / 3)))).join('') || '·'
}

/** The key of a file of keys that waits to be taken: wrapped by the vault, as the key of each row is. */
export interface WrappedFileKey {
  readonly wrappedKey: Buffer
  readonly kekId: number
}

export type LineFault = 'columns' | 'part' | 'date' | 'expired' | 'too_long'

export interface KeyLine {
  readonly parts: KeyParts
  /** A calendar day, '2027-06-30'; null for a key that does not expire. */
  readonly expiresOn: string | null
}

export type ReadLine =
  | { readonly key: KeyLine }
  | { readonly fault: LineFault; readonly part?: string }

/** The columns of a file: those its first line names, else the brand's parts in their order, and a day at the end where there is one more. */
export function columnsOf(
  firstLine: readonly string[],
  format: KeyFormat,
): { readonly columns: readonly string[]; readonly isHeader: boolean } {
  const names = format.parts.map(({ name }) => name)
  const given = firstLine.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const isHeader =
    names.every((name) => given.includes(name)) &&
    given.every((name) => names.includes(name) || name === 'expires_on')
  return isHeader ? { columns: given, isHeader } : { columns: [...names, 'expires_on'], isHeader }
}

/** One line of a file as a key, or what is wrong with it; what stands in it is never part of the answer to a fault. */
export function readKeyLine(
  cells: readonly string[],
  columns: readonly string[],
  format: KeyFormat,
  today: string,
): ReadLine {
  const isDayLeftOut = cells.length === columns.length - 1 && columns.at(-1) === 'expires_on'
  if (cells.length !== columns.length && !isDayLeftOut) return { fault: 'columns' }
  const values = Object.fromEntries(
    columns.map((name, index) => [name, (cells[index] ?? '').trim()]),
  )
  for (const { name, pattern } of format.parts) {
    const value = values[name] ?? ''
    if (name === 'image') {
      const picture = readPicture(value)
      if ('fault' in picture) return { ...picture, part: name }
      values[name] = picture.dataUrl
      continue
    }
    if (value.length > PART_MAX) return { fault: 'too_long', part: name }
    if (
      !new RegExp(pattern, 'u').test(value) ||
      (name === 'url' && !/^https?:\/\/[^\s/]+/i.test(value))
    )
      return { fault: 'part', part: name }
  }
  const day = values['expires_on'] ?? ''
  if (day !== '' && !isDay(day)) return { fault: 'date' }
  if (day !== '' && day <= today) return { fault: 'expired' }
  return {
    key: {
      parts: Object.fromEntries(format.parts.map(({ name }) => [name, values[name] ?? ''])),
      expiresOn: day === '' ? null : day,
    },
  }
}

/** First bytes of the kinds of pictures that are taken. What a file calls itself counts for nothing. */
const PICTURES = [
  {
    type: 'png',
    test: (bytes: Buffer) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  },
  { type: 'jpeg', test: (bytes: Buffer) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  {
    type: 'webp',
    test: (bytes: Buffer) =>
      bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
] as const

/** A picture in base64, alone or as a data URL, as a data URL of what it truly is. */
function readPicture(text: string): { readonly dataUrl: string } | { readonly fault: LineFault } {
  const coded = text.replace(/^data:[a-z/+.-]*;base64,/i, '')
  if (coded.length > PICTURE_MAX * 1.4) return { fault: 'too_long' }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(coded)) return { fault: 'part' }
  return pictureOf(Buffer.from(coded, 'base64'))
}

interface PictureKind {
  readonly type: string
  readonly test: (bytes: Buffer) => boolean
}

/** A picture as a data URL of what it truly is. */
export function pictureOf(
  bytes: Buffer,
  others: readonly PictureKind[] = [],
): { readonly dataUrl: string } | { readonly fault: LineFault } {
  if (bytes.length > PICTURE_MAX) return { fault: 'too_long' }
  const kind = [...PICTURES, ...others].find(({ test }) => test(bytes))
  return kind
    ? { dataUrl: `data:image/${kind.type};base64,${bytes.toString('base64')}` }
    : { fault: 'part' }
}
