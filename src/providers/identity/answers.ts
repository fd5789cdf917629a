import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import { AppError } from '#kernel/error.ts'
import type { IdentityFailure, ProviderIdentity } from './provider.ts'

const DISPLAY_NAME_MAX = 200
const EMAIL_MAX = 254
const REFUSALS = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'])

/** Claims of a person. A claim of the wrong type is as good as none, but for the subject, without which there is nobody. */
export const personClaims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(EMAIL_MAX).catch(''),
  // Apple writes it as a text.
  email_verified: z
    .union([z.boolean(), z.literal(['true', 'false']).transform((text) => text === 'true')])
    .catch(false),
  name: z.string().catch(''),
})

export function identityOf(issuer: string, claims: z.infer<typeof personClaims>): ProviderIdentity {
  const email = claims.email.trim().toLowerCase()
  return {
    issuer,
    subject: claims.sub,
    email,
    emailVerified: email !== '' && claims.email_verified,
    displayName: displayName(claims.name),
  }
}

/** One line without control or direction marks, at most 200 characters. */
export function displayName(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()]
    .slice(0, DISPLAY_NAME_MAX / 2)
    .join('')
    .trim()
}

export function identityFailure(reason: IdentityFailure, cause?: unknown): AppError {
  return new AppError('identity_failed', {}, { data: { reason }, cause })
}

/** What a failure in the talk with a provider means for the person waiting. The cause is kept for the log. */
export function asIdentityFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof AuthorizationResponseError)
    return identityFailure(REFUSALS.has(error.error) ? 'refused' : reasonOf(error.error), error)
  if (error instanceof ResponseBodyError)
    return identityFailure(error.status >= 500 ? 'unavailable' : reasonOf(error.error), error)
  if (
    error instanceof ClientError &&
    (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT')
  )
    return identityFailure('unavailable', error)
  if (error instanceof ClientError && error.cause instanceof Response)
    return identityFailure(isRefusal(error.cause.status) ? 'invalid' : 'unavailable', error)
  // fetch tells a broken connection as a TypeError with a cause.
  if (error instanceof TypeError && error.cause !== undefined && !('code' in error))
    return identityFailure('unavailable', error)
  return identityFailure('invalid', error)
}

/** A status by which the provider says that the question was wrong; any other that is no success may pass. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/** Throws for an answer that carries an error in place of a code (RFC 6749 §4.1.2.1). */
export function checkAnswer(parameters: Readonly<Record<string, string>>): void {
  const { error } = parameters
  if (error)
    throw identityFailure(
      REFUSALS.has(error) ? 'refused' : reasonOf(error),
      new Error(`the provider answered ${error.slice(0, 100)}`),
    )
}

function reasonOf(error: string): IdentityFailure {
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'unavailable' : 'invalid'
}
