import { hostCookieName, readCookie, readHostCookie, writeCookie } from '#platform/http/cookies.ts'

/** Says to the browser's own code that somebody is signed in, and how long the browser keeps it; holds no secret. */
export const HINT_COOKIE = 'signed_in'
const STAYS = '1'
const ENDS_WITH_WINDOW = 'window'
const SESSION_MAX_AGE_SECONDS = 90 * 24 * 3600

export function sessionCookieName(isHttps: boolean): string {
  return hostCookieName('sid', isHttps)
}

/** The session token of a request's cookie; null without one. */
export function sessionToken(cookieHeader: string | undefined, isHttps: boolean): string | null {
  return readCookie(cookieHeader, sessionCookieName(isHttps))
}

/** What a call reads from and writes to the caller's browser. */
export interface CallCookies {
  /** What `keep` put there. */
  readonly read: (name: string) => string | null
  /** HttpOnly, for the whole shop, from this host alone. */
  readonly keep: (name: string, value: string, maxAgeSeconds: number) => void
  readonly forget: (name: string) => void
  /** @param stay whether the session outlives the browser's window */
  readonly startSession: (token: string, stay: boolean) => void
  /** The same session goes on under another token, kept as long as before. */
  readonly renewSession: (token: string) => void
  readonly endSession: () => void
  /** `Set-Cookie` values collected so far. */
  readonly written: () => readonly string[]
}

export function createCookies(header: string | undefined, isHttps: boolean): CallCookies {
  const written = new Map<string, string>()
  const secure = isHttps
  const put = (name: string, value: string, maxAgeSeconds: number | null, httpOnly = true) =>
    written.set(name, writeCookie(name, value, { maxAgeSeconds, secure, httpOnly }))
  const name = sessionCookieName(isHttps)
  const putHint = (value: string, maxAge: number | null) => {
    put(hostCookieName(HINT_COOKIE, isHttps), value, maxAge, false)
    // As releases before this one named it.
    if (isHttps && readCookie(header, HINT_COOKIE) !== null) put(HINT_COOKIE, '', 0, false)
  }
  const startSession = (token: string, stay: boolean) => {
    const maxAge = stay ? SESSION_MAX_AGE_SECONDS : null
    put(name, token, maxAge)
    putHint(stay ? STAYS : ENDS_WITH_WINDOW, maxAge)
  }
  return {
    read: (wanted) => readCookie(header, hostCookieName(wanted, isHttps)),
    keep: (wanted, value, maxAgeSeconds) =>
      put(hostCookieName(wanted, isHttps), value, maxAgeSeconds),
    forget: (wanted) => put(hostCookieName(wanted, isHttps), '', 0),
    startSession,
    renewSession: (token) =>
      startSession(token, readHostCookie(header, HINT_COOKIE) !== ENDS_WITH_WINDOW),
    endSession() {
      put(name, '', 0)
      putHint('', 0)
    },
    written: () => [...written.values()],
  }
}
