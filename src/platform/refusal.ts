/**
 * A refusal is an expected failure of a command: one sentence that tells the operator what is wrong and what to do.
 * It is printed without a stack; every other error is a fault of the program and is printed with one.
 */
export function refusal(sentence: string, cause?: unknown): Error {
  const error = cause === undefined ? new Error(sentence) : new Error(sentence, { cause })
  error.name = 'Refusal'
  return error
}

/** MigrationError is thrown by migrations for a database that this program may not touch; its message is a sentence too. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'Refusal' || error.name === 'MigrationError')
}

/** The `code` of a system error (`ENOENT`, `EACCES` …), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
