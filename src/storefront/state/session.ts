import { localPath } from '../local-path.ts'
import type { HeaderPerson } from '../page.ts'
import { writeBrowserCookie } from './browser-cookies.ts'
import { client } from './client.ts'
import { headerPerson } from './header-person.ts'
import { clearPage } from './refresh.ts'
import {
  createStore,
  emptyPersonalStores,
  keep,
  readStored,
  removeStored,
  VISIT_KEY,
} from './store.ts'

/** Who is signed in, as far as this browser knows; null for a visitor. The session itself is a cookie no script can read. */
export const person = createStore<HeaderPerson | null>(null, { isPersonal: true })

/** They have gone, though this page was made for them. */
export const hasGone = createStore(false)

const KEY = 'userinfo'
/** Where to come back to after signing in (specification §8). */
const RETURN_KEY = 'redirect'
/** There while the shop has not heard of a sign-out. */
const ENDING_KEY = 'signing_out'
const AGAIN_MS = 15_000
const HINT_COOKIE = 'signed_in'
const HINT = /(?:^|; )(?:__Host-)?signed_in=/

export function isSignedIn(): boolean {
  return HINT.test(document.cookie)
}

/** Shows what was known at the last visit, then asks who is signed in, as every layout does (specification §3). */
export async function openSession(): Promise<void> {
  watchSignOut()
  if (await endUnheard()) return location.reload()
  if (!isSignedIn()) return forget()
  person.set(readStored(KEY) as HeaderPerson | null)
  await refreshPerson()
}

/** What was made for somebody is not looked at again once they have signed out, here or in another tab. */
function watchSignOut(): void {
  const wasSignedIn = isSignedIn()
  addEventListener('online', () => void endUnheard())
  addEventListener('storage', () => {
    if (!isSignedIn()) person.set(null)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || isSignedIn() === wasSignedIn) return
    document.documentElement.hidden = true
    location.reload()
  })
}

/** A failure is silent (specification §8): the header then shows what was known before. */
export async function refreshPerson(): Promise<void> {
  try {
    const info = await client
      .get()
      ?.get('user/getUserInfo', {}, { needToken: true, showCheckMsg: false })
    if (info) rememberPerson(headerPerson(info))
  } catch {
    // The header keeps what it showed.
  }
}

/**
 * Ends the session, forgets everything this browser kept of the person and goes to /middle. False when the shop could not be told: the
 * person is signed out here all the same, and the shop hears of it once it can be reached.
 */
export async function signOut(prefix: string): Promise<boolean> {
  const address = addressHere(prefix)
  if (await hasEnded()) {
    forgetSignedOut(address)
    location.assign(localPath(prefix, `/middle?url=${encodeURIComponent(address)}`))
    return true
  }
  forgetAll()
  keep(RETURN_KEY, address)
  keep(ENDING_KEY, true)
  writeBrowserCookie(HINT_COOKIE, '', 0)
  emptyPersonalStores()
  hasGone.set(true)
  setTimeout(() => void endUnheard(), AGAIN_MS)
  clearPage()
  return false
}

async function hasEnded(): Promise<boolean> {
  try {
    return (await client.get()?.post('user/logout', {}, { showCheckMsg: false })) === true
  } catch {
    return false
  }
}

const isUnheard = () => readStored(ENDING_KEY) === true

/** Tells the shop of a sign-out that it has not heard of; whoever has signed in since has ended that session by it. */
async function endUnheard(): Promise<boolean> {
  if (!isUnheard()) return false
  if (!isSignedIn() && !(await hasEnded())) {
    setTimeout(() => void endUnheard(), AGAIN_MS)
    return false
  }
  removeStored(ENDING_KEY)
  return !isSignedIn()
}

/**
 * Forgets everything this browser kept of a person who has signed out, but for the way back (specification §4). Nothing goes
 * where nobody was signed in: a link to /middle empties no visitor's cart.
 */
export function forgetSignedOut(address: string): void {
  const wasSignedIn = readStored(KEY) !== null
  person.set(null)
  if (!wasSignedIn) return
  forgetAll()
  keep(RETURN_KEY, address)
}

/** A session that has ended leads to the login page and back (specification §8). */
export function expire(prefix: string): void {
  const address = addressHere(prefix)
  forget()
  keep(RETURN_KEY, address)
  location.assign(localPath(prefix, `/login?redirect=${encodeURIComponent(address)}`))
}

/** Path and query of the page shown, without language prefix. */
function addressHere(prefix: string): string {
  return (location.pathname.slice(prefix.length) || '/') + location.search
}

/** Shows who is signed in, here and at the next visit. */
export function rememberPerson(next: HeaderPerson): void {
  // A page that the shop made before it heard that they have gone.
  if (isUnheard() && !isSignedIn()) return
  hasGone.set(false)
  person.set(next)
  keep(KEY, next)
}

function forget(): void {
  person.set(null)
  removeStored(KEY)
}

function forgetAll(): void {
  try {
    const counted = localStorage.getItem(VISIT_KEY)
    localStorage.clear()
    sessionStorage.clear()
    if (counted !== null) localStorage.setItem(VISIT_KEY, counted)
  } catch {
    // Nothing was kept then.
  }
}
