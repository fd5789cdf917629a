/** A service that people may sign in with, as pages and calls name it. */
export interface OfferedService {
  /** In addresses and calls: "google". */
  readonly platform: string
  /** What people read: "Google". */
  readonly name: string
}

/** What somebody wants with another service: come in, or have it linked to the account they are signed in to. */
export type Intent = 'sign_in' | 'link'

/** Somebody as another service knows them. The pair of issuer and subject is who they are; nothing else is. */
export interface ReportedIdentity {
  readonly issuer: string
  readonly subject: string
  /** In lower case; empty when none was told. */
  readonly email: string
  /** The service says that it has verified the address. */
  readonly emailVerified: boolean
  readonly displayName: string
}

export interface LinkedIdentity {
  readonly platform: string
  readonly displayName: string
  readonly linkedAt: Date
}

/** Parameters of a provider's answer that mean something to us; others (Google's `authuser` …) are left behind. */
export const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error', 'user'] as const
export type AnswerParameter = (typeof ANSWER_PARAMETERS)[number]

/** How long a sign-in may take at the other service, and how long its ticket waits afterwards. */
export const SIGN_IN_LIFE_MS = 10 * 60_000
export const TICKET_LIFE_MS = 10 * 60_000

/**
 * Holds a random value in the browser in which a sign-in began: an answer or a ticket carried into another browser is worth
 * nothing there. Lives as long as both together.
 */
export const BINDING_COOKIE = 'sign_in_elsewhere'
export const BINDING_SECONDS = (SIGN_IN_LIFE_MS + TICKET_LIFE_MS) / 1_000

/** Path below the shop's address that a service sends people back to; registered with each of them. */
export function landingPath(platform: string): string {
  return `/loading/${platform}`
}
