import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { recordVisit } from '#features/base/analytics/commands.ts'
import { isVisitId } from '#features/base/analytics/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { PaymentServices } from '#features/buying/payment/flows.ts'
import { escapeHtml } from '#kernel/html.ts'
import { DEFAULT_LANGUAGE, findLanguage } from '#kernel/language.ts'
import type { Suppliers } from '#features/supply/purchase/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import { acceptedEncoding } from '#platform/http/encoding.ts'
import { readFields } from '#platform/http/form.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { securityEvent } from '#platform/security-log.ts'
import {
  answerFrom,
  COMPRESSED_AT_ONCE_BYTES,
  compressed,
  envelopeAnswer,
  cachedAnswer,
  send,
  type CachedAnswer,
  type CallAnswer,
  type CallRequest,
} from './answer.ts'
import { languageOf, readQuery, isDecodable } from './caller.ts'
import { docsPage } from './docs-page.ts'
import { success } from './envelope.ts'
import { openApiDocument } from './openapi.ts'
import { choosePreferences } from './preferences.ts'
import { createPersonalTransport } from './personal/transport.ts'
import type { PersonalCalls } from './personal/run.ts'
import { createReadingCalls, READING_METHODS } from './reading.ts'
import type { McpTransport } from './mcp/transport.ts'
import type { ResellerTransport } from './reseller/transport.ts'
import { brokenEncoding, failedCall, refusedAnswer, splitTarget } from './refused.ts'
import { uploadAnswer } from './uploads.ts'
import { createWebhooks } from './webhooks.ts'

/** Answers below /img. */
export type PictureHandler = (
  url: URL,
  headers: {
    readonly accept?: string | undefined
    readonly acceptEncoding?: string | undefined
    readonly ifNoneMatch?: string | undefined
  },
) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}>

export interface ApiOptions {
  readonly ctx: Ctx
  readonly snapshot: () => ShopSnapshot
  readonly pictures: PictureHandler
  readonly timeZone: string
  /** Origin of the shop: "https://shop.example". */
  readonly publicUrl: string
  /** Version of the program. */
  readonly release: string
  readonly personal: PersonalCalls
  /** Calls that are signed with a key. */
  readonly resellers?: ResellerTransport
  /** Programs that act for people; left out where the shop does not speak with them. */
  readonly mcp?: McpTransport | undefined
  /** Whose notices are taken in. */
  readonly payments: PaymentServices
  readonly suppliers: Suppliers
  readonly visitorOf: (req: IncomingMessage) => Visitor
}

type AppContext = Context<{ Bindings: HttpBindings }>

/** Everything below /api and /img, and the form of /language_currency. Reading calls never get as far as Hono. */
export function createApi(options: ApiOptions): RequestListener {
  const { ctx } = options
  const calls = createReadingCalls({
    ...options,
    payProviders: options.payments.providers,
    log: ctx.log,
    newId: ctx.newId,
  })
  const webhooks = createWebhooks(ctx, options.payments, options.suppliers, options.visitorOf)
  const personal = createPersonalTransport({ ...options, log: ctx.log, newId: ctx.newId })
  const throughHono = getRequestListener(createApp(options).fetch, {
    overrideGlobalObjects: false,
    hostname: 'localhost',
  })
  return (req, res) => {
    const request = callRequest(req)
    try {
      answerRequest(req, res, request)
    } catch (error) {
      send(
        res,
        request.method,
        failedCall(error, splitTarget(request.target).path, '', ctx.log, ctx.newId),
      )
    }
  }

  function answerRequest(req: IncomingMessage, res: ServerResponse, request: CallRequest): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const kept = isRead ? calls.fromCache(request) : null
    if (kept) return send(res, request.method, kept)
    const { path } = splitTarget(request.target)
    if (webhooks.takes(path))
      return void webhooks.answer(req).then((answer) => send(res, request.method, answer))
    if (options.mcp?.takes(path))
      return void options.mcp.answer(req).then((answer) => send(res, request.method, answer))
    if (options.resellers?.takes(path))
      return void options.resellers.answer(req).then((answer) => send(res, request.method, answer))
    if (personal.takes(path))
      return void personal.answer(req).then((answer) => send(res, request.method, answer))
    const made = calls.answer(request)
    if (made instanceof Promise) void made.then((long) => sendFirst(res, request, long, ctx))
    else if (made) sendFirst(res, request, made, ctx)
    else void throughHono(req, res)
  }
}

type App = Hono<{ Bindings: HttpBindings }>

/** What is neither read nor personal. */
function createApp(options: ApiOptions): App {
  const app: App = new Hono<{ Bindings: HttpBindings }>()
  addVisits(app, options)
  addContract(app, options)
  addPictures(app, options)
  for (const path of ['/api/analysis/trackVisit', '/api/openapi.json', '/api/docs', '/img/*'])
    refuseOtherMethods(app, path)
  addPreferences(app, options)
  addFailures(app, options)
  return app
}

function addVisits(app: App, { ctx, timeZone }: ApiOptions): void {
  app.get('/api/analysis/trackVisit', async (c) => {
    const { rawQuery } = targetOf(c)
    const query = readQuery(rawQuery)
    if ('broken' in query) return response(brokenEncoding(query.broken, rawQuery))
    const id = query.params.get('vt') ?? ''
    if (isVisitId(id)) await recordVisit(ctx, id, timeZone)
    return response(envelopeAnswer(200, success(null, translatorOf(languageOf(query.params)))))
  })
}

/** The published contract: for programs, and as a page to read. */
function addContract(app: App, { snapshot, publicUrl, release }: ApiOptions): void {
  const contractOf = contractMaker(publicUrl, release)
  let made: Contract | null = null
  const contract = () => {
    const { name } = snapshot().settings
    if (made?.shopName !== name) made = contractOf(name)
    return made
  }
  app.get('/api/openapi.json', (c) =>
    response(answerFrom(contract().forPrograms, callRequest(c.env.incoming))),
  )
  app.get('/api/docs', (c) =>
    response(answerFrom(contract().forPeople, callRequest(c.env.incoming))),
  )
}

interface Contract {
  readonly shopName: string
  readonly forPrograms: CachedAnswer
  readonly forPeople: CachedAnswer
}

/** Holds no character that JSON or HTML writes otherwise. */
const NAME_PLACE = '{shop name}'

/** Describes the calls once, which takes long; another name of the shop is then only put in its place. */
function contractMaker(publicUrl: string, release: string): (shopName: string) => Contract {
  const document = openApiDocument(NAME_PLACE, publicUrl, release)
  const docs = docsPage(document)
  const json = JSON.stringify(document)
  return (shopName) => ({
    shopName,
    forPrograms: cachedAnswer(
      Buffer.from(json.replaceAll(NAME_PLACE, () => JSON.stringify(shopName).slice(1, -1))),
    ),
    forPeople: cachedAnswer(
      Buffer.from(docs.html.replaceAll(NAME_PLACE, () => escapeHtml(shopName))),
      'text/html; charset=utf-8',
      [
        'content-security-policy',
        docs.policy,
        'referrer-policy',
        'no-referrer',
        'x-frame-options',
        'DENY',
      ],
    ),
  })
}

function addPictures(app: App, { ctx, pictures }: ApiOptions): void {
  app.get('/img/upload/*', (c) => uploadAnswer(ctx, targetOf(c).path))
  app.get('/img/*', async (c) => {
    const answer = await pictures(new URL(c.req.url), {
      accept: c.req.header('accept'),
      acceptEncoding: c.req.header('accept-encoding'),
      ifNoneMatch: c.req.header('if-none-match'),
    })
    return new Response(answer.status === 304 ? null : (answer.body as Uint8Array<ArrayBuffer>), {
      status: answer.status,
      headers: { ...answer.headers },
    })
  })
}

function refuseOtherMethods(app: App, path: string): void {
  app.options(path, (c) => c.body(null, 204, { allow: READING_METHODS }))
  app.all(path, (c) =>
    response(refusedAnswer('method_not_allowed', targetOf(c).rawQuery, ['allow', READING_METHODS])),
  )
}

/** The form of /language_currency, which works without script. */
function addPreferences(app: App, { ctx, snapshot, publicUrl }: ApiOptions): void {
  app.on('POST', ['/language_currency', '/:prefix/language_currency'], async (c, next) => {
    const { path, rawQuery } = targetOf(c)
    const language = findLanguage(
      path === '/language_currency' ? DEFAULT_LANGUAGE : (path.split('/')[1] ?? ''),
    )
    if (!language) return next()
    const headers = {
      fetchSite: c.req.header('sec-fetch-site'),
      origin: c.req.header('origin'),
      host: c.req.header('host'),
    }
    if (!isSameOrigin(headers, publicUrl)) {
      securityEvent(ctx.log, 'origin.refused', { call: 'language_currency' })
      return response(refusedAnswer('forbidden', rawQuery))
    }
    const form = await readFields(c.env.incoming).catch(() => null)
    if (!form) return response(refusedAnswer('invalid_input', rawQuery))
    const { cookies, location } = choosePreferences(
      form,
      snapshot(),
      language.code,
      c.req.header('cookie'),
      publicUrl.startsWith('https:'),
    )
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    return c.body(null, 303, { location, 'cache-control': 'no-store' })
  })
}

function addFailures(app: App, { ctx }: ApiOptions): void {
  app.notFound((c) => {
    const { path, rawQuery } = targetOf(c)
    return response(
      isDecodable(path) ? refusedAnswer('not_found', rawQuery) : brokenEncoding(['path'], rawQuery),
    )
  })
  app.onError((error, c) =>
    response(failedCall(error, c.req.path, targetOf(c).rawQuery, ctx.log, ctx.newId)),
  )
}

function callRequest(req: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): CallRequest {
  return {
    method: req.method ?? 'GET',
    target: req.url ?? '/',
    encoding: acceptedEncoding(req.headers['accept-encoding'] as string | undefined),
    ifNoneMatch: req.headers['if-none-match'],
  }
}

function sendFirst(
  res: ServerResponse,
  { method, encoding }: CallRequest,
  answer: CallAnswer,
  ctx: Ctx,
): void {
  const isLong = (answer.body?.length ?? 0) >= COMPRESSED_AT_ONCE_BYTES
  if (encoding === 'identity' || !isLong || answer.headers.includes('content-encoding'))
    return send(res, method, answer)
  compressed(answer, encoding).then(
    (small) => send(res, method, small),
    (error: unknown) => {
      ctx.log.warn('answer not compressed', { error })
      send(res, method, answer)
    },
  )
}

/** The target as it was sent: Hono's own address has already been repaired. */
function targetOf(c: Context) {
  return splitTarget((c as AppContext).env.incoming.url ?? '/')
}

function response(answer: CallAnswer): Response {
  const headers = new Headers()
  for (let index = 0; index < answer.headers.length; index += 2)
    headers.append(answer.headers[index] ?? '', answer.headers[index + 1] ?? '')
  return new Response(answer.body as Uint8Array<ArrayBuffer> | null, {
    status: answer.status,
    headers,
  })
}
