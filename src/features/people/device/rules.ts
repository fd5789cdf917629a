/** Tells a browser that somebody signed in with before; it opens nothing, it only keeps strangers' tries away from its owner's. */
export const DEVICE_COOKIE = 'device'
export const DEVICE_COOKIE_SECONDS = 180 * 24 * 3600

/** What the cookie holds: a name drawn for this browser, and a mark for each account that signed in here, newest first. */
export interface Device {
  readonly id: string
  readonly marks: readonly string[]
}

const ACCOUNTS_MAX = 8
const COOKIE = /^[A-Za-z0-9_-]{22}(?:\.[A-Za-z0-9_-]{22}){0,8}$/

export function readDevice(cookie: string | null | undefined): Device | null {
  if (!cookie || !COOKIE.test(cookie)) return null
  const [id = '', ...marks] = cookie.split('.')
  return { id, marks }
}

export function deviceCookie({ id, marks }: Device): string {
  return [id, ...marks.slice(0, ACCOUNTS_MAX)].join('.')
}
