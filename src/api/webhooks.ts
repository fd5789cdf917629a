import type { IncomingMessage } from 'node:http'
import { receiveNotice, type PaymentServices } from '#features/payment/flows.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  BodiesTooMany,
  BodyAborted,
  BodyTooLarge,
  readBody,
  SECONDS_UNTIL_ROOM,
} from '#platform/http/body.ts'
import { envelopeAnswer, type CallAnswer } from './answer.ts'
import { splitTarget } from './refused.ts'

export interface Webhooks {
  readonly takes: (path: string) => boolean
  readonly answer: (req: IncomingMessage) => Promise<CallAnswer>
}

const PREFIX = '/api/webhook/'
const BODY_MAX_BYTES = 256 * 1024
const STORED: CallAnswer = {
  status: 204,
  headers: ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'],
  body: null,
}

/**
 * `POST /api/webhook/{provider}`: what payment providers tell us. No cookie is read and no origin asked for, as the signature says
 * who sent it; what it says is never believed, only that there is something to ask the provider about. 204 means: it is stored and
 * need not come again. Nothing of a notice goes into an answer or a log.
 */
export function createWebhooks(ctx: Ctx, payments: PaymentServices): Webhooks {
  return {
    takes: (path) => path.startsWith(PREFIX),
    async answer(req) {
      const code = splitTarget(req.url ?? '/').path.slice(PREFIX.length)
      if (!payments.providers.has(code)) return refused(req, 404, 'There is no such provider here.')
      if (req.method !== 'POST') return refused(req, 405, 'Notices are posted.', ['allow', 'POST'])
      try {
        const outcome = await receiveNotice(ctx, payments, code, {
          body: await readBody(req, BODY_MAX_BYTES),
          headers: headersOf(req),
        })
        return outcome === 'stored' ? STORED : said(400, 'This notice is not accepted.')
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
