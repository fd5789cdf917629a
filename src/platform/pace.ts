import { setTimeout as sleep } from 'node:timers/promises'

/** Lets so many through in a second, evenly, however many wait. A moment in which nobody came is not made up for. */
export function createPace(perSecond: number): (signal?: AbortSignal) => Promise<void> {
  const spaceMs = 1_000 / perSecond
  let nextAt = 0
  return async (signal) => {
    const now = performance.now()
    const at = Math.max(nextAt, now)
    nextAt = at + spaceMs
    if (at > now) await sleep(at - now, undefined, signal ? { signal } : {}).catch(() => {})
  }
}
