import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { STREAM_PATH } from '#api/console/stream.ts'
import { CONSOLE_PREFIX } from '#api/console/transport.ts'
import { CONSOLE_FILES, type ConsolePages } from '#console/server/handler.tsx'
import type { SnapshotHolder } from '#features/goods/browse/flows.ts'
import {
  BodiesTooMany,
  BodyAborted,
  BodyBroken,
  BodyTooLarge,
  SECONDS_UNTIL_ROOM,
} from '#platform/http/body.ts'
import { acceptedEncoding } from '#platform/http/encoding.ts'
import { readForm } from '#platform/http/form.ts'
import { inScopeOf } from '#platform/http/request-id.ts'
import { plainRefusal } from '#platform/http/plain-refusal.ts'
import type { TakeShare } from '#platform/http/rate-limiter.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { StaticFile } from '#platform/http/static-files.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Log } from '#platform/log.ts'
import { securityEvent } from '#platform/security-log.ts'
import type { PageAnswer, PageRequest, Pages } from '#storefront/server/handler.ts'
import { answerSpeculation, isAhead, SPECULATION_PATH } from '#storefront/server/speculation.ts'

export interface ListenerParts {
  readonly pages: Pages
  readonly files: () => ReadonlyMap<string, StaticFile>
  /** `/robots.txt`, the sitemap, `security.txt`, the manifests and the service worker; null for other paths. */
  readonly shopFile: (path: string, request: PageRequest) => Promise<PageAnswer | null>
  readonly holder: SnapshotHolder
  readonly isDatabaseWritable: () => Promise<boolean>
  /** The operators' console, where this process lets them in. */
  readonly console: {
    readonly takes: (req: IncomingMessage) => boolean
    readonly calls: RequestListener
    readonly changes: RequestListener
    readonly pages: ConsolePages
  }
  /** Everything below /api, /img and /language_currency's form. */
  readonly app: RequestListener
  readonly visitorOf: (req: IncomingMessage) => Visitor
  readonly takeShare: TakeShare
  /** A page was shown; not one that was only made ready. */
  readonly countPage: () => void
  /** Origin of the shop. */
  readonly publicUrl: string
  readonly log: Log
}

const APP_PATHS = /^\/(?:(?:api|img)(?:[/?]|$)|mcp(?:\?|$))/
const PREFERENCES = /^\/(?:[a-z-]{2,5}\/)?language_currency(?:\?|$)/

/** A request as the table looks at it. */
interface Asked {
  readonly parts: ListenerParts
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly target: string
  readonly isRead: boolean
}

/** Takes a request and answers it, or leaves it to the next row. */
type Row = Readonly<{ name: string; takes: (asked: Asked) => boolean }>

/**
 * What happens to a request that has passed the gates of `web.ts` and is for no kept page: the first row that takes it answers it. What
 * becomes of a call stands in `api/app.ts`.
 */
const TABLE: readonly Row[] = [
  {
    name: 'the stream of changes, for the console',
    takes: when(isChanges, ({ parts, req, res }) => parts.console.changes(req, res)),
  },
  {
    name: 'a call of the console',
    takes: when(isConsoleCall, ({ parts, req, res }) => parts.console.calls(req, res)),
  },
  { name: 'a call or a picture', takes: when(({ target }) => APP_PATHS.test(target), throughApp) },
  { name: 'the choice of language and currency', takes: when(isPreferences, throughApp) },
  { name: 'a form posted to its page', takes: when(isForm, (asked) => void answerForm(asked)) },
  {
    name: 'a page of the console',
    takes: when(isConsolePage, (asked) => void answerConsole(asked)),
  },
  { name: 'any other method', takes: when(({ isRead }) => !isRead, refuseMethod) },
  {
    name: 'a file, a look at health, what may be made ready, files of the shop, a page',
    takes: when(
      () => true,
      (asked) => void answerRead(asked),
    ),
  },
]

/** The door of the web process behind its gates. What is asked most, a page served before, is sent again with nothing in between. */
export function createListener(parts: ListenerParts): RequestListener {
  return (req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const asked: Asked = { parts, req, res, target: req.url ?? '/', isRead }
    if (isRead && sendStored(asked)) return
    inScopeOf(req, parts.visitorOf(req).network, () => TABLE.some((row) => row.takes(asked)))
  }
}

function when(isMine: (asked: Asked) => boolean, answer: (asked: Asked) => void): Row['takes'] {
  return (asked) => {
    if (!isMine(asked)) return false
    answer(asked)
    return true
  }
}

function isChanges({ parts, req, isRead, target }: Asked): boolean {
  return isRead && target.split('?')[0] === STREAM_PATH && parts.console.takes(req)
}

function isConsoleCall({ parts, req, target }: Asked): boolean {
  return target.startsWith(CONSOLE_PREFIX) && parts.console.takes(req)
}

function isPreferences({ req, target }: Asked): boolean {
  return req.method === 'POST' && PREFERENCES.test(target)
}

function isForm({ parts, req, target }: Asked): boolean {
  return req.method === 'POST' && parts.pages.takesForms(target)
}

function isConsolePage({ parts, req, isRead, target }: Asked): boolean {
  return isRead && parts.console.takes(req) && !target.startsWith(CONSOLE_FILES)
}

async function answerConsole({ parts, req, res, target }: Asked): Promise<void> {
  const { headers } = req
  try {
    const made = await parts.console.pages.answer({
      target,
      cookie: headers.cookie,
      accept: headers.accept,
      acceptLanguage: headers['accept-language'],
      encoding: acceptedEncoding(headers['accept-encoding'] as string | undefined),
      isLive: headers['x-lukado-live'] !== undefined,
    })
    send(req, res, made)
  } catch (error) {
    parts.log.error('request failed', { target: target.split('?')[0], error })
    send(req, res, plain(500, 'Internal error'))
  }
}

function throughApp({ parts, req, res }: Asked): void {
  parts.app(req, res)
}

async function answerForm({ parts, req, res, target }: Asked): Promise<void> {
  send(req, res, await answerPost(parts, req, target))
}

function refuseMethod({ req, res }: Asked): void {
  send(req, res, { status: 405, headers: { allow: 'GET, HEAD' }, body: null })
}

function sendStored({ parts, req, res, target }: Asked): boolean {
  if (APP_PATHS.test(target)) return false
  const kept = parts.pages.fromCache(pageRequest(req, target))
  if (!kept) return false
  if (!isAhead(req.headers)) parts.countPage()
  send(req, res, kept)
  return true
}

async function answerRead({ parts, req, res, target }: Asked): Promise<void> {
  try {
    send(req, res, await answer(parts, req, target))
  } catch (error) {
    parts.log.error('request failed', { target, error })
    send(req, res, {
      status: 500,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'Internal error',
    })
  }
}

/** By the path, in this order. */
async function answer(
  parts: ListenerParts,
  req: IncomingMessage,
  target: string,
): Promise<PageAnswer> {
  const request = pageRequest(req, target)
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  const file = parts.files().get(path)
  if (file && (!path.startsWith(CONSOLE_FILES) || parts.console.takes(req)))
    return answerFile(file, request)
  if (path === '/healthz') return plain(200, 'alive')
  if (path === '/readyz')
    return parts.holder.isReady() && (await parts.isDatabaseWritable())
      ? plain(200, 'ready')
      : plain(503, 'not ready')
  if (path === SPECULATION_PATH) return answerSpeculation(req.headers, request)
  const found = await parts.shopFile(path, request)
  if (found) return found
  const made = await parts.pages.answer(request)
  if ((made.status === 200 || made.status === 304) && !isAhead(req.headers)) parts.countPage()
  return made
}

/** A form posted to its page without script. Where it comes from and how often is looked at before a byte of its body is read. */
async function answerPost(
  parts: ListenerParts,
  req: IncomingMessage,
  target: string,
): Promise<PageAnswer> {
  try {
    const { headers } = req
    const origin = {
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      origin: headers.origin,
      host: headers.host,
    }
    if (!isSameOrigin(origin, parts.publicUrl)) {
      securityEvent(parts.log, 'origin.refused', { at: 'form' })
      return plainRefusal(target, 'error.forbidden')
    }
    const visitor = parts.visitorOf(req)
    const seconds = parts.takeShare('form', visitor)
    if (seconds > 0) {
      securityEvent(parts.log, 'limit.refused', { limit: 'form' })
      return plainRefusal(target, 'error.too_many_requests', seconds)
    }
    return await parts.pages.answerForm(pageRequest(req, target), {
      contentType: headers['content-type'],
      read: (takesFiles) => readForm(req, { takesFiles }),
      cookieHeader: headers.cookie,
      visitor,
    })
  } catch (error) {
    if (error instanceof BodyAborted || error instanceof BodyBroken)
      return plainRefusal(target, 'error.invalid_form')
    if (error instanceof BodyTooLarge) return plainRefusal(target, 'error.too_large')
    if (error instanceof BodiesTooMany)
      return plainRefusal(target, 'error.too_many_requests', SECONDS_UNTIL_ROOM)
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
