/** Wrong tries before a pause. */
export const TRIES = 5
const FIRST_PAUSE_MS = 15 * 60_000
const LONGEST_PAUSE_MS = 24 * 60 * 60_000
/** The pause at which the owner is told and given a way to lift it. */
export const TOLD_AT_FAILURES = 2 * TRIES
/** After so long without a wrong try, and after the last pause, counting starts anew. */
export const FORGOTTEN_MS = 24 * 60 * 60_000

/** Milliseconds of pause after that many wrong tries in a row: every fifth brings one, twice as long as the one before. */
export function pauseAfter(failures: number): number {
  if (failures < TRIES || failures % TRIES !== 0) return 0
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(16, failures / TRIES - 1))
}

/**
 * What is being guessed at: a name somebody typed, whether an account has it or not, or the password of one who is signed in.
 * Typed names are counted as typed: counting an account's address and user name as one would tell who owns both.
 */
export type Guarded =
  | { readonly typed: { readonly kind: 'email' | 'user_name'; readonly text: string } }
  | { readonly accountId: string }

/** An account with the names that people may type for it. */
export interface GuardedAccount {
  readonly id: string
  readonly email: string
  readonly userName: string
}
