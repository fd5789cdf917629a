import type { SupplyKind } from '#features/supply/routing/rules.ts'
import type { Money } from '#kernel/money.ts'

export interface SupplyField {
  readonly name: string
  readonly type: 'text' | 'number' | 'phone' | 'email' | 'select'
  readonly isRequired: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export const SYNC_FIELDS = ['cost', 'stock', 'name', 'faces', 'limits'] as const
export type SyncField = (typeof SYNC_FIELDS)[number]
export const SYNC_MODES = ['follow', 'once', 'never'] as const
export type SyncMode = (typeof SYNC_MODES)[number]

/** `draft`: made by a sync and not shown yet. `gone`: listed no more. */
export type ListingStatus = 'mapped' | 'draft' | 'unmatched' | 'excluded' | 'gone'

/** Who may buy something, as its supplier tells. */
export interface Limits {
  /** Null: anybody. */
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
  readonly minAge: number | null
}

/** Any amount between two. */
export interface ListedRange {
  readonly min: Money
  readonly max: Money
  readonly step: Money | null
  readonly price: RangePrice | null
}
export interface RangePrice {
  readonly face: Money
  readonly cost: Money
  readonly feeMinor: bigint
}

/** One denomination that a supplier lists, or all amounts of a range. */
export interface Listed {
  readonly range: ListedRange | null
  /** Null: the supplier says nothing of it. */
  readonly limits: Limits | null
  readonly product: string
  /** The amount that is ordered; null where the product is the denomination. */
  readonly face: Money | null
  /** What one is worth, ordered by that or not; null: not told. */
  readonly worth: Money | null
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
  readonly limits?: Limits
}

const COUNTRY = /^[A-Z]{2}$/
const COUNTRIES_MOST = 300

/** Countries that are written as none of ours are left out of what is blocked; who may buy is not widened by them. */
function limitsOf({ buyerCountries, blockedCountries, minAge }: Limits): Limits {
  const known = (codes: readonly string[]) =>
    [...new Set(codes.filter((code) => COUNTRY.test(code)))].toSorted().slice(0, COUNTRIES_MOST)
  return {
    buyerCountries: buyerCountries === null ? null : known(buyerCountries),
    blockedCountries: known(blockedCountries),
    minAge: minAge !== null && minAge >= 1 && minAge <= 99 ? Math.ceil(minAge) : null,
  }
}

export const shownName = (name: string) => lineOf(name, 300)

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
  limits,
  ...told
}: TextsOfProduct): Omit<Listed, 'face' | 'worth' | 'cost' | 'range'> {
  const country = lineOf(told.country ?? '', 10)
  return {
    product: id,
    kind,
    limits: limits === undefined ? null : limitsOf(limits),
    name: shownName(told.name),
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
  /** A cost that jumped and that somebody has refused; left out: none. */
  readonly refused?: Money | null
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
  /** Code of its product, and of that one's brand. */
  readonly product: string
  readonly brand: string
  /** Where it can be used; null: anywhere. */
  readonly countries: readonly string[] | null
  /** Of an operator: whose phones. */
  readonly rechargeCountry: string | null
  readonly faceCurrency: string | null
  readonly face: Money | null
  /** Sold at any amount; `isFreeLocked`: of these by the owner's word, whatever is listed. */
  readonly isFreeLocked: boolean
  readonly free: { readonly min: bigint; readonly max: bigint; readonly step: bigint } | null
  readonly dataMb: number | null
  readonly days: number | null
  readonly limits: Limits
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

/** The countries where an item can be used; null: anywhere. */
export const countriesOf = ({
  countries,
  rechargeCountry,
}: Pick<KnownItem, 'countries' | 'rechargeCountry'>): readonly string[] | null =>
  countries ?? (rechargeCountry === null ? null : [rechargeCountry])

/**
 * Whether the places of a listing and an item contradict each other: what works in one country is nothing that works in another, in several or
 * anywhere, and the reverse. What its name alone identifies must be of the very same place; an identifier tells what its country leaves unsaid
 * of several.
 */
export function isElsewhere(
  { country }: Pick<Listed, 'country'>,
  item: Pick<KnownItem, 'countries' | 'rechargeCountry'>,
  by: 'id' | 'name',
): boolean {
  const own = countriesOf(item)
  const isOfOne = own?.length === 1
  if (country !== null) return !isOfOne || own[0] !== country
  return by === 'id' ? isOfOne : own !== null
}

/** Whether nobody at all may buy what an owner and a supplier both limit. */
export function isForNobody({ limits }: Pick<Listed, 'limits'>, item: KnownItem): boolean {
  const told = limits?.buyerCountries ?? null
  const own = item.limits.buyerCountries
  if (item.isOwn || told === null) return told !== null && told.length === 0
  return !told.some((code) => own === null || own.includes(code))
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
/** `country`: it names an item that works elsewhere. `limits`: it and the item leave nobody who may buy. `range`: amounts that the item is sold at are not taken. */
export type LineReason = 'unread' | 'id' | 'field' | 'country' | 'limits' | 'range'

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
  /** Items of which other countries or ages are allowed now. */
  readonly limits: number
  /** Items for any amount whose least, greatest or step is another now. */
  readonly bounds: number
}
