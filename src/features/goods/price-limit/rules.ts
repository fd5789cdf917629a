/**
 * By how far one person may move prices. What counts is what their own changes of the last seven days have done to each price of each item, by
 * whatever path, multiplied up: ten percent down and back up again is nothing, twice six percent down is 11.64.
 */

/** Days that the limit looks back over. */
export const COUNTED_DAYS = 7
/** What was done to prices is kept a day longer than it counts. */
export const KEPT_DAYS = 8

/** All prices of an item at once: its base price, which the others are converted from. */
export const ALL_PRICES = '*'

/** What one change does to one price of an item. */
export interface PriceMove {
  /** Its id. */
  readonly item: string
  /** `ALL_PRICES`, or which: see `priceName`. */
  readonly price: string
  /** Minor units of one currency, both above zero: what it costs, or would cost where nothing withheld it. */
  readonly before: bigint
  readonly after: bigint
}

/** A price of an item: in a currency, and of a customer level where it is not retail. */
export const priceName = (currency: string, level = 0): string =>
  level === 0 ? currency : `${currency}@${level}`

/** Millionths. */
const MILLION = 1_000_000n
/** As much as the column holds. */
const MOST = 2_000_000_000n

/** By how many millionths a price moves; less than zero where it falls. */
export function moveOf({ before, after }: Pick<PriceMove, 'before' | 'after'>): number {
  if (before <= 0n) return after > 0n ? Number(MOST) : 0
  const moved = ((after - before) * MILLION) / before
  // A move too small to be written is one all the same.
  if (moved === 0n && after !== before) return after > before ? 1 : -1
  return Number(moved > MOST ? MOST : moved)
}

/** The furthest that prices are from where they would be without somebody's changes: hundredths of a percent, `fall` below zero. */
export interface Reach {
  readonly fall: number
  readonly rise: number
}

export const NO_REACH: Reach = { fall: 0, rise: 0 }

/** Moves of one item: millionths by which price. */
export type ItemMoves = ReadonlyMap<string, number>

/** How far somebody's changes have moved the prices of one item together, the last of them just now. */
export function reachOf(earlier: readonly ItemMoves[], now: ItemMoves): Reach {
  const factorOf = (moves: ItemMoves, price: string) => 1 + (moves.get(price) ?? 0) / 1_000_000
  let { fall, rise } = NO_REACH
  // A change of all prices adds to what was done to each of them.
  const names = now.has(ALL_PRICES)
    ? new Set([...now.keys(), ...earlier.flatMap((moves) => [...moves.keys()])])
    : new Set(now.keys())
  for (const price of names) {
    let factor = 1
    for (const moves of [...earlier, now]) {
      factor *= factorOf(moves, price)
      if (price !== ALL_PRICES) factor *= factorOf(moves, ALL_PRICES)
    }
    // Millionths are what is stored: what is behind them is nothing that anybody did.
    const points = Math.round((factor - 1) * 1_000_000) / 100
    fall = Math.min(fall, points)
    rise = Math.max(rise, points)
  }
  return { fall, rise }
}

/** The further of two, each way. */
export const further = (one: Reach, other: Reach): Reach => ({
  fall: Math.min(one.fall, other.fall),
  rise: Math.max(one.rise, other.rise),
})

/** Whether somebody would have moved a price by more than they may. @param limit hundredths of a percent; null for no limit */
export const isBeyond = ({ fall, rise }: Reach, limit: number | null): boolean =>
  limit !== null && (-fall > limit || rise > limit)
