import type { NewOffer } from '#features/supply/routing/commands.ts'
import {
  faceKey,
  isElsewhere,
  isForNobody,
  LINES_MOST,
  listingKey,
  shownId,
  VANISHED_FEW,
  VANISHED_MOST_PERCENT,
  type KnownItem,
  type Listed,
  type Listing,
  type ReportLine,
  type SyncReport,
} from '../rules.ts'
import { denominations, homeOf, isDraftable, type Home } from './denominations.ts'
import { follow, raiseAge } from './follow.ts'
import { createMatcher, type Match, type Matcher } from './match.ts'
import { boundsOf, type Grid } from './range.ts'

/** What is known before a sync. */
export interface SyncGround {
  readonly supplier: string
  readonly items: readonly KnownItem[]
  readonly listings: readonly Listing[]
  /** Of the minor unit by currency. */
  readonly digits: ReadonlyMap<string, number>
  readonly countries: ReadonlyMap<string, KnownCountry>
  readonly jumpBasisPoints: number
}

export interface KnownCountry {
  readonly code: string
  readonly alpha3: string
  readonly name: string
  readonly callingCode: string | null
  readonly currency: string
}

export interface SyncOptions {
  /** Costs that jump are taken as they are. */
  readonly appliesJumps: boolean
  readonly now: Date
}

export interface ReadCatalogue {
  readonly listed: readonly Listed[]
  /** Entries that could not be read, whatever they are. */
  readonly unread: number
  /** Products that are listed and cannot be kept, by the supplier's name for them. */
  readonly refused: readonly string[]
  readonly ranges: number
  readonly lines: readonly ReportLine[]
}

/** A row as it is to be. */
export interface PlannedListing extends Listing {
  readonly listed: Listed
}

/** An item to be made, under its listing. */
export interface PlannedDraft {
  readonly listed: Listed
  readonly face: string
  /** A product that the shop has already; null: one is made. */
  readonly home: Home | null
}

export interface SyncPlan {
  readonly listings: readonly PlannedListing[]
  readonly drafts: readonly PlannedDraft[]
  readonly offers: readonly NewOffer[]
  /** Offers that go on or off, by item. */
  readonly switches: readonly { readonly item: string; readonly isOn: boolean }[]
  readonly gone: readonly {
    readonly product: string
    readonly face: string
    readonly tookOff: boolean
  }[]
  /** Items taken off sale, and those that come back. */
  readonly suspend: readonly string[]
  readonly resume: readonly string[]
  readonly names: readonly { readonly item: string; readonly name: string }[]
  readonly faces: readonly { readonly item: string; readonly minor: bigint }[]
  /** What items for any amount are sold at from now on. */
  readonly bounds: readonly PlannedBounds[]
  readonly limits: readonly PlannedLimits[]
  /** The youngest age that a product's buyers may have, where it is raised. */
  readonly ages: ReadonlyMap<string, number>
  readonly report: SyncReport
}

export interface PlannedBounds extends Grid {
  readonly item: string
}

/** Who may buy an item from now on. */
export interface PlannedLimits {
  readonly item: string
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
  /** An import leaves them so. */
  readonly isLocked: boolean
}

type Counts = { -readonly [Name in keyof SyncReport]: SyncReport[Name] }

export interface Draft {
  readonly listings: PlannedListing[]
  readonly drafts: PlannedDraft[]
  readonly offers: NewOffer[]
  readonly switches: { item: string; isOn: boolean }[]
  readonly gone: { product: string; face: string; tookOff: boolean }[]
  readonly suspend: string[]
  readonly resume: string[]
  readonly names: { item: string; name: string }[]
  readonly faces: { item: string; minor: bigint }[]
  readonly bounds: PlannedBounds[]
  readonly limits: PlannedLimits[]
  readonly ages: Map<string, number>
  readonly report: Counts
}

const NEW: Omit<Listing, 'product' | 'face'> = {
  item: null,
  matchedBy: null,
  score: null,
  status: 'unmatched',
  modes: { cost: 'follow', stock: 'follow', name: 'once', faces: 'once', limits: 'follow' },
  isLocked: false,
  tookOff: false,
  held: null,
  heldAt: null,
}

/** What a supplier's list changes here; pure, so that a dry run is the same as the run. */
export function planSync(ground: SyncGround, told: ReadCatalogue, options: SyncOptions): SyncPlan {
  const plan = emptyPlan(told)
  const known = new Map(ground.listings.map((listing) => [listingKey(listing), listing]))
  const items = new Map(ground.items.map((item) => [item.id, item]))
  const taken = new Set(
    ground.listings.flatMap(({ item, status }) =>
      item !== null && (status === 'mapped' || status === 'draft') ? [item] : [],
    ),
  )
  const matcher = createMatcher(ground.items, ground)
  const alpha2 = new Map([...ground.countries.values()].map(({ alpha3, code }) => [alpha3, code]))
  const seen = new Set<string>()
  const ways = { matcher, ground, items, taken }
  const add = (listed: Listed, isWithin: boolean) => {
    const key = listingKey({ product: listed.product, face: faceKey(listed.face) })
    const before = known.get(key) ?? null
    if (seen.has(key) || (isWithin && !before && !isOpen(listed, ways))) return
    seen.add(key)
    plan.report.listed += 1
    const listing = settle(plan, listed, before, ways)
    const item = listing.item === null ? undefined : items.get(listing.item)
    const isLive = !listing.isLocked && (listing.status === 'mapped' || listing.status === 'draft')
    const next = item && isLive ? follow(plan, ground, options, listed, listing, item) : listing
    plan.listings.push({ ...next, listed })
  }
  const within: Listed[] = []
  for (const entry of told.listed) {
    const country = entry.country?.toUpperCase() ?? null
    const placed = { ...entry, country: country === null ? null : (alpha2.get(country) ?? country) }
    const sold = denominations(placed, ground, matcher)
    for (const listed of sold.own) add(listed, false)
    within.push(...sold.within)
  }
  for (const listed of within) add(listed, true)
  if (told.unread === 0) vanish(plan, ground, items, { seen, refused: new Set(told.refused) })
  return plan
}

/** Whether an amount of a range is an item that is nothing else of what the supplier lists. */
function isOpen(listed: Listed, { matcher, taken }: Ways): boolean {
  const match = matcher.find(listed)
  return match !== null && !taken.has(match.item.id)
}

function emptyPlan({ unread, refused, ranges, lines }: ReadCatalogue): Draft {
  return {
    listings: [],
    drafts: [],
    offers: [],
    switches: [],
    gone: [],
    suspend: [],
    resume: [],
    names: [],
    faces: [],
    bounds: [],
    limits: [],
    ages: new Map(),
    report: {
      lines: lines.slice(0, LINES_MOST),
      listed: 0,
      unread,
      refused: refused.length,
      ranges,
      known: 0,
      matchedById: 0,
      matchedByName: 0,
      drafts: 0,
      unmatched: 0,
      excluded: 0,
      locked: 0,
      newOffers: 0,
      costs: 0,
      held: 0,
      switched: 0,
      gone: 0,
      returned: 0,
      renamed: 0,
      limits: 0,
      bounds: 0,
    },
  }
}

interface Ways {
  readonly matcher: Matcher
  readonly ground: SyncGround
  readonly items: ReadonlyMap<string, KnownItem>
  /** Items that are a product of the supplier's. */
  readonly taken: Set<string>
}

/** What a denomination is here: what it was, what is found, a draft, or nothing yet. */
function settle(plan: Draft, listed: Listed, before: Listing | null, ways: Ways): Listing {
  const { report } = plan
  const { matcher, taken } = ways
  if (before?.isLocked) report.locked += 1
  if (before?.status === 'excluded') report.excluded += 1
  if (before && (before.isLocked || before.status === 'excluded')) return before
  const fault = before ? letGo(plan, listed, before, ways) : null
  if (fault === null && before?.item && (before.status !== 'gone' || !taken.has(before.item))) {
    taken.add(before.item)
    if (before.status !== 'gone') report.known += 1
    else report.returned += 1
    return before.status === 'gone' ? { ...before, status: 'mapped' } : before
  }
  const base = before ?? { ...NEW, product: listed.product, face: faceKey(listed.face) }
  const match = matcher.find(listed)
  const isFree = match !== null && !taken.has(match.item.id)
  const unfit = match && unfitOf(listed, match.item, ways.ground)
  if (match && isFree && unfit === null) {
    taken.add(match.item.id)
    count(report, match)
    return {
      ...base,
      item: match.item.id,
      matchedBy: match.by,
      score: match.score,
      status: 'mapped',
    }
  }
  const isRefused = fault !== null || (match !== null && isFree) || matcher.isNamedElsewhere(listed)
  if (isRefused) say(plan, listed, fault ?? unfit ?? 'country')
  if (!isRefused && isDraftable(listed, ways.ground)) {
    report.drafts += 1
    const home = homeOf(listed, matcher)
    if (home && listed.limits) raiseAge(plan, home.product, listed.limits.minAge, home.minAge)
    plan.drafts.push({ listed, face: faceKey(listed.face), home })
  } else report.unmatched += 1
  return {
    ...base,
    status: 'unmatched',
    item: null,
    matchedBy: null,
    score: null,
    held: null,
    heldAt: null,
  }
}

function say({ report }: Draft, { product }: Listed, why: ReportLine['why']): void {
  if (report.lines.length < LINES_MOST)
    report.lines = [...report.lines, { product: shownId(product), why }]
}

/** What was found for it before and cannot be it, as it says by now, is not bought there any more. What a person has said stays. */
function letGo(
  plan: Draft,
  listed: Listed,
  { item: id, matchedBy }: Listing,
  { items, taken, ground }: Ways,
): 'country' | 'limits' | 'range' | null {
  const item = id === null ? undefined : items.get(id)
  if (!item || matchedBy === 'hand') return null
  const fault = faultOf(listed, item, ground)
  if (fault === null) return null
  taken.delete(item.id)
  if (item.offer?.isOn) plan.switches.push({ item: item.id, isOn: false })
  return fault
}

function faultOf(listed: Listed, item: KnownItem, ground: SyncGround) {
  const isElse = !item.isOwn && listed.country !== null && isElsewhere(listed, item, 'id')
  return isElse ? 'country' : unfitOf(listed, item, ground)
}

/** Why it cannot be bought there, though it is that item; null where nothing is in its way. */
function unfitOf(listed: Listed, item: KnownItem, { digits }: SyncGround) {
  if (isForNobody(listed, item)) return 'limits'
  // Who pays for an amount is to get it.
  return boundsOf(listed, item, digits) === 'refused' ? 'range' : null
}

function count(report: Counts, { by }: Match): void {
  if (by === 'id') report.matchedById += 1
  else report.matchedByName += 1
}

/** What is listed no more is bought there no more; what nobody else delivers goes off sale until it is listed again. */
function vanish(
  plan: Draft,
  { listings }: SyncGround,
  items: ReadonlyMap<string, KnownItem>,
  told: { readonly seen: ReadonlySet<string>; readonly refused: ReadonlySet<string> },
): void {
  for (const listing of listings) {
    const isLive = listing.status === 'mapped' || listing.status === 'draft'
    if (!isLive || listing.isLocked || told.seen.has(listingKey(listing))) continue
    // It is listed, though not so that it could be kept.
    if (told.refused.has(listing.product)) continue
    const item = listing.item === null ? undefined : items.get(listing.item)
    const { product, face } = listing
    const isLast = item !== undefined && item.isActive && item.otherOffers === 0
    const tookOff =
      listing.tookOff || (isLast && item.offer !== null && item.delivery === 'direct_charge')
    plan.gone.push({ product, face, tookOff })
    plan.report.gone += 1
    if (item?.offer?.isOn) plan.switches.push({ item: item.id, isOn: false })
    if (item && tookOff && item.isActive) plan.suspend.push(item.id)
  }
}

/** Whether a list is so much shorter than before that it is rather broken than true. */
export function isBelievable(
  { gone }: SyncPlan,
  { listings }: Pick<SyncGround, 'listings'>,
): boolean {
  const live = listings.filter(({ status }) => status === 'mapped' || status === 'draft').length
  return gone.length <= VANISHED_FEW || gone.length * 100 <= live * VANISHED_MOST_PERCENT
}
