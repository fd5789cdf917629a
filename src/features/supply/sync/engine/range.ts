import type { Money } from '#kernel/money.ts'
import type { KnownItem, Listed, ListedRange, RangePrice } from '../rules.ts'

export interface Grid {
  readonly min: bigint
  readonly max: bigint
  readonly step: bigint
}

const ceilTo = (minor: bigint, unit: bigint) => ((minor + unit - 1n) / unit) * unit
const floorTo = (minor: bigint, unit: bigint) => (minor / unit) * unit

/**
 * The amounts of a range that can be sold, inside of what the supplier takes: whole units of the currency where it says no step and has room for
 * them, else every one. Null where there are no two.
 */
export function gridOf(
  { min, max, step }: Pick<ListedRange, 'min' | 'max' | 'step'>,
  digits: number,
): Grid | null {
  if (min.currency !== max.currency || min.minor <= 0n) return null
  const unit = 10n ** BigInt(digits)
  const hasRoom = ceilTo(min.minor, unit) < floorTo(max.minor, unit)
  const by = step?.minor ?? (hasRoom ? unit : 1n)
  if (by <= 0n) return null
  const first = step === null ? ceilTo(min.minor, by) : min.minor
  const last = first + floorTo(max.minor - first, by)
  return last > first ? { min: first, max: last, step: by } : null
}

/** Whether the supplier takes an amount. */
export const isTaken = ({ min, max, step }: ListedRange, minor: bigint): boolean =>
  minor >= min.minor &&
  minor <= max.minor &&
  (step === null || (minor - min.minor) % step.minor === 0n)

/** Whether each amount of a grid is one that the supplier takes. */
export const areTaken = (range: ListedRange, grid: Grid): boolean =>
  isTaken(range, grid.min) &&
  isTaken(range, grid.max) &&
  (range.step === null || grid.step % range.step.minor === 0n)

/**
 * What an item for any amount is to be sold at, as its supplier says by now: what a sync made follows, but for what the owner has locked.
 * 'same' where nothing changes, 'refused' where amounts of it are none that the supplier takes.
 */
export function boundsOf(
  { range }: Pick<Listed, 'range'>,
  item: Pick<KnownItem, 'free' | 'faceCurrency' | 'isOwn' | 'isFreeLocked'>,
  digits: ReadonlyMap<string, number>,
): Grid | 'same' | 'refused' {
  if (range === null || item.free === null) return 'same'
  if (item.faceCurrency !== range.min.currency) return 'refused'
  if (!item.isOwn || item.isFreeLocked) return areTaken(range, item.free) ? 'same' : 'refused'
  const known = digits.get(range.min.currency)
  const next = known === undefined ? null : gridOf(range, known)
  if (next === null) return 'refused'
  const { min, max, step } = item.free
  return next.min === min && next.max === max && next.step === step ? 'same' : next
}

/** What an amount of a range costs, rounded up. */
export function costAt(price: RangePrice | null, face: Money): Money | null {
  if (!price || price.face.currency !== face.currency || price.face.minor <= 0n) return null
  const share =
    (price.cost.minor * face.minor + price.face.minor - 1n) / price.face.minor + price.feeMinor
  return { minor: share, currency: price.cost.currency }
}

/** The amount that an item for any amount is priced by: the largest power of ten that is sold, as prices of small ones are rounded too much. */
export function referenceOf({ min, max, step }: Grid): bigint {
  let power = 1n
  while (power * 10n <= max) power *= 10n
  return power < min ? max : min + floorTo(power - min, step)
}

const USUAL = [5n, 10n, 15n, 20n, 25n, 50n, 75n, 100n, 200n, 500n] as const

/** The usual amounts of a range of cards, in whole units: nobody sells every one. */
export function usualAmounts(range: ListedRange, digits: number): readonly bigint[] {
  const unit = 10n ** BigInt(digits)
  // In currencies of small units, cards begin with thousands.
  let scale = unit
  while (range.max.minor / scale >= 10_000n) scale *= 10n
  return USUAL.map((amount) => amount * scale).filter((minor) => isTaken(range, minor))
}
