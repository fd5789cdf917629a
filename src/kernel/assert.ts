/** States what must be true; a failure is a bug and ends the request with a 500. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${what}`)
}

/** The value, known to be there by construction. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`)
  return value
}
