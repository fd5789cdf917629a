/** What seeds of authenticator apps are sealed for. */
export const SEAL = 'second-factor'

/** Wrong codes of one account, over all its sign-ins, before it has to wait: 1 minute, then 2, 4 … */
export const FREE_FAILURES = 10
export const LONGEST_WAIT_MINUTES = 60
/** Failures are forgotten after a day without another. */
export const FAILURES_KEPT_MS = 24 * 3_600_000
