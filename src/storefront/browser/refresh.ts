import { rememberPerson } from '../state/session.ts'
import { readPageState, type PageState } from './page-state.ts'

const TIMEOUT_MS = 30_000
let newest = 0

/**
 * What the server says of a page now, at this address or another of the same page. Null when another one has been asked for since, or
 * when it is another page by now: that one is gone to.
 */
export async function fetchPageState(address: string, folder: string): Promise<PageState | null> {
  const turn = (newest += 1)
  try {
    const response = await fetch(address, {
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const html = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (turn !== newest) return null
    const state = readPageState(html)
    if (!state || state.payload.page !== folder) {
      location.assign(response.url)
      return null
    }
    if (response.url !== location.href) history.replaceState(history.state, '', response.url)
    if (state.payload.person) rememberPerson(state.payload.person)
    return state
  } catch {
    // Out of reach for the moment: what is shown stays, and the banner says so.
    return null
  }
}
