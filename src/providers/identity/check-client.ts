import {
  ClientError,
  genericGrantRequest,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
} from 'openid-client'
import { isRefusal } from './answers.ts'

/** What a service says (RFC 6749 §5.2) to a client it does not know. */
const UNKNOWN_CLIENT = new Set(['invalid_client', 'unauthorized_client'])

/**
 * Redeems a code that nobody was given: a service that knows the client refuses the code, one that does not refuses the client. Throws the
 * latter, and what keeps it from answering.
 */
export async function checkClient(
  configuration: Configuration,
  redirectUri: string,
): Promise<void> {
  try {
    await genericGrantRequest(configuration, 'authorization_code', {
      code: 'none',
      redirect_uri: redirectUri,
      code_verifier: 'n'.repeat(43),
    })
  } catch (error) {
    if (!isRefusedCode(error)) throw error
  }
}

function isRefusedCode(error: unknown): boolean {
  if (error instanceof ResponseBodyError)
    return error.status < 500 && !UNKNOWN_CLIENT.has(error.error)
  if (error instanceof WWWAuthenticateChallengeError) return false
  // Refused in words of the service's own.
  return (
    error instanceof ClientError &&
    error.cause instanceof Response &&
    error.cause.status !== 401 &&
    isRefusal(error.cause.status)
  )
}
