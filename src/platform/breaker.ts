/** How much may be asked of a service now: everything, one thing to see whether it is back, or nothing. */
export type Room = 'all' | 'one' | 'none'

export interface Breaker {
  readonly room: () => Room
  /** Does it, or throws `BreakerOpen` at once while the service is taken to be away. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen'
}

/** A service that says no, or that fails at once, keeps nobody waiting: only failures that took this long count. */
const SLOW_MS = 1_000
const FAILURES = 4
const PAUSE_MS = 5_000
const PAUSE_MAX_MS = 60_000

export interface BreakerOptions {
  readonly slowMs?: number
  readonly pauseMs?: number
  readonly onChange?: (isAway: boolean) => void
}

/**
 * Asks nothing more of a service after it has kept several askers waiting in vain, but one thing now and then, less and less often up
 * to a minute, until it answers.
 */
export function createBreaker({
  slowMs = SLOW_MS,
  pauseMs = PAUSE_MS,
  onChange = () => {},
}: BreakerOptions = {}): Breaker {
  let failures = 0
  let pause = pauseMs
  let closedUntil: number | null = null
  let isTrying = false
  const room = (): Room =>
    closedUntil === null ? 'all' : isTrying || performance.now() < closedUntil ? 'none' : 'one'
  const answered = () => {
    if (closedUntil !== null) onChange(false)
    failures = 0
    pause = pauseMs
    closedUntil = null
  }
  const silent = (wasTry: boolean) => {
    // What was asked before it was taken to be away says nothing new.
    if (closedUntil !== null && !wasTry) return
    failures += 1
    if (failures < FAILURES) return
    if (closedUntil === null) onChange(true)
    else pause = Math.min(pause * 2, PAUSE_MAX_MS)
    closedUntil = performance.now() + pause
  }
  return {
    room,
    async run(work) {
      const now = room()
      if (now === 'none') throw new BreakerOpen('the service is taken to be away')
      const isTry = now === 'one'
      const began = performance.now()
      if (isTry) isTrying = true
      try {
        const answer = await work()
        answered()
        return answer
      } catch (error) {
        if (performance.now() - began >= slowMs) silent(isTry)
        else answered()
        throw error
      } finally {
        if (isTry) isTrying = false
      }
    },
  }
}
