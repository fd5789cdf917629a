import { z } from 'zod'
import type { ResellerCall } from '../reseller/call.ts'
import { RESELLER_CALLS } from '../reseller/calls.ts'
import { signedSamples } from './code-samples.ts'
import type { Method, Operation, Schema } from './document.ts'
import { COMMON_PARAMETERS, methodOf, shared, successOf } from './operation.ts'
import { parametersOf, tidy } from './schemas.ts'

/** How a call is signed, in words; docs/selling/reseller-api.md shows it. */
export const SIGNATURE = {
  type: 'apiKey',
  in: 'header',
  name: 'Reseller-Signature',
  description: [
    'Of a reseller. With it go `Reseller-Key` (the key’s id), `Reseller-Timestamp` (seconds since 1970, within two minutes of ours) and `Reseller-Nonce` (8 to 80 characters, each once).',
    'It is `v1=` and, in hexadecimal, the HMAC-SHA256 under the key’s secret of five lines joined by line feeds: the method, path and query as they are sent, the timestamp, the nonce, and the SHA-256 of the body in hexadecimal.',
    'A key that begins with `test_` is answered by the same contract and buys nothing: docs/selling/testing.md says what ends how.',
  ].join(' '),
} as const

type Described = Omit<ResellerCall, 'answer'>

/** Each call of resellers, as path, method and operation. */
export const resellerOperations = (
  origin: string,
): readonly (readonly [string, Method, Operation])[] =>
  RESELLER_CALLS.map((call) => [call.path, methodOf(call), operationOf(call, origin)] as const)

function operationOf(call: Described, origin: string): Operation {
  const isRead = call.method === 'GET'
  const { $schema, ...body } = z.toJSONSchema(call.body, { io: 'input', override: tidy }) as Schema
  return {
    operationId: call.path.replaceAll(/[/_]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['reseller'],
    summary: call.summary,
    description: `${call.description} Needs a key with the scope \`${call.scope}\`.`,
    parameters: [...(isRead ? parametersOf(call.body, call.example) : []), ...COMMON_PARAMETERS],
    ...(isRead
      ? {}
      : {
          requestBody: {
            required: true as const,
            content: { 'application/json': { schema: body, example: call.example } },
          },
        }),
    'x-codeSamples': samplesOf(call, origin),
    security: [{ reseller: [] }],
    responses: {
      200: successOf(call.data),
      401: shared('Unauthorised'),
      403: shared('Forbidden'),
      404: shared('NotFound'),
      405: shared('MethodNotAllowed'),
      409: shared('Conflict'),
      413: shared('TooLarge'),
      422: shared('InvalidInput'),
      429: shared('TooManyRequests'),
      500: shared('Internal'),
    },
  }
}

function samplesOf({ path, method, example }: Described, origin: string) {
  const asked = method === 'GET' ? Object.entries(example) : []
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
  query.set('currency_code', 'USD')
  return signedSamples({
    origin,
    method,
    target: `/api/${path}?${query.toString()}`,
    body: method === 'GET' ? '' : JSON.stringify(example),
  })
}
