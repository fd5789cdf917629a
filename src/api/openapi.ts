import { z } from 'zod'
import type { CallDescription } from './call.ts'
import { TRACK_VISIT } from './calls/analysis.ts'
import { READING_CALLS } from './calls.ts'
import { REFUSALS, SUCCESS } from './envelope.ts'
import { commonParameters } from './parameters.ts'
import type { Access, BodyType } from './personal/call.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly [keyword: string]: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string | number
}

export type Method = 'get' | 'post'

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly required: true
    readonly content: Readonly<
      Record<string, { readonly schema: Schema; readonly example: unknown }>
    >
  }
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<Record<string, unknown>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, unknown>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const READING: readonly CallDescription[] = [...READING_CALLS, TRACK_VISIT]

/** A call as it is published, whichever framework answers it. */
export interface PublishedCall {
  readonly path: string
  readonly method: Method
  readonly data: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
}

export const PUBLISHED_CALLS: readonly PublishedCall[] = [
  ...READING.map((call) => ({ ...call, method: 'get' as const })),
  ...PERSONAL_CALLS.map((call) => ({
    path: call.path,
    method: methodOf(call),
    data: call.data,
    example: call.example,
  })),
]

const TAGS: Readonly<Record<string, string>> = {
  goods_category: 'The category tree',
  common: 'What every page needs',
  index: 'What a visitor may choose',
  goods: 'Goods: products, their denominations, search',
  game: 'Games and what there is for them',
  news: 'News of the shop',
  review: 'What shoppers say',
  analysis: 'Counting visits',
  user: 'Accounts, signing in, and what belongs to a person',
  collect: 'Favourites',
  notice: 'What the shop tells a person',
  pay: 'Paying an order',
  upload: 'Pictures people send',
}

const DESCRIPTION = [
  'Every answer is an envelope: `code` is 1 for success, `msg` a sentence in the language of the call, `data` what was asked for.',
  'Reading needs no session. A `lang`, `currency_code` or `deviceType` the shop does not know means the default, `limit` is clamped to 1–9999, a page',
  'past the end is an empty list, unknown parameters are ignored, of a repeated parameter the first counts (of a filter each adds one).',
  'Links to pages come without language prefix. Amounts of money are decimal texts and whole minor units, never binary fractions.',
].join(' ')

/** The published contract, made from the shapes that the answers are checked against. */
export function openApiDocument(publicUrl: string, release: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lukado wire contract',
      version: release,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf([
      ...READING.map((call) => [call.path, 'get', operationOf(call)] as const),
      ...PERSONAL_CALLS.map(
        (call) => [call.path, methodOf(call), personalOperation(call)] as const,
      ),
    ]),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(publicUrl.startsWith('https:')),
          description: 'Of browsers; HttpOnly',
        },
        handle: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description:
            '`userinfo.token` of user/login, for clients without cookies; ends after 24 hours without use',
        },
      },
      schemas: { ...dataSchemas(), Refusal: REFUSAL, InvalidInput: INVALID_INPUT },
      parameters: Object.fromEntries(
        parametersOf(commonParameters, {}).map((parameter) => [parameter.name, parameter]),
      ),
      responses: sharedResponses(),
    },
  }
}

function methodOf(call: { readonly method: 'GET' | 'POST' }): Method {
  return call.method === 'GET' ? 'get' : 'post'
}

function pathsOf(
  operations: readonly (readonly [path: string, method: Method, operation: Operation])[],
): OpenApiDocument['paths'] {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const [path, method, operation] of operations)
    paths[`/api/${path}`] = { ...paths[`/api/${path}`], [method]: operation }
  return paths
}

const REFUSAL: Schema = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'Never 1' },
    msg: { type: 'string', description: 'In the language of the call' },
    data: { type: 'null' },
  },
  required: ['code', 'msg', 'data'],
}

const INVALID_INPUT: Schema = {
  type: 'object',
  properties: {
    code: { const: REFUSALS.invalid_input.code },
    msg: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, msg: { type: 'string' } },
            required: ['field', 'msg'],
          },
        },
      },
      required: ['fields'],
    },
  },
  required: ['code', 'msg', 'data'],
}

/** Every shape that has an id, under it. */
function dataSchemas(): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema, $id, ...rest } = schema
      return [id, rest as Schema]
    }),
  )
}

/** Objects may gain fields with a release, so nothing says that there are no others; bounds of the number type say nothing. */
function tidy({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema['additionalProperties']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
}

function parametersOf(shape: z.ZodObject, example: Readonly<Record<string, unknown>>): Parameter[] {
  const json = z.toJSONSchema(shape, { io: 'input', override: tidy }) as Schema
  return Object.entries(json.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: json.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example[name] === undefined || example[name] === ''
      ? {}
      : { example: example[name] as string | number }),
  }))
}

function operationOf(call: CallDescription): Operation {
  return {
    ...described(call, call.path, 'get'),
    parameters: [...parametersOf(call.query, call.example), ...COMMON_PARAMETERS],
    responses: {
      200: successOf(call.data),
      ...(call.mayMiss ? { 404: shared('NotFound') } : {}),
      405: shared('MethodNotAllowed'),
      422: shared('InvalidInput'),
      500: shared('Internal'),
    },
  }
}

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

function personalOperation(call: (typeof PERSONAL_CALLS)[number]): Operation {
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
    ...(access === 'anyone' ? {} : { security: [{ session: [] }, { handle: [] }] }),
    responses: {
      200: successOf(call.data),
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

const COMMON_PARAMETERS = Object.keys(commonParameters.shape).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))
const shared = (name: string) => ({ $ref: `#/components/responses/${name}` })

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

function successOf(data: z.ZodType): unknown {
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

function sharedResponses(): Record<string, unknown> {
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
      "We can't find that.",
    ),
    Unauthorised: refused(
      'No session, or one that has ended',
      REFUSALS.unauthorised.code,
      'Sign in first.',
    ),
    Forbidden: refused(
      'Sent from a page of another site',
      REFUSALS.forbidden.code,
      'This request came from another site.',
    ),
    Conflict: refused(
      'The idempotency key stands for another request, or that one is still running',
      REFUSALS.conflict.code,
      'This request was already sent with other content.',
    ),
    TooLarge: refused(
      'The body is too long',
      REFUSALS.too_large.code,
      'That is too large to send.',
    ),
    TooManyRequests: refused(
      '`Retry-After` says how long to wait, in seconds',
      REFUSALS.too_many_requests.code,
      'Too many requests. Try again in 30 seconds.',
    ),
    MethodNotAllowed: refused(
      'Not a method of this call; `Allow` lists them',
      REFUSALS.method_not_allowed.code,
      'This call does not take that method.',
    ),
    InvalidInput: response('The query is not valid percent-encoded UTF-8', 'InvalidInput', {
      code: REFUSALS.invalid_input.code,
      msg: 'Check the marked fields.',
      data: {
        fields: [{ field: 'keywords', msg: 'This is not valid percent-encoded UTF-8 text.' }],
      },
    }),
    Internal: refused(
      'A fault of the shop; the sentence holds an id to quote',
      REFUSALS.internal.code,
      'Something went wrong on our side. Quote 0199… if you write to us.',
    ),
  }
}

const EXAMPLE_DEPTH_MAX = 8
let named: Record<string, Schema> | undefined

/** A value of the shape, put together from the examples of its parts. */
export function exampleOf(schema: Schema, depth = 0): unknown {
  if (schema.$ref) {
    named ??= dataSchemas()
    return exampleOf(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth)
  }
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, depth)
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part, depth + 1)]),
    )
  if (schema.items)
    return depth >= EXAMPLE_DEPTH_MAX || isRecursive(schema.items, depth)
      ? []
      : [exampleOf(schema.items, depth + 1)]
  if (schema.type === 'integer' || schema.type === 'number') return schema['minimum'] ?? 0
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : ''
}

/** Trees are shown two levels deep. */
function isRecursive(items: Schema, depth: number): boolean {
  return items.$ref === '#/components/schemas/Category' && depth > 1
}
