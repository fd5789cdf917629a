import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import type { SnapshotHolder } from '#features/browse/flows.ts'
import {
  BodiesTooMany,
  BodyAborted,
  BodyTooLarge,
  parseForm,
  readBody,
  SECONDS_UNTIL_ROOM,
} from '#platform/http/body.ts'
import { acceptedEncoding, type ContentEncoding } from '#platform/http/encoding.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { StaticFile } from '#platform/http/static-files.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Log } from '#platform/log.ts'
import type { PageAnswer, PageRequest, Pages } from '#storefront/server/handler.ts'

export interface ListenerParts {
  readonly pages: Pages
  readonly files: () => ReadonlyMap<string, StaticFile>
  /** `/robots.txt` and the sitemap; null for other paths. */
  readonly sitemap: (path: string, encoding: ContentEncoding) => Promise<PageAnswer | null>
  readonly holder: SnapshotHolder
  readonly isDatabaseReachable: () => Promise<boolean>
  /** Everything below /api, /img and /language_currency's form. */
  readonly app: RequestListener
  readonly visitorOf: (req: IncomingMessage) => Visitor
  /** Origin of the shop. */
  readonly publicUrl: string
  readonly log: Log
}

const DATA_PREFIX = '/_data'
const APP_PATHS = /^\/(?:api|img)(?:[/?]|$)/

/**
 * The one door of the web process. What is asked most (a page served before) is answered first, without a framework
 * between; calls and pictures go to Hono.
 */
export function createListener(parts: ListenerParts): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/'
    if (APP_PATHS.test(target)) return void parts.app(req, res)
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      if (req.method === 'POST' && /^\/(?:[a-z-]{2,5}\/)?language_currency(?:\?|$)/.test(target))
        return void parts.app(req, res)
      if (req.method === 'POST' && parts.pages.takesForms(target))
        return void answerPost(parts, req, target).then((made) => send(req, res, made))
      return send(req, res, { status: 405, headers: { allow: 'GET, HEAD' }, body: null })
    }
    const request = pageRequest(req, target)
    const kept = parts.pages.fromCache(request)
    if (kept) return send(req, res, kept)
    answer(parts, request)
      .then((made) => send(req, res, made))
      .catch((error: unknown) => {
        parts.log.error('request failed', { target, error })
        send(req, res, {
          status: 500,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: 'Internal error',
        })
      })
  }
}

async function answer(parts: ListenerParts, request: PageRequest): Promise<PageAnswer> {
  const { target } = request
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  const file = parts.files().get(path)
  if (file) return answerFile(file, request)
  if (path === '/healthz') return plain(200, 'alive')
  if (path === '/readyz')
    return parts.holder.isReady() && (await parts.isDatabaseReachable())
      ? plain(200, 'ready')
      : plain(503, 'not ready')
  if (target.startsWith(`${DATA_PREFIX}/`))
    return parts.pages.answerData({ ...request, target: target.slice(DATA_PREFIX.length) })
  return (await parts.sitemap(path, request.encoding)) ?? parts.pages.answer(request)
}

/** The largest form is one with a picture. */
const FORM_MAX_BYTES = 6 * 1024 * 1024

/** A form posted to its page without script. */
async function answerPost(
  parts: ListenerParts,
  req: IncomingMessage,
  target: string,
): Promise<PageAnswer> {
  try {
    const { headers } = req
    const contentType = headers['content-type']
    const form = await parseForm(await readBody(req, FORM_MAX_BYTES), contentType)
    if (!form) return plain(422, 'This is not a form.')
    const origin = {
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      origin: headers.origin,
      host: headers.host,
    }
    if (!isSameOrigin(origin, parts.publicUrl))
      return plain(403, 'This form came from another site.')
    return await parts.pages.answerForm(pageRequest(req, target), {
      data: form,
      cookieHeader: headers.cookie,
      visitor: parts.visitorOf(req),
    })
  } catch (error) {
    if (error instanceof BodyAborted) return plain(422, 'This is not a form.')
    if (error instanceof BodyTooLarge) return plain(413, 'This form is too large.')
    if (error instanceof BodiesTooMany)
      return {
        ...plain(429, 'Many people are sending pictures. Try again in a moment.'),
        headers: { ...PLAIN, 'retry-after': String(SECONDS_UNTIL_ROOM) },
      }
    parts.log.error('form failed', { path: target.split('?')[0], error })
    return plain(500, 'Internal error')
  }
}

async function answerFile(file: StaticFile, request: PageRequest): Promise<PageAnswer> {
  const headers = {
    'content-type': file.type,
    etag: file.etag,
    'cache-control': file.isImmutable
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  }
  if (request.ifNoneMatch === file.etag) return { status: 304, headers, body: null }
  const { body, encoding } = await file.bodyIn(request.encoding)
  return {
    status: 200,
    headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding },
    body,
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

function plain(status: number, text: string): PageAnswer {
  return { status, headers: PLAIN, body: text }
}

function pageRequest(req: IncomingMessage, target: string): PageRequest {
  const { headers } = req
  return {
    target,
    cookie: headers.cookie,
    acceptLanguage: headers['accept-language'],
    ifNoneMatch: headers['if-none-match'],
    encoding: acceptedEncoding(headers['accept-encoding'] as string | undefined),
  }
}

function send(req: IncomingMessage, res: ServerResponse, made: PageAnswer): void {
  if (res.headersSent || res.destroyed) return
  if (made.cookies) res.setHeader('set-cookie', [...made.cookies])
  res.writeHead(made.status, readyHeaders(made))
  res.end(req.method === 'HEAD' || made.body === null ? undefined : made.body)
}

function readyHeaders({
  status,
  headers,
  body,
}: PageAnswer): OutgoingHttpHeaders | OutgoingHttpHeader[] {
  if (isReady(headers)) return headers as string[]
  return status === 304
    ? { ...headers }
    : { ...headers, 'content-length': body === null ? 0 : Buffer.byteLength(body) }
}

function isReady(headers: PageAnswer['headers']): headers is readonly string[] {
  return Array.isArray(headers)
}
