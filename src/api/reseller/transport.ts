import type { IncomingMessage } from 'node:http'
import { authenticate, findSigner, type SignedRequest } from '#features/buying/reseller/flows.ts'
import type { ResellerKey } from '#features/buying/reseller/rules.ts'
import { findTestSigner } from '#features/buying/reseller-sandbox/flows.ts'
import { TEST_KEY, TEST_SCOPES, type TestKey } from '#features/buying/reseller-sandbox/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { envelopeInTurns, type CallAnswer } from '../answer.ts'
import { parseCallJson, readCallBody } from '../call-body.ts'
import { currencyOf, languageOf, readQuery } from '../caller.ts'
import { success } from '../envelope.ts'
import { readInput, readQuery as readFields } from '../personal/input.ts'
import { noteRefused } from '../personal/note-refused.ts'
import type { Services } from '../personal/services.ts'
import {
  brokenEncoding,
  failedCall,
  refusedAnswer,
  splitTarget,
  tooManyRequests,
} from '../refused.ts'
import type { ResellerCall } from './call.ts'
import { RESELLER_CALLS } from './calls.ts'
import { TEST_CALLS, TEST_SERVICES } from './test-calls.ts'

export interface ResellerTransport {
  readonly takes: (path: string) => boolean
  readonly answer: (req: IncomingMessage) => Promise<CallAnswer>
}

export interface ResellerOptions {
  readonly ctx: Ctx
  readonly snapshot: () => ShopSnapshot
  readonly services: Pick<Services, 'payments' | 'vault' | 'checkAccount' | 'takeShare'>
  readonly visitorOf: (req: IncomingMessage) => Visitor
}

/** A call as the dispatcher sees it: what its shape makes of the input is what its own `answer` takes. */
interface AnyCall extends Pick<ResellerCall, 'path' | 'method' | 'scope' | 'body'> {
  readonly answer: (caller: never, body: never) => Promise<unknown>
}

const PREFIX = '/api/reseller/'
const BODY_MAX_BYTES = 65_536
const byPath = (calls: readonly Pick<ResellerCall, 'path'>[]) =>
  new Map(calls.map((call) => [`/api/${call.path}`, call as unknown as AnyCall]))
const calls = byPath(RESELLER_CALLS)
/** The same calls, as test keys are answered. */
const testCalls = byPath(TEST_CALLS)

/** Calls of resellers over HTTP: no cookie is read and no origin asked for, as the signature says who sent it. */
export function createResellerTransport(options: ResellerOptions): ResellerTransport {
  const { ctx, services, visitorOf } = options
  return {
    takes: (path) => path.startsWith(PREFIX),
    async answer(req) {
      const target = req.url ?? '/'
      const { path, rawQuery } = splitTarget(target)
      const call = calls.get(path)
      if (!call) return refusedAnswer('not_found', rawQuery)
      if (req.method !== call.method)
        return refusedAnswer('method_not_allowed', rawQuery, ['allow', call.method])
      const query = readQuery(rawQuery)
      if ('broken' in query) return brokenEncoding(query.broken, rawQuery)
      const visitor = visitorOf(req)
      const wait = services.takeShare('read', visitor)
      if (wait > 0) return tooManyRequests(wait, target)
      try {
        return await answerCall(options, call, req, { target, params: query.params, visitor })
      } catch (error) {
        if (isAppError(error) && error.code !== 'unauthorised' && error.code !== 'not_found')
          noteRefused(ctx.log, error, call.path, null)
        const answer = failedCall(error, call.path, rawQuery, ctx.log, ctx.newId)
        const seconds = isAppError(error) ? error.params['seconds'] : undefined
        return typeof seconds === 'number'
          ? { ...answer, headers: [...answer.headers, 'retry-after', String(seconds)] }
          : answer
      }
    },
  }
}

interface Asked {
  readonly target: string
  readonly params: URLSearchParams
  readonly visitor: Visitor
}

async function answerCall(
  { ctx, snapshot, services }: ResellerOptions,
  call: AnyCall,
  req: IncomingMessage,
  { target, params, visitor }: Asked,
): Promise<CallAnswer> {
  const body = await readCallBody(req, BODY_MAX_BYTES)
  const key = await signerOf(ctx, req, { method: call.method, target, body, visitor })
  const isTest = !('scopes' in key)
  const scopes = isTest ? TEST_SCOPES : key.scopes
  if (!scopes.includes(call.scope))
    throw new AppError('forbidden', {}, { data: { scope: call.scope } })
  if (call.method === 'POST') {
    const seconds = services.takeShare('write', visitor, `reseller ${key.id}`)
    if (seconds > 0) throw new AppError('too_many_requests', { seconds })
  }
  const shop = snapshot()
  const [language, currency] = [languageOf(params), currencyOf(params, shop)]
  const named = params.get('currency_code')?.toUpperCase() ?? currency.code
  if (named !== currency.code) throw new AppError('currency_unavailable')
  const t = translatorOf(language)
  const actor = `account:${key.accountId}`
  const caller = {
    ctx: ctxFor(ctx, { actor, locale: language, currency: currency.code }),
    shop,
    key,
    language,
    currency,
    t,
    visitor,
    services: isTest ? TEST_SERVICES : services,
  }
  const { answer } = (isTest ? testCalls.get(`/api/${call.path}`) : call) ?? call
  const input = call.method === 'GET' ? readFields(params) : parseCallJson(body)
  const data = await answer(caller as never, readInput(call.body, input) as never)
  return envelopeInTurns(200, success(data, t), ['referrer-policy', 'no-referrer'])
}

/** Whose a request is: a key, or one for testing, which is known by its name. */
function signerOf(
  ctx: Ctx,
  { headers }: IncomingMessage,
  {
    visitor,
    ...request
  }: Pick<SignedRequest, 'method' | 'target' | 'body'> & { readonly visitor: Visitor },
): Promise<ResellerKey | TestKey> {
  const header = (name: string) => String(headers[name] ?? '')
  return authenticate<ResellerKey | TestKey>(
    ctx,
    {
      ...request,
      key: header('reseller-key'),
      timestamp: header('reseller-timestamp'),
      nonce: header('reseller-nonce'),
      signature: header('reseller-signature'),
    },
    (publicId) =>
      TEST_KEY.test(publicId) ? findTestSigner(ctx, publicId) : findSigner(ctx, publicId, visitor),
  )
}
