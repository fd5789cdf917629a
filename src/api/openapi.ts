import { z } from 'zod'
import type { CallDescription } from './call.ts'
import { TRACK_VISIT } from './calls/analysis.ts'
import { READING_CALLS } from './calls.ts'
import { commonParameters } from './parameters.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { hostCookieName } from '#platform/http/cookies.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { methodOf, operationOf, personalOperation } from './openapi/operation.ts'
import { consoleOperations, OPERATOR_TOKEN } from './openapi/console.ts'
import { resellerOperations, SIGNATURE } from './openapi/reseller.ts'
import { WEBHOOK_PATH, webhookOperation } from './openapi/webhook.ts'
import type { Method, OpenApiDocument, Operation } from './openapi/document.ts'
import { sharedResponses } from './openapi/responses.ts'
import { dataSchemas, INVALID_INPUT, parametersOf, REFUSAL } from './openapi/schemas.ts'

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
  search: 'Everything by keywords',
  game: 'Games and what there is for them',
  news: 'News of the shop',
  recharge: 'Phones: whose a number is, and what is sold for it',
  review: 'What shoppers say',
  analysis: 'Counting visits',
  user: 'Accounts, signing in, and what belongs to a person',
  collect: 'Favourites',
  notice: 'What the shop tells a person',
  pay: 'Paying an order',
  upload: 'Pictures people send',
  account: 'Accounts of games and phones that goods are credited to',
  cart: 'What somebody is about to buy',
  order: 'Orders, their receipts and what went wrong with them',
  agent: 'What programs ask a person',
  cardpwd: 'The codes that somebody has bought',
  reseller: 'Buying in quantity, by a key and from a balance: docs/selling/reseller-api.md',
  console: 'Who runs the shop, and what they do; with the session of an operator',
  webhook: 'What payment services tell the shop',
}

const DESCRIPTION = [
  'Every answer is an envelope: `code` is 1 for success, `msg` a sentence in the language of the call, `data` what was asked for.',
  'Reading needs no session. A `lang`, `currency_code` or `deviceType` the shop does not know means the default, `limit` is clamped to 1–9999, a page',
  'past the end is an empty list, unknown parameters are ignored, of a repeated parameter the first counts (of a filter each adds one).',
  'Links to pages come without language prefix. Amounts of money are decimal texts and whole minor units, never binary fractions.',
].join(' ')

/** The published contract, made from the shapes that the answers are checked against. */
export function openApiDocument(
  shopName: string,
  publicUrl: string,
  release: string,
): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: `${shopName}: wire contract`,
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
      ...resellerOperations(publicUrl),
      ...consoleOperations,
      [WEBHOOK_PATH, 'post', webhookOperation()] as const,
    ]),
    components: {
      securitySchemes: {
        reseller: SIGNATURE,
        operatorToken: OPERATOR_TOKEN,
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: hostCookieName('operator', publicUrl.startsWith('https:')),
          description: 'Of operators in the console; HttpOnly, SameSite=Strict',
        },
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

function pathsOf(
  operations: readonly (readonly [path: string, method: Method, operation: Operation])[],
): OpenApiDocument['paths'] {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const [path, method, operation] of operations)
    paths[`/api/${path}`] = { ...paths[`/api/${path}`], [method]: operation }
  return paths
}
