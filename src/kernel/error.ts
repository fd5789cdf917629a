/**
 * A refusal the caller must be able to name. Bugs are plain Errors and become a 500.
 * The message of a code, in every language, is `locales/<lang>/errors.json`; its envelope code and HTTP status are in
 * `src/api/envelope.ts`.
 */
export type ErrorCode =
  | 'not_found'
  | 'unauthorised'
  | 'forbidden'
  | 'invalid_input'
  | 'method_not_allowed'
  | 'too_many_requests'
  | 'internal'

export type ErrorParams = Readonly<Record<string, string | number>>

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: ErrorParams

  constructor(code: ErrorCode, params: ErrorParams = {}, cause?: unknown) {
    super(code, { cause })
    this.code = code
    this.params = params
  }
}

/** By shape, not instanceof: the server bundle and the worker may hold two copies of this class. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error
}
