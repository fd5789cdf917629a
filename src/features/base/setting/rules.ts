import type { z } from 'zod'

/**
 * What an owner says of the shop, kept as one row of the table `setting`. It is checked when it is written; what the program cannot
 * read all the same (a row changed by hand, or of another release) is as if it were not there.
 */
export interface Setting<T> {
  readonly key: string
  /** One sentence for whoever sets it. */
  readonly summary: string
  readonly schema: z.ZodType<T>
  /** What holds without a row. */
  readonly fallback: T
  /** A value as it is written, for the documentation. */
  readonly example: unknown
}

/** What is wrong with a value, in one line: where, and why. */
export function faultOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
