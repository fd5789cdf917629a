import { localPath } from '../local-path.ts'
import type { HeaderPerson } from '../page.ts'
import { client } from './client.ts'
import { headerPerson } from './header-person.ts'
import { createStore, keep, readKept, VISIT_KEY } from './store.ts'

/** Who is signed in, as far as this browser knows; null for a visitor. The session itself is a cookie no script can read. */
export const person = createStore<HeaderPerson | null>(null)

const KEY = 'userinfo'
/** Where to come back to after signing in (specification §8). */
const RETURN_KEY = 'redirect'
const HINT = /(?:^|; )(?:__Host-)?signed_in=/

export function isSignedIn(): boolean {
  return HINT.test(document.cookie)
}

/** Shows what was known at the last visit, then asks who is signed in, as every layout does (specification §3). */
export async function openSession(): Promise<void> {
  if (!isSignedIn()) return forget()
  person.set(readKept(KEY) as HeaderPerson | null)
  await refreshPerson()
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

/** Ends the session, forgets everything this browser kept of the person and goes to /middle. False when it failed. */
export async function signOut(prefix: string): Promise<boolean> {
  try {
    if (!(await client.get()?.post('user/logout', {}))) return false
  } catch {
    return false
  }
  const address = addressHere(prefix)
  forgetSignedOut(address)
  location.assign(localPath(prefix, `/middle?url=${encodeURIComponent(address)}`))
  return true
}

/**
 * Forgets everything this browser kept of a person who has signed out, but for the way back (specification §4). Nothing goes
 * where nobody was signed in: a link to /middle empties no visitor's cart.
 */
export function forgetSignedOut(address: string): void {
  const wasSignedIn = readKept(KEY) !== null
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
  person.set(next)
  keep(KEY, next)
}

function forget(): void {
  person.set(null)
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was kept then.
  }
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
