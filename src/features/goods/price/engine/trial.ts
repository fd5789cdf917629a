import { createHash } from 'node:crypto'
import type { Money } from '#kernel/money.ts'
import { createTurns } from '#platform/turns.ts'
import { moveOf, priceName, type ItemMoves } from '#features/goods/price-limit/rules.ts'
import { RETAIL, type LevelTerms, type PricedItem, type Pricing } from '../rules.ts'
import { createPricer } from './pricer.ts'

/** An item as far as a change of prices is tried on it. */
export interface TrialItem extends PricedItem {
  readonly id: string
  readonly code: string
  readonly product: string
  /** Its own prices for customer levels. */
  readonly levels: ReadonlyMap<number, Money>
  /** Of airtime, the face that its price is of: at another one the same amount of it costs another share. */
  readonly airtimeFace?: bigint | null
  /** What is not sold now is told of to nobody, but counts: it may be sold again once its price is another. */
  readonly isOnSale: boolean
}

/** What an item was sold of in some days, in one currency. */
export interface SoldUnits {
  readonly item: string
  readonly currency: string
  readonly units: bigint
  /** What they cost, in minor units of that currency by the rate of now; null where a cost is not known. */
  readonly costMinor: bigint | null
}

/** Prices of now, and what they would be. */
export interface Trial {
  readonly before: Pricing
  readonly after: Pricing
  readonly items: readonly TrialItem[]
  /** Items that would be others themselves, by their id. */
  readonly changed: ReadonlyMap<string, TrialItem>
  /** Codes of the currencies that something is sold in. */
  readonly currencies: readonly string[]
  /** Of which customer level the prices are; 0 for retail. */
  readonly level: number
  readonly sold: readonly SoldUnits[]
}

export interface MovedPrice {
  readonly code: string
  readonly currency: string
  readonly before: bigint
  readonly after: bigint
  /** Millionths; less than zero where it falls. */
  readonly move: number
}

export interface TriedMargin {
  readonly currency: string
  readonly units: bigint
  readonly before: bigint
  readonly after: bigint
}

/** What a change would do, before it is made. */
export interface TrialEffect {
  readonly items: number
  readonly prices: number
  readonly itemsChanged: number
  readonly pricesChanged: number
  readonly rising: number
  readonly falling: number
  /** Millionths by which the prices that change do: the furthest fall or smallest rise, the middle, the furthest rise. */
  readonly moves: { readonly least: number; readonly median: number; readonly most: number } | null
  /** Prices by how far they move: bounds in `STEPS`. */
  readonly spread: readonly number[]
  /** Items that are not sold in some currency any more, as too little would remain over their cost. */
  readonly belowFloor: {
    readonly items: number
    readonly prices: number
    readonly codes: readonly string[]
  }
  /** Prices that the floor holds up, before and after. */
  readonly raised: { readonly before: number; readonly after: number }
  /** That move most, each item once. */
  readonly top: readonly MovedPrice[]
  /** Of what was sold in the days before, at its cost of then and the prices of now and then. */
  readonly margins: readonly TriedMargin[]
  /** Changes with all of it. */
  readonly hash: string
}

export interface Tried {
  readonly effect: TrialEffect
  /** What each item's prices would do, where that was asked for. */
  readonly moved: ReadonlyMap<string, ItemMoves>
}

/** A price that is set where there was none is compared with nothing: it is more than anybody with a limit may do. */
const FROM_NOTHING = moveOf({ before: 0n, after: 1n })

/** Upper bounds of the columns of `spread`, in millionths; the last column is what is above. */
export const STEPS = [-100_000, -50_000, -20_000, 0, 20_000, 50_000, 100_000] as const
const TOP = 20
const CODES = 20

/** Works out a change on every item and currency; others get their turn meanwhile. */
export async function tryTrial(trial: Trial, collects: boolean): Promise<Tried> {
  const run = startRun(trial, collects)
  const giveWay = createTurns()
  for (const item of trial.items) {
    run.take(item)
    await giveWay()
  }
  return run.end()
}

interface Tally {
  items: number
  prices: number
  itemsChanged: number
  rising: number
  raisedBefore: number
  raisedAfter: number
  floorItems: number
  floorPrices: number
  /** Of all prices that come out, so that the effect has a name. */
  sum: bigint
}

/** What is gathered while items are looked at, one by one. */
interface Run {
  readonly trial: Trial
  readonly before: ReturnType<typeof createPricer>
  readonly after: ReturnType<typeof createPricer>
  readonly sold: ReadonlyMap<string, readonly SoldUnits[]>
  readonly margins: Map<string, { units: bigint; before: bigint; after: bigint }>
  /** Null where nobody asked for it. */
  readonly moved: Map<string, ItemMoves> | null
  readonly all: number[]
  readonly codes: string[]
  readonly top: MovedPrice[]
  readonly tally: Tally
}

function startRun(trial: Trial, collects: boolean) {
  const run: Run = {
    trial,
    before: createPricer(trial.before),
    after: createPricer(trial.after),
    sold: Map.groupBy(trial.sold, ({ item }) => item),
    margins: new Map(),
    moved: collects ? new Map() : null,
    all: [],
    codes: [],
    top: [],
    tally: {
      items: 0,
      prices: 0,
      itemsChanged: 0,
      rising: 0,
      raisedBefore: 0,
      raisedAfter: 0,
      floorItems: 0,
      floorPrices: 0,
      sum: 0n,
    },
  }
  return {
    take: (item: TrialItem) => {
      const now = trial.changed.get(item.id) ?? item
      if (!item.isOnSale) return takeMoves(run, item, now)
      run.tally.items += 1
      takePrices(run, item, now)
      takeMargins(run, item, now)
    },
    end: () => endRun(run),
  }
}

function takePrices(run: Run, item: TrialItem, now: TrialItem): void {
  const { trial, tally } = run
  const [level, levelAfter] = [termsOf(trial.level, item), termsOf(trial.level, now)]
  const moves = run.moved && new Map<string, number>()
  let furthest: MovedPrice | null = null
  let floored = 0
  for (const currency of trial.currencies) {
    const one = run.before(item, currency, level)
    const other = run.after(now, currency, levelAfter)
    tally.prices += 1
    if (one.isRaised) tally.raisedBefore += 1
    if (other.isRaised) tally.raisedAfter += 1
    if (other.isBelowFloor && !one.isBelowFloor) floored += 1
    const [before, after] = [one.minor, other.minor]
    if (before === null && after !== null && now !== item)
      moves?.set(priceName(currency, trial.level), FROM_NOTHING)
    if (before === null || after === null || before === after) continue
    const move = moveOf({ before, after })
    tally.sum += after
    run.all.push(move)
    if (move > 0) tally.rising += 1
    moves?.set(priceName(currency, trial.level), move)
    if (furthest === null || Math.abs(move) > Math.abs(furthest.move))
      furthest = { code: item.code, currency, before, after, move }
  }
  if (moves && moves.size > 0) run.moved?.set(item.id, moves)
  if (furthest) {
    tally.itemsChanged += 1
    keepTop(run.top, furthest)
  }
  if (floored === 0) return
  tally.floorItems += 1
  tally.floorPrices += floored
  if (run.codes.length < CODES) run.codes.push(item.code)
}

/** By how far the prices of what is not on sale move, where that was asked for. */
function takeMoves(run: Run, item: TrialItem, now: TrialItem): void {
  if (!run.moved) return
  const [level, levelAfter] = [termsOf(run.trial.level, item), termsOf(run.trial.level, now)]
  const moves = new Map<string, number>()
  for (const currency of run.trial.currencies) {
    const before = run.before(item, currency, level).minor
    const after = run.after(now, currency, levelAfter).minor
    if (before === null || after === null || before === after) continue
    moves.set(priceName(currency, run.trial.level), moveOf({ before, after }))
  }
  if (moves.size > 0) run.moved.set(item.id, moves)
}

/** What was sold of it, at the prices of now and those that are tried. */
function takeMargins(run: Run, item: TrialItem, now: TrialItem): void {
  for (const { currency, units, costMinor } of run.sold.get(item.id) ?? []) {
    const [one, other] = [run.before(item, currency).minor, run.after(now, currency).minor]
    if (one === null || other === null || costMinor === null) continue
    const margin = run.margins.get(currency) ?? { units: 0n, before: 0n, after: 0n }
    margin.units += units
    margin.before += one * units - costMinor
    margin.after += other * units - costMinor
    run.margins.set(currency, margin)
  }
}

function endRun({ tally, all, codes, top, margins, moved }: Run): Tried {
  const effect = {
    items: tally.items,
    prices: tally.prices,
    itemsChanged: tally.itemsChanged,
    pricesChanged: all.length,
    rising: tally.rising,
    falling: all.length - tally.rising,
    ...shapeOf(all),
    belowFloor: { items: tally.floorItems, prices: tally.floorPrices, codes },
    raised: { before: tally.raisedBefore, after: tally.raisedAfter },
    top: top.toSorted(byMove),
    margins: [...margins].map(([currency, margin]) => ({ currency, ...margin })).toSorted(byUnits),
  }
  return { effect: { ...effect, hash: hashOf(effect, tally.sum) }, moved: moved ?? new Map() }
}

function termsOf(level: number, item: TrialItem): LevelTerms {
  return level === 0 ? RETAIL : { level, price: item.levels.get(level) ?? null }
}

const byMove = (one: MovedPrice, other: MovedPrice) =>
  Math.abs(other.move) - Math.abs(one.move) || (one.code < other.code ? -1 : 1)
const byUnits = (one: TriedMargin, other: TriedMargin) =>
  Number(other.units - one.units) || (one.currency < other.currency ? -1 : 1)

/** The twenty that move most, in no order while there are more to come. */
function keepTop(top: MovedPrice[], price: MovedPrice): void {
  if (top.length < TOP) {
    top.push(price)
    return
  }
  let least = 0
  for (let index = 1; index < top.length; index += 1)
    if (Math.abs(top[index]?.move ?? 0) < Math.abs(top[least]?.move ?? 0)) least = index
  if (Math.abs(price.move) > Math.abs(top[least]?.move ?? 0)) top[least] = price
}

function shapeOf(all: readonly number[]): Pick<TrialEffect, 'moves' | 'spread'> {
  const sorted = Int32Array.from(all).sort()
  const at = (index: number) => sorted[index] ?? 0
  const spread = Array.from({ length: STEPS.length + 1 }, () => 0)
  for (const move of sorted) {
    let column = 0
    while (column < STEPS.length && move > (STEPS[column] ?? 0)) column += 1
    spread[column] = (spread[column] ?? 0) + 1
  }
  return {
    moves:
      sorted.length === 0
        ? null
        : { least: at(0), median: at(sorted.length >> 1), most: at(sorted.length - 1) },
    spread,
  }
}

/** Told effects that are the same have the same. */
function hashOf(effect: Omit<TrialEffect, 'hash'>, sum: bigint): string {
  const text = JSON.stringify({ ...effect, margins: null, sum }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
