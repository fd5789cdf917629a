import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

/**
 * The time of the shop is the database's: whatever a machine's own clock says, all processes agree on what is due and what is over.
 */
export interface Clock {
  /** Never earlier than before, unless the database's own clock was set back. */
  readonly now: () => Date
  /** How far this machine's clock is ahead of the database's, in milliseconds; negative where it is behind. */
  readonly skewMs: () => number
  readonly stop: () => void
}

const MEASURED_EVERY_MS = 10_000
/** Of several looks the one that was answered fastest is believed. */
const LOOKS = 3
/** What differs by less is the doubt of measuring: time then stands still for a moment rather than go back. */
const STEP_MS = 1_000
/** From here on it is told: certificates, signatures of notices and logs go by the machine's clock. */
export const SKEW_TOLD_MS = 5_000

interface Measured {
  /** The database's time at `at` of this process's steady clock, both in milliseconds. */
  readonly time: number
  readonly at: number
  readonly tripMs: number
}

/** The database's clock, measured now and then; in between it goes by the steady clock of the process, which nobody sets. */
export async function openClock(
  db: Db,
  log: Pick<Log, 'warn' | 'info'>,
  everyMs = MEASURED_EVERY_MS,
): Promise<Clock> {
  let known = await measure(db)
  let told = 0
  let isOff = false
  const now = (): number => {
    const time = known.time + performance.now() - known.at
    told = time < told && told - time < STEP_MS ? told : time
    return told
  }
  const skewMs = () => Math.round(Date.now() - now())
  const report = () => {
    const isOffNow = Math.abs(skewMs()) > SKEW_TOLD_MS
    if (isOffNow && !isOff)
      log.warn("the clock of this machine differs from the database's, which everything goes by", {
        seconds: Math.round(skewMs() / 1_000),
      })
    if (!isOffNow && isOff) log.info('the clock of this machine is right again', {})
    isOff = isOffNow
  }
  report()
  // A database that is away keeps the last measure good: a steady clock drifts by less than a second in hours.
  const again = () =>
    measure(db)
      .then(
        (measured) => {
          known = measured
        },
        () => {},
      )
      .then(report)
  const timer = setInterval(() => void again(), everyMs)
  timer.unref()
  return { now: () => new Date(now()), skewMs, stop: () => clearInterval(timer) }
}

async function measure(db: Db): Promise<Measured> {
  let best: Measured | null = null
  for (let look = 0; look < LOOKS; look += 1) {
    const began = performance.now()
    const { rows } = await sql<{
      time: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::double precision as time`.execute(db)
    const ended = performance.now()
    const measured = {
      time: rows[0]?.time ?? Number.NaN,
      at: (began + ended) / 2,
      tripMs: ended - began,
    }
    if (best === null || measured.tripMs < best.tripMs) best = measured
  }
  if (best === null || !Number.isFinite(best.time))
    throw new Error('the database does not tell the time')
  return best
}
