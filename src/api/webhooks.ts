import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { receiveNotice, type PaymentServices } from '#features/buying/payment/flows.ts'
import { receiveSupplyNotice, type Suppliers } from '#features/supply/purchase/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  BodiesTooMany,
  BodyAborted,
  BodyTooLarge,
  readBody,
  SECONDS_UNTIL_ROOM,
} from '#platform/http/body.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { securityEvent } from '#platform/security-log.ts'
import { envelopeAnswer, type CallAnswer } from './answer.ts'
import { splitTarget } from './refused.ts'

export interface Webhooks {
  readonly takes: (path: string) => boolean
  readonly answer: (req: IncomingMessage) => Promise<CallAnswer>
}

const PREFIX = '/api/webhook/'
const BODY_MAX_BYTES = 256 * 1024
/** A supplier tells of one order at a time. */
const SUPPLY_BODY_MAX_BYTES = 64 * 1024
const STORED: CallAnswer = {
  status: 204,
  headers: ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'],
  body: null,
}

/** Of a network whose notices were refused this often within a minute none is looked at until it is over. */
const REFUSED_MAX = 30
const MINUTE_MS = 60_000
const NETWORKS_REMEMBERED = 10_000

/**
 * `POST /api/webhook/{provider}`: what payment providers and suppliers tell us. No cookie is read and no origin asked for, as the signature says
 * who sent it; what it says is never believed, only that there is something to ask the provider about. 204 means: it is stored and
 * need not come again. Nothing of a notice goes into an answer or a log.
 */
export function createWebhooks(
  ctx: Ctx,
  payments: PaymentServices,
  suppliers: Suppliers,
  visitorOf: (req: IncomingMessage) => Pick<Visitor, 'network'>,
): Webhooks {
  const refusals = new LRUCache<string, { count: number; readonly until: number }>({
    max: NETWORKS_REMEMBERED,
  })
  const refusalsOf = (network: string) => {
    const now = ctx.now().getTime()
    const known = refusals.get(network)
    if (known && known.until > now) return known
    const fresh = { count: 0, until: now + MINUTE_MS }
    refusals.set(network, fresh)
    return fresh
  }
  return {
    takes: (path) => path.startsWith(PREFIX),
    async answer(req) {
      const code = splitTarget(req.url ?? '/').path.slice(PREFIX.length)
      const supplier = suppliers.get(code)
      if (!payments.providers.has(code) && !supplier)
        return refused(req, 404, 'There is no such provider here.')
      if (req.method !== 'POST') return refused(req, 405, 'Notices are posted.', ['allow', 'POST'])
      const refusedHere = refusalsOf(visitorOf(req).network)
      if (refusedHere.count >= REFUSED_MAX) {
        securityEvent(ctx.log, 'limit.refused', { limit: 'webhook', provider: code })
        return refused(req, 429, 'Too many notices were not accepted.', ['retry-after', '60'])
      }
      try {
        const most = supplier ? SUPPLY_BODY_MAX_BYTES : BODY_MAX_BYTES
        const notice = { body: await readBody(req, most), headers: headersOf(req) }
        if (supplier) {
          const answer = await receiveSupplyNotice(ctx, supplier, notice)
          if (answer) return thanks(answer)
        } else if ((await receiveNotice(ctx, payments, code, notice)) === 'stored') return STORED
        refusedHere.count += 1
        return said(400, 'This notice is not accepted.')
      } catch (error) {
        if (error instanceof BodyTooLarge) return refused(req, 413, 'This notice is too large.')
        if (error instanceof BodyAborted) return refused(req, 400, 'This notice is not whole.')
        if (error instanceof BodiesTooMany)
          return refused(req, 503, 'Try again.', ['retry-after', String(SECONDS_UNTIL_ROOM)])
        ctx.log.error('a payment notice could not be stored', { provider: code, error })
        return said(503, 'Try again.', ['retry-after', String(SECONDS_UNTIL_ROOM)])
      }
    },
  }
}

/** What a supplier wants to hear. */
function thanks({ status, body }: { readonly status: number; readonly body: string }): CallAnswer {
  return body === ''
    ? { ...STORED, status }
    : {
        status,
        headers: [...STORED.headers, 'content-type', 'text/plain'],
        body: Buffer.from(body),
      }
}

function headersOf(req: IncomingMessage): Headers {
  return new Headers(
    Object.entries(req.headersDistinct).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
  )
}

/** Before the body was read: what of it is still coming is not waited for. */
function refused(
  req: IncomingMessage,
  status: number,
  sentence: string,
  extra: readonly string[] = [],
): CallAnswer {
  req.resume()
  return said(status, sentence, ['connection', 'close', ...extra])
}

/** In an envelope as every call, in English: a provider speaks no language of the shop's. */
function said(status: number, msg: string, extra: readonly string[] = []): CallAnswer {
  return envelopeAnswer(status, { code: status, msg, data: null }, extra)
}
