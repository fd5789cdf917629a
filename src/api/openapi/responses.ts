import { REFUSALS } from '../envelope.ts'

export function sharedResponses(): Record<string, unknown> {
  const response = (description: string, schema: string, example: unknown) => ({
    description,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
    },
  })
  const refused = (description: string, code: number, msg: string) =>
    response(description, 'Refusal', { code, msg, data: null })
  return {
    NotFound: refused(
      'The code names nothing, or the path no call',
      REFUSALS.not_found.code,
      'We can’t find that.',
    ),
    Unauthorised: refused(
      'No session, or one that has ended',
      REFUSALS.unauthorised.code,
      'Sign in to continue.',
    ),
    Forbidden: refused(
      'Sent from a page of another site',
      REFUSALS.forbidden.code,
      'We blocked this request because it came from another site.',
    ),
    Conflict: refused(
      'The idempotency key stands for another request, or that one is still running',
      REFUSALS.conflict.code,
      'This request was already sent with different content.',
    ),
    TooLarge: refused(
      'The body is too long',
      REFUSALS.too_large.code,
      'That’s too large to send. Make it smaller and try again.',
    ),
    TooManyRequests: refused(
      '`Retry-After` says how long to wait, in seconds',
      REFUSALS.too_many_requests.code,
      'Too many requests. Try again in 30 seconds.',
    ),
    MethodNotAllowed: refused(
      'Not a method of this call; `Allow` lists them',
      REFUSALS.method_not_allowed.code,
      'This call doesn’t accept that method.',
    ),
    InvalidInput: response('The query is not valid percent-encoded UTF-8', 'InvalidInput', {
      code: REFUSALS.invalid_input.code,
      msg: 'Check the highlighted fields.',
      data: {
        fields: [{ field: 'keywords', msg: 'This text isn’t valid percent-encoded UTF-8.' }],
      },
    }),
    Internal: refused(
      'A fault of the shop; the sentence holds an id to quote',
      REFUSALS.internal.code,
      'Something went wrong on our side. If it happens again, contact support and quote 0199….',
    ),
    Busy: refused(
      'Others are at the same thing, and nothing was done; `Retry-After` says when to try again, in seconds',
      REFUSALS.busy.code,
      'The shop is busy right now. Try again in a few seconds.',
    ),
  }
}
