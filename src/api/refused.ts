import type { ErrorCode } from '#kernel/error.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { Log } from '#platform/log.ts'
import { currentRequest } from '#platform/request-scope.ts'
import { envelopeAnswer, type CallAnswer } from './answer.ts'
import { encodingFaults, languageOf } from './caller.ts'
import { invalidFields, refusal, REFUSALS, refusalOf } from './envelope.ts'

/** Refusals are written in the language the query asks for, as far as it can be read. */
export function refusedAnswer(
  code: Exclude<ErrorCode, 'internal' | 'too_many_requests'>,
  rawQuery: string,
  headers: readonly string[] = [],
): CallAnswer {
  return envelopeAnswer(
    REFUSALS[code].status,
    refusal(code, translatorOf(rawLanguage(rawQuery))),
    headers,
  )
}

/** 429 for a caller whose allowance is used up, with the seconds to wait. */
export function tooManyRequests(seconds: number, target: string): CallAnswer {
  const t = translatorOf(rawLanguage(splitTarget(target).rawQuery))
  return envelopeAnswer(
    REFUSALS.too_many_requests.status,
    refusal('too_many_requests', t, { seconds }),
    ['retry-after', String(seconds)],
  )
}

/** 422 for parameters (or the path) that are no percent-encoded UTF-8. */
export function brokenEncoding(names: readonly string[], rawQuery: string): CallAnswer {
  const language = rawLanguage(rawQuery)
  return envelopeAnswer(
    REFUSALS.invalid_input.status,
    invalidFields(encodingFaults(names, language), translatorOf(language)),
  )
}

/** What an error thrown inside a call becomes: its refusal, or for a bug a 500 with an id that the log has as well. */
export function failedCall(
  error: unknown,
  call: string,
  rawQuery: string,
  log: Log,
  newId: () => string,
): CallAnswer {
  const t = translatorOf(rawLanguage(rawQuery))
  const known = refusalOf(error, t)
  if (known) return envelopeAnswer(known.status, known.envelope)
  const id = currentRequest()?.id ?? newId()
  log.error('call failed', { id, call, error })
  return envelopeAnswer(REFUSALS.internal.status, refusal('internal', t, { id }))
}

/** Path and raw query of a target. */
export function splitTarget(target: string): { readonly path: string; readonly rawQuery: string } {
  const mark = target.indexOf('?')
  return mark < 0
    ? { path: target, rawQuery: '' }
    : { path: target.slice(0, mark), rawQuery: target.slice(mark + 1) }
}

function rawLanguage(rawQuery: string) {
  return languageOf(new URLSearchParams(rawQuery))
}
