const KEY = 'chunk-reload-at'
const INTERVAL_MS = 60_000

/**
 * A chunk that cannot be loaded usually means a new release: the page is loaded anew, at most once in 60 s
 * (specification §8). Not while offline, where the page shown is all there is. Returns only by throwing.
 */
export async function reloadOnceForMissingChunk(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(KEY) ?? 0)
  const now = Math.round(performance.timeOrigin + performance.now())
  if (navigator.onLine && now - last > INTERVAL_MS) {
    sessionStorage.setItem(KEY, String(now))
    location.reload()
    // The page is going away: nothing more is rendered.
    await new Promise(() => {})
  }
  throw error
}
