/** How a secret begins, so that one that has leaked is recognised. */
export const WEBHOOK_SECRET_PREFIX = 'lukado-webhook-'
/** From the beginning to the last byte of the answer. */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Of an answer: nothing of it is read but its status. */
export const ANSWER_MAX_BYTES = 16 * 1024
/** What was told, or given up, is known for so long. */
export const WEBHOOK_DAYS = 30
/** An attempt that nobody has noted the end of so long after it began is made again. */
export const LEASE_MS = 60_000
/** Endpoints that are told something at once. */
export const ENDPOINTS_AT_ONCE = 32

const [MINUTE, HOUR] = [60, 3_600]
/** Seconds until the next attempt, by how many failed; after the last it is given up. */
const PAUSES = [
  10,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]

/** When it is tried again after so many attempts; null where it is given up. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause * 1_000)
}

/** Any answer that says yes; a redirect is none, as it is not followed. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300

/** What came of an attempt. */
export interface Outcome {
  readonly isDelivered: boolean
  /** The status, or why there was none. */
  readonly answer: string
}

const ANSWER_MAX = 100

/** What is written of a delivery after so many attempts. */
export function deliveryAfter(attempts: number, { isDelivered, answer }: Outcome, now: Date) {
  const next = isDelivered ? null : nextAttempt(attempts, now)
  const ended = isDelivered
    ? ({ state: 'delivered', ended_at: now } as const)
    : next === null
      ? ({ state: 'given_up', ended_at: now } as const)
      : { due_at: next }
  return { answer: answer.slice(0, ANSWER_MAX), ...ended }
}
