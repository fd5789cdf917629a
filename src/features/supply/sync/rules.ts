import type { SupplyKind } from '#features/supply/routing/rules.ts'
import type { Money } from '#kernel/money.ts'

export interface SupplyField {
  readonly name: string
  readonly type: 'text' | 'number' | 'phone' | 'email' | 'select'
  readonly isRequired: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export const SYNC_FIELDS = ['cost', 'stock', 'name', 'faces'] as const
export type SyncField = (typeof SYNC_FIELDS)[number]
export const SYNC_MODES = ['follow', 'once', 'never'] as const
export type SyncMode = (typeof SYNC_MODES)[number]

/** `draft`: made by a sync and not shown yet. `gone`: listed no more. */
export type ListingStatus = 'mapped' | 'draft' | 'unmatched' | 'excluded' | 'gone'

/** One denomination that a supplier lists. */
export interface Listed {
  readonly product: string
  readonly face: Money | null
  readonly kind: SupplyKind
  readonly name: string
  readonly brand: string | null
  readonly country: string | null
  readonly cost: Money | null
  readonly stock: number | null
  readonly fields: readonly SupplyField[]
}

/** What a supplier may call a product or a field, so that it is kept as it is and asked for again. */
const ID_MAX = 200
const UNKEPT = /[\p{Cc}\p{Cs}]/u
/** Control characters, halves of characters, and those that turn the direction of what stands beside them. */
const HIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const FIELDS_MAX = 30
const OPTIONS_MAX = 1_000
const STOCK_MAX = 1_000_000_000

const isKept = (id: string) => id !== '' && id.length <= ID_MAX && !UNKEPT.test(id)

/** A supplier's words on one line, cut between characters. */
function lineOf(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(HIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, most).join('')
}

export interface TextsOfProduct
  extends Pick<Listed, 'kind' | 'name' | 'brand' | 'country' | 'stock' | 'fields'> {
  readonly id: string
}

/** A supplier's name for something, for a report. */
export const shownId = (id: string) => lineOf(id, 80) || '?'

/** What keeps a product from being stored: a name that it could not be asked for again by, or a field that could not be filled in. */
export function faultOfEntry({
  id,
  fields,
}: Pick<TextsOfProduct, 'id' | 'fields'>): 'id' | 'field' | null {
  if (!isKept(id)) return 'id'
  const areKept =
    fields.length <= FIELDS_MAX &&
    fields.every(
      ({ name, options }) =>
        isKept(name) && options.length <= OPTIONS_MAX && options.every((one) => isKept(one.value)),
    )
  return areKept ? null : 'field'
}

/** What is stored of a product without such a fault, whatever else its supplier wrote: one bad entry keeps up none of the others. */
export function storedOf({
  id,
  kind,
  fields,
  stock,
  ...told
}: TextsOfProduct): Omit<Listed, 'face' | 'cost'> {
  const country = lineOf(told.country ?? '', 10)
  return {
    product: id,
    kind,
    name: lineOf(told.name, 300),
    brand: lineOf(told.brand ?? '', 200) || null,
    country: country === '' ? null : country,
    stock: stock === null || !(stock >= 0) ? null : Math.min(Math.floor(stock), STOCK_MAX),
    fields: fields.map((field) => ({
      ...field,
      options: field.options.map(({ value, label }) => ({ value, label: lineOf(label, ID_MAX) })),
    })),
  }
}

/** What is known here of a denomination of the supplier's. */
export interface Listing {
  readonly product: string
  readonly face: string
  readonly item: string | null
  readonly matchedBy: 'hand' | 'id' | 'name' | 'draft' | null
  readonly score: number | null
  readonly status: ListingStatus
  readonly modes: Readonly<Record<SyncField, SyncMode>>
  readonly isLocked: boolean
  readonly tookOff: boolean
  readonly held: Money | null
  readonly heldAt: Date | null
}

/** An item as far as a sync looks at it. */
export interface KnownItem {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly brandName: string
  readonly delivery: string
  readonly brandKind: string
  readonly kind: string
  readonly countries: readonly string[] | null
  readonly face: Money | null
  readonly units: string | null
  readonly reference: string | null
  readonly isActive: boolean
  /** Made by a sync with this supplier. */
  readonly isOwn: boolean
  /** At this supplier. */
  readonly offer: KnownOffer | null
  /** At others that are switched on. */
  readonly otherOffers: number
}

export interface KnownOffer {
  readonly product: string
  readonly face: Money | null
  readonly cost: Money
  readonly isOn: boolean
}

export const faceKey = (face: Money | null): string =>
  face ? `${face.minor} ${face.currency}` : ''
export const listingKey = ({
  product,
  face,
}: {
  readonly product: string
  readonly face: string
}) => `${product}\n${face}`

/** Kinds that a supplier credits to an account; what it hands over is another matter. */
export function isCredited(kind: SupplyKind): kind is 'topup' | 'recharge' | 'data' {
  return kind === 'topup' || kind === 'recharge' || kind === 'data'
}

/** Whether a supplier's product may be that item, as far as kinds go. */
export function isOfKind(kind: SupplyKind, item: KnownItem): boolean {
  if (!isCredited(kind)) return item.delivery === 'card_key'
  if (item.delivery !== 'direct_charge') return false
  const isRecharge = item.brandKind === 'recharge'
  if (kind === 'topup') return !isRecharge
  return isRecharge && (kind === 'data') === (item.kind === 'data')
}

/** Whether a cost changes by so much that a person has to look. Another currency always does. */
export function isJump(from: Money, to: Money, basisPoints: number): boolean {
  if (from.currency !== to.currency) return true
  const difference = to.minor > from.minor ? to.minor - from.minor : from.minor - to.minor
  return difference * 10_000n > from.minor * BigInt(basisPoints)
}

/** A supplier whose list is suddenly so much shorter is not believed: hundredths of what was mapped. */
export const VANISHED_MOST_PERCENT = 50
/** Fewer than that may all vanish. */
export const VANISHED_FEW = 20

export type RunOutcome = 'done' | 'failed' | 'refused' | 'lost'

/** Intervals that an owner may say. */
export const EVERY_SECONDS_LEAST = 900
export const EVERY_SECONDS_MOST = 604_800
/** No page takes so long: a run that has told nothing since is dead. */
export const RUN_DEAD_MS = 15 * 60_000
export const RUNS_KEPT_DAYS = 30
const RETRY_MS = 5 * 60_000
const DOUBLINGS_MOST = 12

/** What failed is tried again soon, each time later, and never later than usual; a list that is not believed waits for its turn. */
export function nextRunAt(
  now: Date,
  everySeconds: number,
  outcome: RunOutcome,
  failures: number,
): Date {
  const usual = everySeconds * 1_000
  const retry = RETRY_MS * 2 ** Math.min(Math.max(failures - 1, 0), DOUBLINGS_MOST)
  return new Date(now.getTime() + (outcome === 'failed' ? Math.min(usual, retry) : usual))
}

/** So many entries are named in a report; the others are counted. */
export const LINES_MOST = 100

/** An entry of the list with which something is wrong. */
export interface ReportLine {
  /** The supplier's name for it, cut. */
  readonly product: string
  readonly why: LineReason
}
export const LINE_REASONS = ['unread', 'id', 'field'] as const
export type LineReason = (typeof LINE_REASONS)[number]

export interface SyncReport {
  /** Entries with which something is wrong, the first of them. */
  readonly lines: readonly ReportLine[]
  /** Denominations that were read. */
  readonly listed: number
  /** Products whose entry could not be read. */
  readonly unread: number
  /** Products that could be read and not kept. */
  readonly refused: number
  /** Products of which any amount may be bought. */
  readonly ranges: number
  readonly known: number
  readonly matchedById: number
  readonly matchedByName: number
  readonly drafts: number
  readonly unmatched: number
  readonly excluded: number
  readonly locked: number
  readonly newOffers: number
  readonly costs: number
  readonly held: number
  readonly switched: number
  readonly gone: number
  readonly returned: number
  readonly renamed: number
}
