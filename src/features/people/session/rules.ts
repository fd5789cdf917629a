import type { LanguageCode } from '#kernel/language.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A session ends after this long without use … */
export const IDLE_MS = 14 * DAY
/** … and after this long in any case. */
export const ABSOLUTE_MS = 90 * DAY
/** The `token` parameter of other clients, weaker than the cookie, also ends after this long without use. */
export const HANDLE_IDLE_MS = 24 * HOUR
/** Use is noted no more often than this. */
export const TOUCH_MS = MINUTE
/** How long a proof counts as fresh. */
export const FRESH_PROOF_MS = 10 * MINUTE
/** A device not seen for this long is new again. */
export const KNOWN_DEVICE_MS = 180 * DAY
/** Sessions of an account; one more ends the one not seen for longest. And places it knows. */
export const SESSIONS_MAX = 100
export const KNOWN_DEVICES_MAX = 200

/** A signed-in shopper, as one call sees them. */
export interface Person {
  readonly sessionId: string
  /** A handle (the `token` parameter) does less than a cookie: it can be seen in an address. */
  readonly via: 'cookie' | 'handle'
  /** When this session last proved to be its owner's. */
  readonly provedAt: Date
  readonly accountId: string
  readonly userId: string
  readonly uid: string
  readonly userName: string
  readonly nickname: string
  readonly email: string
  readonly mobile: string | null
  readonly mobileVerified: boolean
  /** Public id of the picture. */
  readonly avatar: string | null
  readonly language: LanguageCode
  readonly roleId: number
  readonly registeredAt: Date
  readonly hasPassword: boolean
}

/** What a client keeps: the cookie's token, and the handle that goes into `userinfo.token`. */
export interface SessionSecrets {
  readonly token: string
  readonly handle: string
}

export interface ListedSession {
  /** Public id, to end it by. */
  readonly id: string
  /** Empty when unknown. */
  readonly browser: string
  readonly system: string
  readonly network: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly current: boolean
}

/** Whether sensitive actions may go on without asking again. A proof made over a handle counts for its own call alone. */
export function isFresh(person: Pick<Person, 'provedAt' | 'via'>, now: Date): boolean {
  return person.via === 'cookie' && now.getTime() - person.provedAt.getTime() <= FRESH_PROOF_MS
}
