import type { IncomingMessage } from 'node:http'
import { AppError } from '#kernel/error.ts'
import { BodyAborted, BodyBroken, readBody } from '#platform/http/body.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Log } from '#platform/log.ts'
import { securityEvent } from '#platform/security-log.ts'
import { envelopeInTurns, type CallAnswer } from '../answer.ts'
import { bodyRefusal, parseCallJson } from '../call-body.ts'
import { readQuery } from '../caller.ts'
import { brokenEncoding, failedCall, refusedAnswer, splitTarget } from '../refused.ts'
import type { IncomingBytes } from './call.ts'
import type { ConsoleCalls } from './run.ts'
import type { StreamedFile } from './streamed-file.ts'

export interface ConsoleTransportOptions {
  readonly calls: ConsoleCalls
  /** Origin of the console. */
  readonly origin: string
  readonly visitorOf: (req: IncomingMessage) => Visitor
  readonly log: Log
  readonly newId: () => string
}

export const CONSOLE_PREFIX = '/api/console/'
const API = '/api/'
const JSON_MAX_BYTES = 65_536
/** A change of goods may name thousands of them. It is read once it is known that its sender may change goods. */
const GOODS_MAX_BYTES = 1_048_576
const GOODS = 'console/goods/'
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i
/** For nobody's cache, and no address of the console is told to another site. */
const PRIVATE = ['referrer-policy', 'no-referrer']

/** Carries calls of the console over HTTP: JSON in, envelopes out. */
export function createConsoleTransport(
  options: ConsoleTransportOptions,
): (req: IncomingMessage) => Promise<CallAnswer> {
  const { log, newId } = options
  return async (req) => {
    const { path, rawQuery } = splitTarget(req.url ?? '/')
    try {
      return await dispatch(options, req, path.slice(API.length), rawQuery)
    } catch (error) {
      return failedCall(error, path, rawQuery, log, newId)
    }
  }
}

async function dispatch(
  { calls, origin, visitorOf, log }: ConsoleTransportOptions,
  req: IncomingMessage,
  path: string,
  rawQuery: string,
): Promise<CallAnswer> {
  const takes = calls.methodOf(path)
  if (takes === null) return refusedAnswer('not_found', rawQuery)
  const method = req.method === 'HEAD' ? 'GET' : req.method
  const allow = takes === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'
  if (method === 'OPTIONS') return { status: 204, headers: ['allow', allow], body: null }
  if (method !== takes) return refusedAnswer('method_not_allowed', rawQuery, ['allow', allow])
  const query = readQuery(rawQuery)
  if ('broken' in query) return brokenEncoding(query.broken, rawQuery)
  const { authorization, cookie } = req.headers
  // Whoever shows a token is no browser that somebody else could make do something.
  if (takes === 'POST' && authorization === undefined && !isFromConsole(req, origin)) {
    securityEvent(log, 'origin.refused', { call: path })
    return refusedAnswer('forbidden', rawQuery)
  }
  const answer = await calls.run({
    method: takes,
    path,
    params: query.params,
    cookieHeader: cookie,
    authorization,
    visitor: visitorOf(req),
    ...(takes === 'POST'
      ? {
          readBody: () =>
            readInputBody(req, path.startsWith(GOODS) ? GOODS_MAX_BYTES : JSON_MAX_BYTES),
          file: fileOf(req),
        }
      : {}),
  })
  if (answer.file) return fileAnswer(answer.file)
  return envelopeInTurns(answer.status, answer.envelope, [
    ...PRIVATE,
    ...answer.cookies.flatMap((value) => ['set-cookie', value]),
    ...(answer.retryAfter === undefined ? [] : ['retry-after', String(answer.retryAfter)]),
  ])
}

/** A table that is read while it goes out: how long it gets nobody knows. */
const fileAnswer = ({ name, type, chunks }: StreamedFile): CallAnswer => ({
  status: 200,
  headers: [
    'content-type',
    type,
    'content-disposition',
    `attachment; filename="${name}"`,
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    ...PRIVATE,
  ],
  body: null,
  chunks,
})

/** Stricter than the shop: what says nothing of where it comes from is refused, and so is what a person typed as an address. */
function isFromConsole({ headers }: IncomingMessage, origin: string): boolean {
  const fetchSite = headers['sec-fetch-site'] as string | undefined
  if (fetchSite === undefined && headers.origin === undefined) return false
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  return isSameOrigin({ fetchSite, origin: headers.origin, host: headers.host }, origin)
}

/** The body as it comes; a sender that goes away has sent a broken one. */
function fileOf(req: IncomingMessage): IncomingBytes {
  const declared = req.headers['content-length']
  return { declaredBytes: declared === undefined ? null : Number(declared), bytes: piecesOf(req) }
}

async function* piecesOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of req as AsyncIterable<Buffer>) yield piece
  } catch (error) {
    throw req.errored && error === req.errored
      ? bodyRefusal(new BodyAborted('', { cause: error }))
      : error
  }
}

async function readInputBody(req: IncomingMessage, maxBytes: number): Promise<unknown> {
  try {
    const body = await readBody(req, maxBytes)
    if (body.length === 0) return {}
    if (!JSON_TYPE.test(req.headers['content-type'] ?? '')) throw new BodyBroken()
    return parseCallJson(body)
  } catch (error) {
    throw error instanceof AppError ? error : bodyRefusal(error)
  }
}
