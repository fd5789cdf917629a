import { z } from 'zod'
import { accessOf, type CallAccess } from '../console/access.ts'
import { CONSOLE_CALLS } from '../console/calls.ts'
import type { Method, Operation, Schema } from './document.ts'
import { shared, successOf } from './operation.ts'
import { parametersOf, tidy } from './schemas.ts'

export const OPERATOR_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Of an operator, made with `operator token`; opens what it is told for, never what needs a fresh proof.',
} as const

/** Each call of the console, as path, method and operation; what it needs is read from the one table. */
export const consoleOperations: readonly (readonly [string, Method, Operation])[] =
  CONSOLE_CALLS.map((call) => {
    const access = accessOf(call.path) ?? { method: 'GET', needs: 'signed-in' }
    return [call.path, access.method === 'GET' ? 'get' : 'post', operationOf(call, access)] as const
  })

function operationOf(call: (typeof CONSOLE_CALLS)[number], access: CallAccess): Operation {
  const isRead = access.method === 'GET'
  const takesFile = 'takesFile' in call
  const { $schema, ...body } = z.toJSONSchema(call.body, {
    io: 'input',
    override: tidy,
    unrepresentable: 'any',
  }) as Schema
  const description = [call.description ?? '', needsOf(access)].filter(Boolean).join(' ')
  return {
    operationId: call.path.replaceAll(/[/_]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['console'],
    summary: call.summary,
    description,
    parameters: isRead || takesFile ? parametersOf(call.body, call.example) : [],
    ...(isRead
      ? {}
      : {
          requestBody: {
            required: true as const,
            content: takesFile
              ? {
                  'application/octet-stream': {
                    schema: { type: 'string', format: 'binary' },
                    example: 'ABCD-EFGH-1234',
                  },
                }
              : { 'application/json': { schema: body, example: call.example } },
          },
        }),
    security:
      access.needs === 'anyone'
        ? []
        : [{ operator: [] }, ...(access.byToken ? [{ operatorToken: [] }] : [])],
    responses: {
      200: 'file' in call ? fileOf(call.file) : successOf(call.data),
      ...(access.needs === 'anyone' ? {} : { 401: shared('Unauthorised') }),
      403: shared('Forbidden'),
      404: shared('NotFound'),
      405: shared('MethodNotAllowed'),
      409: shared('Conflict'),
      413: shared('TooLarge'),
      422: shared('InvalidInput'),
      429: shared('TooManyRequests'),
      500: shared('Internal'),
      503: shared('Busy'),
    },
  }
}

function fileOf(type: string) {
  const [plain = type] = type.split(';')
  const content = { [plain]: { schema: { type: 'string', contentMediaType: plain } } }
  return { description: 'The file', content }
}

function needsOf({ needs, proof, limitedBy, secondPerson, isCounted }: CallAccess): string {
  return [
    needs === 'anyone' || needs === 'signed-in' ? '' : `Needs \`${needs}\`.`,
    proof === undefined ? '' : `Needs a fresh proof of the kind \`${proof}\`.`,
    limitedBy === undefined ? '' : `Counts against the limit of \`${limitedBy}\`.`,
    secondPerson === undefined
      ? ''
      : secondPerson === 'always'
        ? 'Waits for a second person.'
        : 'Above the limit it waits for a second person.',
    isCounted ? 'How much of it is read is told in the audit trail, by the hour.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}
