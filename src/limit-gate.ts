import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { send } from '#api/answer.ts'
import { tooManyRequests } from '#api/refused.ts'
import { DEFAULT_LANGUAGE, findLanguage } from '#kernel/language.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'

export interface LimitGate {
  /** Seconds to wait; 0 when the request may go on. */
  readonly takeShare: (limit: 'read', visitor: Visitor, accountId: null) => number
  readonly visitorOf: (req: IncomingMessage) => Visitor
}

/** Not counted: the program's own files, which cost nothing and which browsers keep, what watches the process, and payment providers, who send many from few addresses. */
const FREE = /^\/(?:assets\/|api\/webhook\/|(?:healthz|readyz)(?:\?|$))/

/** Counts every request as reading, before anything else is done for it; calls count beside that in classes of their own. */
export function withReadLimit(
  listener: RequestListener,
  { takeShare, visitorOf }: LimitGate,
): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/'
    const seconds = FREE.test(target) ? 0 : takeShare('read', visitorOf(req), null)
    if (seconds === 0) return listener(req, res)
    if (/^\/api(?:[/?]|$)/.test(target))
      send(res, req.method ?? 'GET', tooManyRequests(seconds, target))
    else sayWait(req, res, seconds)
  }
}

/** A sentence in the language of the address, without a page's dress: it must cost next to nothing. */
function sayWait(req: IncomingMessage, res: ServerResponse, seconds: number): void {
  const language = findLanguage(
    /^\/(?:_data\/)?([a-z-]{2,5})(?:[/?]|$)/.exec(req.url ?? '')?.[1] ?? '',
  )
  const body = translatorOf(language?.code ?? DEFAULT_LANGUAGE)('error.too_many_requests', {
    seconds,
  })
  res.writeHead(429, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(seconds),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
