import type { PageState } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { interruptions } from './interruptions.ts'

/** Opens a page of the console within the application, by its path and query. */
type Open = (address: string, signal: AbortSignal) => Promise<void>

const refreshers = new Set<() => void>()

/** Asks the server for the page that is open once more, after something has been changed. */
export function refreshPage(): void {
  for (const refresh of refreshers) refresh()
}

/**
 * Opens links to other pages of the console without loading the application anew. Where the browser has no Navigation API, links load
 * pages as they always do. @returns what ends it
 */
export function followNavigation(open: Open): () => void {
  const ending = new AbortController()
  const refresh = () => void open(location.pathname + location.search, ending.signal).catch(leave)
  refreshers.add(refresh)
  ending.signal.addEventListener('abort', () => refreshers.delete(refresh))
  if ('navigation' in window)
    navigation.addEventListener(
      'navigate',
      (event) => {
        const url = new URL(event.destination.url)
        // Whoever loads the page anew wants all of it anew: in another language, say.
        if (event.navigationType === 'reload') return
        const kept = keptInGuide(url)
        if (kept !== null && event.cancelable && event.navigationType === 'push') {
          event.preventDefault()
          // What a navigation begins, its own end does not end.
          setTimeout(() => navigation.navigate(kept))
          return
        }
        if (!event.canIntercept || event.hashChange || event.downloadRequest !== null) return
        if (event.formData || url.origin !== location.origin || !isConsole(url.pathname)) return
        event.intercept({
          handler: () =>
            open(url.pathname + url.search, event.signal).catch((error: unknown) => {
              if (!event.signal.aborted) leave(error, url.href)
            }),
        })
      },
      { signal: ending.signal },
    )
  return () => ending.abort()
}

/** Whoever came from the setup guide is led back to it from wherever they go on to; null where nothing is to be added. */
function keptInGuide(url: URL): string | null {
  const step = new URLSearchParams(location.search).get('guide')
  if (step === null || url.origin !== location.origin || url.searchParams.has('guide')) return null
  const path = url.pathname
  if (!path.startsWith(`${CONSOLE_PATH}/`) || path === `${CONSOLE_PATH}/guide`) return null
  if (path === location.pathname && url.search === location.search) return null
  const kept = new URL(url)
  kept.searchParams.set('guide', step)
  return kept.href
}

const isConsole = (path: string) => path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`)

/** What could not be opened within is opened by the browser, which says why. */
function leave(_: unknown, href = location.href): void {
  location.assign(href)
}

/** The same page as it is by now, which nobody pressed anything for; null where there is none any more. */
export async function fetchLive(address: string, signal: AbortSignal): Promise<PageState | null> {
  const headers = { accept: 'application/json', 'x-lukado-live': '1' }
  const answer = await fetch(address, { headers, signal })
  return answer.ok ? ((await answer.json()) as PageState) : null
}

/** The page of an address as the server makes it. Who is signed in no more does it again over the page that is open, or is led to the sign-in. */
export async function fetchPage(address: string, signal: AbortSignal): Promise<PageState> {
  const answer = await fetch(address, { headers: { accept: 'application/json' }, signal })
  if (answer.status === 401) {
    if (await interruptions().signInAgain()) return fetchPage(address, signal)
    const { to } = (await answer.json()) as { readonly to: string }
    location.assign(to)
    return new Promise(() => {})
  }
  return (await answer.json()) as PageState
}
