import { z } from 'zod'
import type { CallDescription } from '../call.ts'
import { SUCCESS } from '../envelope.ts'
import { commonParameters } from '../parameters.ts'
import type { Access, BodyType } from '../personal/call.ts'
import { PERSONAL_CALLS } from '../personal/calls.ts'
import type { Method, Operation, Schema } from './document.ts'
import { exampleOf, parametersOf, tidy } from './schemas.ts'

export function operationOf(call: CallDescription): Operation {
  return {
    ...described(call, call.path, 'get'),
    parameters: [...parametersOf(call.query, call.example), ...COMMON_PARAMETERS],
    security: OPEN,
    responses: {
      200: successOf(call.data),
      ...(call.mayMiss ? { 404: shared('NotFound') } : {}),
      405: shared('MethodNotAllowed'),
      422: shared('InvalidInput'),
      500: shared('Internal'),
    },
  }
}

/** Needs nobody's session; said, as a call without a word on it might have been forgotten. */
export const OPEN: Operation['security'] = []

const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  anyone: '',
  'signed-in': 'Needs a session.',
  'own-hand':
    'Needs a session; one that comes over the `token` parameter also needs `password` or `proof_code` in the body.',
  fresh:
    'Needs a session and a proof of identity from the last 10 minutes, or `password` or `proof_code` (a mailed code) in the body; otherwise it answers 2403.',
}

/** What the dispatcher itself takes out of the body of calls that may need a proof of identity. */
const PROOF = z.object({ password: z.string().optional(), proof_code: z.string().optional() })

export function personalOperation(call: (typeof PERSONAL_CALLS)[number]): Operation {
  const { path, access } = call
  const description = [call.description, ACCESS_WORDS[access]].filter(Boolean).join(' ')
  const isRead = call.method === 'GET'
  return {
    ...described(
      { summary: call.summary, ...(description === '' ? {} : { description }) },
      path,
      methodOf(call),
    ),
    parameters: [
      ...(isRead && call.body instanceof z.ZodObject ? parametersOf(call.body, call.example) : []),
      ...COMMON_PARAMETERS,
    ],
    ...(isRead
      ? {}
      : {
          requestBody: {
            required: true as const,
            content: Object.fromEntries(
              bodyTypesOf(call).map((type) => [
                type,
                { schema: bodySchema(call.body, access), example: call.example },
              ]),
            ),
          },
        }),
    security: access === 'anyone' ? OPEN : [{ session: [] }, { handle: [] }],
    responses: {
      200: answerOf(call),
      ...(access === 'anyone' ? {} : { 401: shared('Unauthorised') }),
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

export function methodOf(call: { readonly method: 'GET' | 'POST' }): Method {
  return call.method === 'GET' ? 'get' : 'post'
}

function bodyTypesOf(call: { readonly bodyTypes?: readonly BodyType[] }): readonly BodyType[] {
  return call.bodyTypes ?? ['application/json']
}

function bodySchema(body: z.ZodType, access: Access): Schema {
  const { $schema, ...schema } = z.toJSONSchema(body, {
    io: 'input',
    override: tidy,
    unrepresentable: 'any',
  }) as Schema
  if (access !== 'fresh' && access !== 'own-hand') return schema
  const proof = z.toJSONSchema(PROOF, { io: 'input', override: tidy }) as Schema
  return schema.properties
    ? { ...schema, properties: { ...schema.properties, ...proof.properties } }
    : {
        anyOf: (schema.anyOf ?? [schema]).map((one) => ({
          ...one,
          properties: { ...one.properties, ...proof.properties },
        })),
      }
}

export const COMMON_PARAMETERS = Object.keys(commonParameters.shape).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

export const shared = (name: string) => ({ $ref: `#/components/responses/${name}` })

function described(
  call: Pick<CallDescription, 'summary' | 'description'>,
  path: string,
  method: Method,
) {
  const id = path.replaceAll(/[/_]([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    // A path that both reads and writes needs two names.
    operationId:
      method === 'get' ||
      !PERSONAL_CALLS.some((other) => other.path === path && other.method === 'GET')
        ? id
        : `${id}Post`,
    tags: [path.split('/')[0] ?? ''],
    summary: call.summary,
    ...(call.description === undefined ? {} : { description: call.description }),
  }
}

/** An envelope, a file, or the one that was asked for. */
function answerOf({ data, file }: (typeof PERSONAL_CALLS)[number]): unknown {
  if (!file) return successOf(data)
  const [type = file.type] = file.type.split(';')
  const asFile = { [type]: { schema: { type: 'string', contentMediaType: type } } }
  if (file.isOnly) return { description: 'The file', content: asFile }
  const { description, content } = successOf(data)
  return { description, content: { ...content, ...asFile } }
}

export function successOf(data: z.ZodType): {
  readonly description: string
  readonly content: Readonly<Record<string, unknown>>
} {
  const id = data.meta()?.id
  const { $schema, ...schema } =
    id === undefined
      ? (z.toJSONSchema(data, { override: tidy, unrepresentable: 'any' }) as Schema)
      : { $ref: `#/components/schemas/${id}`, $schema: '' }
  return {
    description: 'Success',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { code: { const: SUCCESS }, msg: { type: 'string' }, data: schema },
          required: ['code', 'msg', 'data'],
        },
        example: { code: SUCCESS, msg: 'Success', data: exampleOf(schema) },
      },
    },
  }
}
