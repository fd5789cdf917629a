import type { IncomingMessage } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { authenticateBearer } from '#features/buying/reseller/flows.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { CallAnswer } from '../answer.ts'
import { parseCallJson, readCallBody } from '../call-body.ts'
import { currencyOf, languageOf } from '../caller.ts'
import { assertWholeText } from '../personal/input.ts'
import type { Services } from '../personal/services.ts'
import { failedCall, refusedAnswer, splitTarget, tooManyRequests } from '../refused.ts'
import { agentServer } from './tools.ts'

export interface McpTransport {
  readonly takes: (path: string) => boolean
  readonly answer: (req: IncomingMessage) => Promise<CallAnswer>
}

export interface McpOptions {
  readonly ctx: Ctx
  readonly snapshot: () => ShopSnapshot
  readonly services: Pick<Services, 'payments' | 'vault' | 'checkAccount' | 'takeShare'>
  readonly visitorOf: (req: IncomingMessage) => Visitor
  readonly publicUrl: string
  readonly release: string
}

const PATH = '/mcp'
const BODY_MAX_BYTES = 65_536
/** It would stay open; nothing here changes that a program is to be told of. */
const LISTENING = 'subscriptions/listen'

/** The Model Context Protocol over HTTP, stateless: every request stands for itself, signed in with a bearer token of a key with the scope `agent`. */
export function createMcpTransport(options: McpOptions): McpTransport {
  const { ctx, services, visitorOf, publicUrl } = options
  return {
    takes: (path) => path === PATH,
    async answer(req) {
      const target = req.url ?? '/'
      const { rawQuery } = splitTarget(target)
      if (req.method !== 'POST')
        return refusedAnswer('method_not_allowed', rawQuery, ['allow', 'POST'])
      const sender = {
        fetchSite: req.headers['sec-fetch-site'] as string | undefined,
        origin: req.headers.origin,
        host: req.headers.host,
      }
      if (!isSameOrigin(sender, publicUrl)) return refusedAnswer('forbidden', rawQuery)
      const visitor = visitorOf(req)
      const wait = services.takeShare('read', visitor)
      if (wait > 0) return tooManyRequests(wait, target)
      try {
        return await answerRequest(options, req, visitor)
      } catch (error) {
        return failedCall(error, 'mcp', rawQuery, ctx.log, ctx.newId)
      }
    },
  }
}

async function answerRequest(
  options: McpOptions,
  req: IncomingMessage,
  visitor: Visitor,
): Promise<CallAnswer> {
  const { ctx, snapshot, services, publicUrl, release } = options
  const [, token = ''] = /^Bearer (\S{1,200})$/i.exec(req.headers.authorization ?? '') ?? []
  const key = await authenticateBearer(ctx, token, visitor)
  if (!key) return challenge('unauthorised', 'invalid_token')
  if (!key.scopes.includes('agent')) return challenge('forbidden', 'insufficient_scope')
  const wait = services.takeShare('write', visitor, `agent ${key.id}`)
  if (wait > 0) return tooManyRequests(wait, req.url ?? '/')
  const parsedBody = parseCallJson(await readCallBody(req, BODY_MAX_BYTES))
  assertWholeText(parsedBody)
  // A list of messages would be as many calls for the share of one.
  if (Array.isArray(parsedBody) || methodOf(parsedBody) === LISTENING)
    return refusedAnswer('invalid_input', '')
  const params = new URLSearchParams(splitTarget(req.url ?? '').rawQuery)
  const shop = snapshot()
  const [language, currency] = [languageOf(params), currencyOf(params, shop)]
  const actor = `account:${key.accountId}`
  const caller = {
    ctx: ctxFor(ctx, { actor, locale: language, currency: currency.code }),
    t: translatorOf(language),
    shop,
    key,
    language,
    currency,
    visitor,
    services,
    publicUrl,
  }
  const handler = createMcpHandler(() => agentServer(caller, release), {
    keepAliveMs: 0,
    onerror: (error) => ctx.log.warn('a program was not answered', { error }),
  })
  const answer = await handler.fetch(requestOf(req, publicUrl), { parsedBody })
  return {
    status: answer.status,
    headers: [...[...answer.headers].flat(), 'cache-control', 'no-store'],
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

const challenge = (code: 'unauthorised' | 'forbidden', error: string): CallAnswer =>
  refusedAnswer(code, '', ['www-authenticate', `Bearer error="${error}"`])

const methodOf = (body: unknown): unknown => (body as { readonly method?: unknown } | null)?.method

/** What the protocol's own headers say; the body is handed over read. */
function requestOf(req: IncomingMessage, publicUrl: string): Request {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(req.headers))
    if (typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-')))
      headers.set(name, value)
  return new Request(`${publicUrl}${PATH}`, { method: 'POST', headers, body: '{}' })
}
