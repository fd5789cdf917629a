import type { NewOffer } from '#features/supply/routing/commands.ts'
import type { Money } from '#kernel/money.ts'
import {
  faceKey,
  isCredited,
  isJump,
  LINES_MOST,
  listingKey,
  VANISHED_FEW,
  VANISHED_MOST_PERCENT,
  type KnownItem,
  type Listed,
  type Listing,
  type ReportLine,
  type SyncReport,
} from '../rules.ts'
import { createMatcher, type Match, type Matcher } from './match.ts'

/** What is known before a sync. */
export interface SyncGround {
  readonly supplier: string
  readonly items: readonly KnownItem[]
  readonly listings: readonly Listing[]
  /** Of the minor unit by currency. */
  readonly digits: ReadonlyMap<string, number>
  readonly jumpBasisPoints: number
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
  readonly report: SyncReport
}

type Counts = { -readonly [Name in keyof SyncReport]: SyncReport[Name] }

interface Draft {
  readonly listings: PlannedListing[]
  readonly drafts: PlannedDraft[]
  readonly offers: NewOffer[]
  readonly switches: { item: string; isOn: boolean }[]
  readonly gone: { product: string; face: string; tookOff: boolean }[]
  readonly suspend: string[]
  readonly resume: string[]
  readonly names: { item: string; name: string }[]
  readonly faces: { item: string; minor: bigint }[]
  readonly report: Counts
}

const NEW: Omit<Listing, 'product' | 'face'> = {
  item: null,
  matchedBy: null,
  score: null,
  status: 'unmatched',
  modes: { cost: 'follow', stock: 'follow', name: 'once', faces: 'once' },
  isLocked: false,
  tookOff: false,
  held: null,
  heldAt: null,
}

/** What a supplier's list changes here; pure, so that a dry run is the same as the run. */
export function planSync(
  ground: SyncGround,
  told: ReadCatalogue,
  options: { readonly appliesJumps: boolean; readonly now: Date },
): SyncPlan {
  const plan = emptyPlan(told)
  const known = new Map(ground.listings.map((listing) => [listingKey(listing), listing]))
  const items = new Map(ground.items.map((item) => [item.id, item]))
  const taken = new Set(
    ground.listings.flatMap(({ item, status }) =>
      item !== null && (status === 'mapped' || status === 'draft') ? [item] : [],
    ),
  )
  const matcher = createMatcher(ground.items, ground.digits)
  const seen = new Set<string>()
  for (const listed of told.listed) {
    const key = listingKey({ product: listed.product, face: faceKey(listed.face) })
    if (seen.has(key)) continue
    seen.add(key)
    const before = known.get(key) ?? null
    const listing = settle(plan, listed, before, { matcher, digits: ground.digits, taken })
    const item = listing.item === null ? undefined : items.get(listing.item)
    const isLive = !listing.isLocked && (listing.status === 'mapped' || listing.status === 'draft')
    const next = item && isLive ? follow(plan, ground, options, listed, listing, item) : listing
    plan.listings.push({ ...next, listed })
  }
  if (told.unread === 0) vanish(plan, ground, items, { seen, refused: new Set(told.refused) })
  return plan
}

function emptyPlan({ listed, unread, refused, ranges, lines }: ReadCatalogue): Draft {
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
    report: {
      lines: lines.slice(0, LINES_MOST),
      listed: listed.length,
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
    },
  }
}

interface Ways {
  readonly matcher: Matcher
  readonly digits: ReadonlyMap<string, number>
  /** Items that are a product of the supplier's. */
  readonly taken: Set<string>
}

/** What a denomination is here: what it was, what is found, a draft, or nothing yet. */
function settle(
  plan: Draft,
  listed: Listed,
  before: Listing | null,
  { matcher, digits, taken }: Ways,
): Listing {
  const { report } = plan
  const face = faceKey(listed.face)
  if (before?.isLocked) report.locked += 1
  if (before?.status === 'excluded') report.excluded += 1
  if (before && (before.isLocked || before.status === 'excluded')) return before
  if (before?.item && (before.status !== 'gone' || !taken.has(before.item))) {
    taken.add(before.item)
    if (before.status !== 'gone') report.known += 1
    else report.returned += 1
    return before.status === 'gone' ? { ...before, status: 'mapped' } : before
  }
  const base = before ?? { ...NEW, product: listed.product, face }
  const match = matcher.find(listed)
  if (match && !taken.has(match.item.id)) {
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
  // A top-up has a page of its own; an operator's amounts need to know the operator, and cards their region.
  if (
    listed.kind === 'topup' &&
    listed.cost &&
    listed.cost.minor > 0n &&
    digits.has(listed.cost.currency)
  ) {
    report.drafts += 1
    plan.drafts.push({ listed, face })
  } else report.unmatched += 1
  return { ...base, status: 'unmatched', item: null, matchedBy: null, score: null }
}

function count(report: Counts, { by }: Match): void {
  if (by === 'id') report.matchedById += 1
  else report.matchedByName += 1
}

/** Has an item follow what is listed, field by field as its listing says. */
function follow(
  plan: Draft,
  ground: SyncGround,
  options: { readonly appliesJumps: boolean; readonly now: Date },
  listed: Listed,
  listing: Listing,
  item: KnownItem,
): Listing {
  const { modes } = listing
  if (item.isOwn && modes.name === 'follow' && item.name !== listed.name && listed.name !== '') {
    plan.names.push({ item: item.id, name: listed.name })
    plan.report.renamed += 1
  }
  const faceMinor = listed.face?.minor
  if (item.isOwn && modes.faces === 'follow' && faceMinor && item.face?.minor !== faceMinor)
    plan.faces.push({ item: item.id, minor: faceMinor })
  const held = followCost(plan, ground, options, listed, listing, item)
  followStock(plan, listed, listing, item)
  const returns = listing.tookOff && listed.stock !== 0
  if (returns) plan.resume.push(item.id)
  // Shown by whatever way meanwhile.
  const isShown = listing.status === 'draft' && item.isActive
  return {
    ...listing,
    status: isShown ? 'mapped' : listing.status,
    tookOff: listing.tookOff && !returns,
    held,
    heldAt: held === null ? null : (listing.heldAt ?? options.now),
  }
}

/** @returns the cost that waits for a person from now on */
function followCost(
  plan: Draft,
  { supplier, jumpBasisPoints }: SyncGround,
  { appliesJumps }: { readonly appliesJumps: boolean },
  listed: Listed,
  { modes }: Listing,
  item: KnownItem,
): Money | null {
  const { cost, kind } = listed
  // What costs nothing is a fault of the list: prices that follow it would be nothing as well.
  if (cost === null || cost.minor <= 0n || !isCredited(kind) || modes.cost === 'never') return null
  const before = item.offer
  if (before && modes.cost === 'once') return null
  const isSame =
    before?.cost.minor === cost.minor &&
    before.cost.currency === cost.currency &&
    before.product === listed.product &&
    faceKey(before.face) === faceKey(listed.face)
  if (isSame) return null
  if (before && !appliesJumps && isJump(before.cost, cost, jumpBasisPoints)) {
    plan.report.held += 1
    return cost
  }
  if (before) plan.report.costs += 1
  else plan.report.newOffers += 1
  const { product, face } = listed
  plan.offers.push({ item: item.id, supplier, priority: 0, kind, product, face, cost, fields: {} })
  return null
}

function followStock(
  plan: Draft,
  listed: Listed,
  { modes }: Listing,
  { id, offer }: KnownItem,
): void {
  if (modes.stock !== 'follow' || !offer) return
  const isOn = listed.stock !== 0
  if (offer.isOn === isOn) return
  plan.switches.push({ item: id, isOn })
  plan.report.switched += 1
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
