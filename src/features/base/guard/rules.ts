const FIRST_PAUSE_MS = 15 * 60_000
const LONGEST_PAUSE_MS = 24 * 60 * 60_000
/** After so long without a wrong try, and after the last pause, counting starts anew. */
export const FORGOTTEN_MS = 24 * 60 * 60_000

/** Wrong tries before a pause: from one place, and for a name from all places that its owner never signed in at. */
export const TRIES = 5
export const TRIES_FROM_EVERYWHERE = 50

/** Milliseconds of pause after that many wrong tries in a row: every so many bring one, twice as long as the one before. */
export function pauseAfter(failures: number, tries: number = TRIES): number {
  if (failures < tries || failures % tries !== 0) return 0
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(16, failures / tries - 1))
}

/** A name somebody typed, whether an account has it or not. */
export interface TypedName {
  readonly kind: 'email' | 'user_name' | 'operator'
  readonly text: string
}

/**
 * What is being guessed at, and from where: each has a count of its own. Typed names are counted as typed: counting an account's
 * address and user name as one would tell who owns both.
 */
export type Guarded =
  /** From one network, by browsers that the account does not know. */
  | { readonly typed: TypedName; readonly network: string }
  /** From everywhere, by browsers that the account does not know. */
  | { readonly typed: TypedName }
  /** From a browser that the account was signed in with before: strangers' tries do not count here. */
  | { readonly accountId: string; readonly device: string }
  /** By who is signed in, for a proof. */
  | { readonly sessionId: string }

export function triesOf(guarded: Guarded): number {
  return 'typed' in guarded && !('network' in guarded) ? TRIES_FROM_EVERYWHERE : TRIES
}

/** An account with the names that people may type for it. */
export interface GuardedAccount {
  readonly email: string
  readonly userName: string
}

/**
 * Wrong passwords that one network, and one site of IPv6 (/48), may send whatever the names: right ones are not counted, so that
 * a campus behind one address gets in. When wrong ones rain from everywhere, a network has few.
 */
export const WRONG_OF_NETWORK = { name: 'wrong_network', per: 600, burst: 150 } as const
export const WRONG_OF_SITE = { name: 'wrong_site', per: 600, burst: 300 } as const
export const WRONG_OF_ALL = { name: 'wrong_all', per: 600, burst: 2_000 } as const
export const WRONG_IN_RAIN = { name: 'wrong_in_rain', per: 600, burst: 5 } as const
