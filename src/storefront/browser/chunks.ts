const KEY = 'chunk-reload-at'
const INTERVAL_MS = 60_000

/**
 * A chunk that cannot be loaded usually means a new release. What was pressed meanwhile is done without the application: its link is
 * followed, its form sent. Else the page is loaded anew, at most once in 60 s (specification §8), and after that it is shown as it is
 * without script. Not while offline, where the page shown is all there is. Returns only by throwing.
 */
export async function reloadOnceForMissingChunk(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(KEY) ?? 0)
  const now = Math.round(performance.timeOrigin + performance.now())
  const isDue = now - last > INTERVAL_MS
  if (navigator.onLine && (pressNatively() || isDue)) {
    if (isDue) sessionStorage.setItem(KEY, String(now))
    if (!isLeaving) {
      holdNoMore()
      location.reload()
    }
    // The page is going away: nothing more is rendered.
    await new Promise(() => {})
  }
  // Nobody comes to answer what is held: from now on the browser does what is pressed.
  if (navigator.onLine) {
    holdNoMore()
    await import('./without-script.ts')
  }
  throw error
}

let isLeaving = false

/** Lets the browser do what the last press that was held means without script. @returns whether there was one */
function pressNatively(): boolean {
  const pressed = window.held?.findLast(isOfTheBrowser)
  if (!pressed) return isLeaving
  window.held = []
  isLeaving = true
  holdNoMore()
  delete pressed.dataset['held']
  pressed.click()
  return true
}

/** The inline script holds what is pressed in islands that are not alive (`boot.ts`). */
function holdNoMore(): void {
  for (const island of document.querySelectorAll<HTMLElement>('[data-island]'))
    island.dataset['alive'] = ''
}

function isOfTheBrowser(element: HTMLElement): boolean {
  return (
    element instanceof HTMLAnchorElement ||
    (element instanceof HTMLButtonElement && element.type === 'submit' && element.form !== null)
  )
}
