import type { IncomingMessage } from 'node:http'
import { AppError } from '#kernel/error.ts'
import { BodyBroken, BodyTooLarge, readBody } from '#platform/http/body.ts'
import { isForm, isMultipart, readForm } from '#platform/http/form.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Log } from '#platform/log.ts'
import { securityEvent } from '#platform/security-log.ts'
import { envelopeInTurns, type CallAnswer } from '../answer.ts'
import { bodyRefusal, parseCallJson } from '../call-body.ts'
import { readQuery } from '../caller.ts'
import { brokenEncoding, failedCall, refusedAnswer, splitTarget } from '../refused.ts'
import type { PersonalAnswer, PersonalCalls } from './run.ts'

export interface TransportOptions {
  readonly personal: PersonalCalls
  readonly publicUrl: string
  readonly visitorOf: (req: IncomingMessage) => Visitor
  readonly log: Log
  readonly newId: () => string
}

export interface PersonalTransport {
  readonly takes: (path: string) => boolean
  readonly answer: (req: IncomingMessage) => Promise<CallAnswer>
}

const PREFIX = '/api/'
const JSON_MAX_BYTES = 65_536
/** Patches and other kinds of JSON mean something else than the object they look like. */
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Carries personal calls over HTTP: JSON or form bodies in, envelopes out. */
export function createPersonalTransport(options: TransportOptions): PersonalTransport {
  const { personal, publicUrl, visitorOf } = options
  return {
    takes: (path) =>
      path.startsWith(PREFIX) && personal.methodsOf(path.slice(PREFIX.length)).length > 0,
    async answer(req) {
      const { path, rawQuery } = splitTarget(req.url ?? '/')
      try {
        return await dispatch(req, path.slice(PREFIX.length), rawQuery)
      } catch (error) {
        return failedCall(error, path, rawQuery, options.log, options.newId)
      }
    },
  }

  async function dispatch(
    req: IncomingMessage,
    path: string,
    rawQuery: string,
  ): Promise<CallAnswer> {
    const { headers } = req
    const method = req.method === 'HEAD' ? 'GET' : req.method
    const allowed = personal.methodsOf(path)
    const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (method === 'OPTIONS') return { status: 204, headers: ['allow', allow], body: null }
    if ((method !== 'GET' && method !== 'POST') || !allowed.includes(method))
      return refusedAnswer('method_not_allowed', rawQuery, ['allow', allow])
    const query = readQuery(rawQuery)
    if ('broken' in query) return brokenEncoding(query.broken, rawQuery)
    const sender = {
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      origin: headers.origin,
      host: headers.host,
    }
    if (method === 'POST' && !isSameOrigin(sender, publicUrl)) {
      securityEvent(options.log, 'origin.refused', { call: path })
      return refusedAnswer('forbidden', rawQuery)
    }
    const answer = await personal.run({
      method,
      path,
      params: query.params,
      cookieHeader: headers.cookie,
      visitor: visitorOf(req),
      idempotencyKey: headers['idempotency-key'] as string | undefined,
      ...(method === 'POST' ? { readBody: (takesFiles) => readInputBody(req, takesFiles) } : {}),
    })
    return await toCallAnswer(answer)
  }
}

/** JSON, or a form whose files become their bytes. Throws the AppError that a body which cannot be taken is refused with. */
async function readInputBody(req: IncomingMessage, takesFiles: boolean): Promise<unknown> {
  const type = req.headers['content-type']
  try {
    if (isForm(type)) return await inputOf(await readForm(req, { takesFiles }))
    const body = await readBody(req, JSON_MAX_BYTES)
    if (body.length === 0) return {}
    if (!JSON_TYPE.test(type ?? '')) throw new BodyBroken()
    return parseCallJson(body)
  } catch (error) {
    if (error instanceof BodyTooLarge && takesFiles && isMultipart(type))
      throw new AppError('upload_size')
    throw bodyRefusal(error)
  }
}

async function inputOf(form: FormData): Promise<Record<string, unknown>> {
  const entries = [...form].map(
    async ([name, value]) =>
      [
        name,
        typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer()),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function toCallAnswer({
  status,
  envelope,
  cookies,
  retryAfter,
  file,
}: PersonalAnswer): Promise<CallAnswer> {
  const extra = [
    ...cookies.flatMap((cookie) => ['set-cookie', cookie]),
    ...(retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]),
    'referrer-policy',
    'no-referrer',
  ]
  if (!file) return envelopeInTurns(status, envelope, extra)
  const body = Buffer.from(file.body)
  return {
    status,
    headers: [
      'content-type',
      file.type,
      'content-disposition',
      `attachment; filename="${file.name}"`,
      'content-length',
      String(body.length),
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      ...extra,
    ],
    body,
  }
}
