import type { Routing } from '#features/supply/routing/rules.ts'

/** How a supplier goes: what people read first, worst last but for what is off. */
export type SupplierHealth = 'healthy' | 'slow' | 'paused' | 'refuses' | 'stopped' | 'off'

/** Purchases of a day that are looked at, the latest first. */
export const MEASURED_MOST = 2_000
/** So many times what was usual the day before is slow … */
const SLOW_TIMES = 2
/** … where half of all took at least so long. */
const SLOW_FROM_MS = 5_000

/** How long purchases took, and how many of them came to something. */
export interface Pace {
  readonly done: number
  readonly failed: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export interface HealthFacts {
  readonly status: 'on' | 'off'
  readonly isStopped: boolean
  readonly failures: number
  readonly restsUntil: Date | null
  readonly restsFor: 'trouble' | 'ours' | null
  readonly day: Pace
  readonly before: Pace
}

export function healthOf(
  { status, isStopped, failures, restsUntil, restsFor, day, before }: HealthFacts,
  now: Date,
): SupplierHealth {
  if (status === 'off') return 'off'
  if (isStopped) return 'stopped'
  if (restsFor === 'ours') return 'refuses'
  if (restsUntil !== null && restsUntil > now) return 'paused'
  const isSlower =
    day.p50Ms !== null &&
    day.p50Ms >= SLOW_FROM_MS &&
    before.p50Ms !== null &&
    day.p50Ms >= before.p50Ms * SLOW_TIMES
  return failures > 0 || isSlower ? 'slow' : 'healthy'
}

/** How the circuit breaker stands: whether purchases go there, none do, or one at a time tries it. */
export function breakerOf(
  { failures, restsUntil, restsFor }: Pick<HealthFacts, 'failures' | 'restsUntil' | 'restsFor'>,
  now: Date,
  troubleFrom: number,
): 'closed' | 'open' | 'half_open' {
  if (restsUntil !== null && restsUntil > now) return 'open'
  return restsFor === 'ours' || failures >= troubleFrom ? 'half_open' : 'closed'
}

/** What share of the purchases that ended came to something; null where none ended. */
export const shareOf = ({ done, failed }: Pace): number | null =>
  done + failed === 0 ? null : done / (done + failed)

/** What tells two states of the shop's rule apart. */
export const ruleVersion = ({ rule, lossBasisPoints, lossUsdMinor }: Routing): string =>
  [rule.join('-'), lossBasisPoints, lossUsdMinor ?? ''].join('_')
