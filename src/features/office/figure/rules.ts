/** By what figures are told apart; 'all' is the shop as a whole. */
export const DIMENSIONS = ['currency', 'method', 'country', 'brand', 'supplier'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export const PERIODS = ['today', '7', '30', 'year'] as const
export type Period = (typeof PERIODS)[number]

interface Span {
  readonly span: 'hour' | 'day'
  /** Days of the period, today among them; as many before it are compared with. */
  readonly days: number
  /** Hours or days that are shown as one point. */
  readonly together: number
}

/** A year is 52 weeks, so that each point and each day of the week has its like in the year before. */
export const SPANS: Readonly<Record<Period, Span>> = {
  today: { span: 'hour', days: 1, together: 1 },
  7: { span: 'day', days: 7, together: 1 },
  30: { span: 'day', days: 30, together: 1 },
  year: { span: 'day', days: 364, together: 7 },
}

/** What is added up. Amounts in US cents, at the rate of each order. */
export const COUNTS = [
  'begun',
  'begun_paid',
  'paid',
  'units',
  'sales_usd',
  'fees_usd',
  'borne_usd',
  'delivered',
  'costed',
  'costed_usd',
  'cost_usd',
  'refunds',
  'refunded_usd',
] as const
export type Count = (typeof COUNTS)[number]

/** Times in buckets, shortest first. */
export type Times = readonly number[]

export type Figures = Readonly<Record<Count, bigint>> & { readonly times: Times }

export const NO_FIGURES: Figures = {
  ...(Object.fromEntries(COUNTS.map((count) => [count, 0n])) as Record<Count, bigint>),
  times: [],
}

/** Adds figures up, and their times bucket by bucket. */
export function addUp(all: readonly Figures[]): Figures {
  const counts = { ...NO_FIGURES } as Record<Count, bigint>
  const times: number[] = []
  for (const figures of all) {
    for (const count of COUNTS) counts[count] += figures[count]
    for (const [bucket, units] of figures.times.entries())
      times[bucket] = (times[bucket] ?? 0) + units
  }
  return { ...counts, times }
}

/** The first bucket ends at a second; four after it double the time, so that a time read from them is off by a tenth at most. */
export const BUCKETS_PER_DOUBLING = 4
/** The last one begins at six weeks. */
export const LAST_BUCKET = 88

/** Where a bucket ends, in seconds. */
export const bucketEnd = (bucket: number): number => 2 ** (bucket / BUCKETS_PER_DOUBLING)
const bucketBegin = (bucket: number): number => (bucket === 0 ? 0 : bucketEnd(bucket - 1))

/** The time that so great a part of the units took at most, in seconds; null where there are none. */
export function quantile(times: Times, part: number): number | null {
  const all = times.reduce((sum, units) => sum + units, 0)
  if (all === 0) return null
  let left = Math.max(1, Math.ceil(all * part))
  for (const [bucket, units] of times.entries()) {
    if (left <= units) {
      const begin = bucketBegin(bucket)
      return begin + (bucketEnd(bucket) - begin) * (left / units)
    }
    left -= units
  }
  return null
}

/** How many units took no longer than each of these times, and longer than the one before it; at the end those above the last. */
export function timesUpTo(times: Times, ends: readonly number[]): number[] {
  const found = [...ends.map(() => 0), 0]
  for (const [bucket, units] of times.entries()) {
    const middle = (bucketBegin(bucket) + bucketEnd(bucket)) / 2
    const at = ends.findIndex((end) => middle <= end)
    const column = at < 0 ? ends.length : at
    found[column] = (found[column] ?? 0) + units
  }
  return found
}

/** What is left of what was sold, where it is known what it cost: less that, and less what of prices the shop has borne itself. */
export const marginOf = ({ costed_usd, cost_usd, borne_usd }: Figures): bigint =>
  costed_usd - cost_usd - borne_usd

const TEN_THOUSAND = 10_000n

/** A part of a whole in hundredths of a percent, rounded; null of nothing. */
export function shareOf(part: bigint, whole: bigint): number | null {
  if (whole <= 0n) return null
  return Number(divided(part * TEN_THOUSAND, whole))
}

/** How much more there is than before, in hundredths of a percent; null where there was nothing. */
export function changeOf(now: bigint, before: bigint): number | null {
  if (before === 0n) return null
  const size = before < 0n ? -before : before
  return Number(divided((now - before) * TEN_THOUSAND, size))
}

/** Rounded, halves away from zero. `by` is above zero. */
const divided = (amount: bigint, by: bigint): bigint =>
  (amount * 2n + (amount < 0n ? -by : by)) / (by * 2n)

/** Hours are kept so long; days for good. */
export const HOURS_KEPT_DAYS = 16
/** Days that one turn adds up at most: what is left waits for the next. */
export const DAYS_A_TURN = 20
/** Movements are written by transactions that may end after those of later ones: so far back the books are read again. */
export const OVERLAP_MINUTES = 10
/** With each new hour they are read again so far back. */
export const HOURLY_OVERLAP_MINUTES = 150
/** Figures that were added up longer ago than this are told with their age. */
export const STALE_MINUTES = 5

/** What is added up: one more begins anew whatever was added up before. */
export const FIGURES_EDITION = 2

export const FIGURE_SWEEP = 'add_up'
