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
  /** Parts of it that nobody is shown, nor the audit trail. */
  readonly secretParts?: readonly string[]
  /** By it money, or word of orders, can be led elsewhere, or what takes two people be done by one: every owner is told of a change by mail. */
  readonly isTold?: true
  /** A value as it is written, for the documentation. */
  readonly example: unknown
}

/** A row as people may see it. */
export function concealed(
  { secretParts = [] }: Pick<Setting<unknown>, 'secretParts'>,
  row: unknown,
): unknown {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) return row
  return Object.fromEntries(
    Object.entries(row).map(([part, value]) => [
      part,
      secretParts.includes(part) ? '(hidden)' : (value as unknown),
    ]),
  )
}

/** What is wrong with a value, in one line: where, and why. */
export function faultOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
