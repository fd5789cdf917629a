/** What the doctor looks at. */
export type CheckSubject =
  | 'shop'
  | 'runtime'
  | 'data directory'
  | 'disk'
  | 'database'
  | 'roles'
  | 'clock'
  | 'backups'
  | 'mail'
  | 'payments'
  | 'exchange rates'
  | 'screening'
  | 'sign-in'
  | 'text messages'
  | 'pictures'
  | 'keys'
  | 'secret key'
  | 'settings'
  | 'background'
  | 'alerts'
  | 'orders'
  | 'audit'

/** What the doctor found of one subject. */
export interface SystemCheck {
  readonly subject: string
  /** Sentences on what is wrong, each with what to do about it; none when all is well. */
  readonly problems: readonly string[]
  /** What waits for a person, and is no fault. */
  readonly work: readonly string[]
  /** What is said when nothing is wrong. */
  readonly note: string
}

export interface LookedAt extends SystemCheck {
  readonly lookedAt: Date
}

/** What has the worker look at everything once more. */
export const CHECK_SWEEP = 'run_checks'
export const CHECKED_EVERY_SECONDS = 3_600
/** So long a look at every promise may take here; the worker's own looks go on for as long as they need. */
export const PROMISES_WITHIN_MS = 5_000

export const JOB_STATES = ['waiting', 'failed'] as const
export type JobState = (typeof JOB_STATES)[number]

/** An address as somebody reads it who need not know whose it is. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '•••' : `${address.slice(0, 1)}•••${address.slice(at)}`
}
