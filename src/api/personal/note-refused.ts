import type { Person } from '#features/people/session/rules.ts'
import { isAppError, type ErrorCode } from '#kernel/error.ts'
import type { Log } from '#platform/log.ts'
import { securityEvent, type SecurityEvent } from '#platform/security-log.ts'

/** Refusals that may be attempts at what a caller may not do. What a feature refuses for reasons of its own it tells itself. */
const NOTED: Partial<Record<ErrorCode, SecurityEvent>> = {
  too_many_requests: 'limit.refused',
  unauthorised: 'access.refused',
  forbidden: 'access.refused',
  not_found: 'access.refused',
  invalid_input: 'input.refused',
  too_large: 'input.refused',
}

/** Tells the security log of a call that was refused, whoever carried it: the wire, or a form of a page. */
export function noteRefused(
  log: Pick<Log, 'info' | 'warn'>,
  error: unknown,
  call: string,
  person: Pick<Person, 'accountId'> | null,
): void {
  const event = isAppError(error) ? NOTED[error.code] : undefined
  if (!isAppError(error) || !event) return
  securityEvent(log, event, {
    call,
    reason: error.code,
    ...(person ? { account: person.accountId } : {}),
  })
}
