import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { send } from '#api/answer.ts'
import { tooManyRequests } from '#api/refused.ts'
import { inScopeOf } from '#platform/http/request-id.ts'
import { plainRefusal } from '#platform/http/plain-refusal.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Log } from '#platform/log.ts'
import { securityEvent } from '#platform/security-log.ts'

export interface LimitGate {
  /** Seconds to wait; 0 when the request may go on. */
  readonly takeShare: (limit: 'read', visitor: Visitor, accountId: null) => number
  readonly visitorOf: (req: IncomingMessage) => Visitor
  /** Whether a path is one of the program's own files, which cost nothing and which browsers keep. */
  readonly isFile: (path: string) => boolean
  readonly log: Log
}

/** Not counted beside files: what watches the process, and payment providers, who send many from few addresses. */
const FREE = /^\/(?:api\/webhook\/|(?:healthz|readyz)(?:\?|$))/

/** Counts every request as reading, before anything else is done for it; calls count beside that in classes of their own. */
export function withReadLimit(
  listener: RequestListener,
  { takeShare, visitorOf, isFile, log }: LimitGate,
): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/'
    if (FREE.test(target) || isFile(target.split('?', 1)[0] ?? '')) return listener(req, res)
    const visitor = visitorOf(req)
    const seconds = takeShare('read', visitor, null)
    if (seconds === 0) return listener(req, res)
    inScopeOf(req, visitor.network, () => securityEvent(log, 'limit.refused', { limit: 'read' }))
    if (/^\/api(?:[/?]|$)/.test(target))
      send(res, req.method ?? 'GET', tooManyRequests(seconds, target))
    else sayWait(req, res, seconds)
  }
}

function sayWait(req: IncomingMessage, res: ServerResponse, seconds: number): void {
  const { status, headers, body } = plainRefusal(req.url ?? '/', 'error.too_many_requests', seconds)
  res.writeHead(status, headers)
  res.end(req.method === 'HEAD' ? undefined : body)
}
