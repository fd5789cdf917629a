import type { Money } from '#kernel/money.ts'
import {
  faceKey,
  isJump,
  type KnownItem,
  type Limits,
  type Listed,
  type Listing,
} from '../rules.ts'
import type { Draft, SyncGround, SyncOptions } from './plan.ts'
import { boundsOf, costAt } from './range.ts'

/** Has an item follow what is listed, field by field as its listing says. */
export function follow(
  plan: Draft,
  ground: SyncGround,
  options: SyncOptions,
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
  followBounds(plan, ground, listed, item)
  const held = followCost(plan, ground, options, listed, listing, item)
  followStock(plan, listed, listing, item)
  followLimits(plan, listed, listing, item)
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

function followBounds(plan: Draft, { digits }: SyncGround, listed: Listed, item: KnownItem): void {
  const next = boundsOf(listed, item, digits)
  if (next === 'same' || next === 'refused') return
  plan.bounds.push({ item: item.id, ...next })
  plan.report.bounds += 1
}

/** What a denomination costs; of a range what the item's own face does. */
const costOf = ({ range, cost }: Listed, { face }: KnownItem): Money | null =>
  range === null ? cost : face && costAt(range.price, face)

/** @returns the cost that waits for a person from now on */
function followCost(
  plan: Draft,
  { supplier, jumpBasisPoints }: SyncGround,
  { appliesJumps }: { readonly appliesJumps: boolean },
  listed: Listed,
  { modes, refused }: Listing,
  item: KnownItem,
): Money | null {
  const { kind, product } = listed
  const cost = costOf(listed, item)
  const face = listed.range === null ? listed.face : item.face
  // What costs nothing is a fault of the list: prices that follow it would be nothing as well.
  if (cost === null || cost.minor <= 0n || modes.cost === 'never') return null
  const before = item.offer
  if (before && modes.cost === 'once') return null
  const isSame =
    before?.cost.minor === cost.minor &&
    before.cost.currency === cost.currency &&
    before.product === product &&
    faceKey(before.face) === faceKey(face)
  if (isSame) return null
  if (before && !appliesJumps && isJump(before.cost, cost, jumpBasisPoints)) {
    // What somebody has looked at and refused is not asked about again.
    if (refused?.minor === cost.minor && refused.currency === cost.currency) return null
    plan.report.held += 1
    return cost
  }
  if (before) plan.report.costs += 1
  else plan.report.newOffers += 1
  plan.offers.push({
    item: item.id,
    supplier,
    priority: 0,
    kind,
    product,
    face,
    cost,
    fields: {},
    fixed: item.rechargeCountry === null ? {} : { country: item.rechargeCountry },
  })
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

/** What a sync made allows what its supplier does; of other items is allowed what both do. An age is only ever raised: others of its product may ask for it. */
function followLimits(
  plan: Draft,
  { limits: told }: Listed,
  { modes }: Listing,
  item: KnownItem,
): void {
  if (told === null || modes.limits === 'never' || (modes.limits === 'once' && item.offer)) return
  const next = item.isOwn ? told : together(told, item.limits)
  if (placesKey(next) !== placesKey(item.limits)) {
    plan.limits.push({
      item: item.id,
      buyerCountries: next.buyerCountries,
      blockedCountries: next.blockedCountries,
      isLocked: !item.isOwn,
    })
    plan.report.limits += 1
  }
  raiseAge(plan, item.product, told.minAge, item.limits.minAge)
}

export function raiseAge(
  plan: Draft,
  product: string,
  age: number | null,
  before: number | null,
): void {
  const known = Math.max(before ?? 0, plan.ages.get(product) ?? 0)
  if (age !== null && age > known) plan.ages.set(product, age)
}

/** What both allow. */
function together(one: Limits, other: Limits): Omit<Limits, 'minAge'> {
  const [mine, theirs] = [one.buyerCountries, other.buyerCountries]
  return {
    buyerCountries:
      mine && theirs ? mine.filter((code) => theirs.includes(code)) : (mine ?? theirs),
    blockedCountries: [...new Set([...one.blockedCountries, ...other.blockedCountries])],
  }
}

const placesKey = ({ buyerCountries, blockedCountries }: Omit<Limits, 'minAge'>) =>
  JSON.stringify([buyerCountries?.toSorted() ?? null, blockedCountries.toSorted()])
