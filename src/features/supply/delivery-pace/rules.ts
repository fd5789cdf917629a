/** Deliveries from which on it is said how long they take. */
export const MEASURED_FROM = 20
export const MEASURED_DAYS = 30
/** Of the last hour and waiting, together, from which on it is said how long it takes now. */
export const NOW_FROM = 3
const NOW_MUCH_LONGER = 2
const NOW_LEAST_SECONDS = 30

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
/** Up to so many seconds, times are told in steps of so many. */
const STEPS = [
  [10, 1],
  [MINUTE, 5],
  [10 * MINUTE, MINUTE],
  [2 * HOUR, 10 * MINUTE],
  [2 * DAY, HOUR],
] as const

/** As shoppers are told it, never less than it was: what differs by less than a step is the same to them. */
export function roundedSeconds(seconds: number): number {
  const step = STEPS.find(([end]) => seconds <= end)?.[1] ?? DAY
  return Math.max(1, Math.ceil(seconds / step) * step)
}

export interface Measured {
  readonly product: string
  /** Null: whoever delivered. */
  readonly supplier: string | null
  readonly deliveries: number
  readonly p50: number
  readonly p95: number
  /** Half of those of the last hour and of those that wait; null where there are too few. */
  readonly now: number | null
}

export interface Pace {
  readonly product: string
  readonly supplier: string | null
  readonly deliveries: number
  readonly p50Seconds: number
  readonly p95Seconds: number
  readonly nowSeconds: number | null
}

/** That it takes longer now is said where it is much longer. */
export function paceOf({ p50, p95, now, ...of }: Measured): Pace {
  const p50Seconds = roundedSeconds(p50)
  const nowSeconds = now === null ? null : roundedSeconds(now)
  const isLonger =
    nowSeconds !== null &&
    nowSeconds >= p50Seconds * NOW_MUCH_LONGER &&
    nowSeconds >= NOW_LEAST_SECONDS
  return {
    ...of,
    p50Seconds,
    p95Seconds: roundedSeconds(p95),
    nowSeconds: isLonger ? nowSeconds : null,
  }
}

/** What the owner says of deliveries that are late. */
export interface LateRule {
  /** Late: longer than 95 of 100 deliveries took, or than was estimated, times this. */
  readonly factor: number
  /** Hours after which what waits and is certainly not bought goes back; null: never by itself. */
  readonly refundAfterHours: number | null
}

/** No delivery is late before. */
export const LATE_LEAST_SECONDS = 5 * MINUTE
/** Of older ones nobody is told any more: they wait for a person. */
export const LATE_DAYS = 3
