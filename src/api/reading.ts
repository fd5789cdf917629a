import type { PayProviders } from '#features/goods/pay-method/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Log } from '#platform/log.ts'
import { textsRevision, translatorOf } from '#platform/i18n/messages.ts'
import { jsonInTurns } from '#platform/turns.ts'
import {
  answerFrom,
  firstAnswer,
  cachedAnswer,
  type CallAnswer,
  type CallRequest,
} from './answer.ts'
import { createAnswerCache, type AnswerCache } from './answer-cache.ts'
import type { CallView } from './call.ts'
import { currencyOf, languageOf, readQuery } from './caller.ts'
import { READING_CALLS } from './calls.ts'
import { success } from './envelope.ts'
import { brokenEncoding, failedCall, refusedAnswer, splitTarget } from './refused.ts'

export interface ReadingOptions {
  readonly snapshot: () => ShopSnapshot
  readonly timeZone: string
  readonly publicUrl: string
  readonly release: string
  readonly payProviders: PayProviders
  readonly log: Log
  readonly newId: () => string
  /** Memory for answers; an eighth of it on top for those to free text. */
  readonly cacheBytes?: number
}

export interface ReadingCalls {
  /** An answer given before, straight from memory, without reading the address; null when it must be made. */
  readonly fromCache: (request: CallRequest) => CallAnswer | null
  /** The answer of a reading call, whatever the request looks like; null when the path names none. Long ones are made in turns. */
  readonly answer: (request: CallRequest) => CallAnswer | Promise<CallAnswer> | null
}

/** A call as the dispatcher sees it: what `read` makes is what its own `answer` takes. */
interface AnyCall {
  readonly path: string
  readonly read: (params: URLSearchParams, view: CallView) => object
  readonly answer: (view: CallView, query: never) => unknown
  readonly isFreeText?: (query: never) => boolean
}

const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024
export const READING_METHODS = 'GET, HEAD, OPTIONS'

const callByPath = new Map<string, AnyCall>(
  READING_CALLS.map((call) => [`/api/${call.path}`, call]),
)

/** Answers every call of READING_CALLS from the snapshot, without a framework between: some 25 µs a call, 5 µs from memory. */
export function createReadingCalls(options: ReadingOptions): ReadingCalls {
  const maxBytes = options.cacheBytes ?? DEFAULT_CACHE_BYTES
  const cache = createAnswerCache({
    maxBytes,
    freeTextMaxBytes: Math.max(1, Math.floor(maxBytes / 8)),
  })
  let seen: ShopSnapshot | null = null
  let seenTexts = textsRevision()

  /** The newest snapshot; answers made from another one, or of other texts, are forgotten. */
  function currentShop(): ShopSnapshot {
    const shop = options.snapshot()
    if (shop !== seen || seenTexts !== textsRevision()) {
      cache.clear()
      seen = shop
      seenTexts = textsRevision()
    }
    return shop
  }

  return {
    fromCache(request) {
      currentShop()
      const kept = cache.byTarget(request.target)
      return kept ? answerFrom(kept, request) : null
    },
    answer(request) {
      const { path, rawQuery } = splitTarget(request.target)
      const call = callByPath.get(path)
      if (!call) return null
      const shop = currentShop()
      return answerCall(call, request, rawQuery, shop, options, {
        ...cache,
        keep: (key, made, isFreeText) => {
          if (shop === seen) cache.keep(key, made, isFreeText)
        },
      })
    },
  }
}

function answerCall(
  call: AnyCall,
  request: CallRequest,
  rawQuery: string,
  shop: ShopSnapshot,
  options: ReadingOptions,
  cache: AnswerCache,
): CallAnswer | Promise<CallAnswer> {
  if (request.method === 'OPTIONS')
    return { status: 204, headers: ['allow', READING_METHODS], body: null }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refusedAnswer('method_not_allowed', rawQuery, ['allow', READING_METHODS])
  const read = readQuery(rawQuery)
  if ('broken' in read) return brokenEncoding(read.broken, rawQuery)
  const { params } = read
  const { timeZone, publicUrl, release, payProviders } = options
  const language = languageOf(params)
  const view: CallView = {
    shop,
    language,
    currency: currencyOf(params, shop),
    t: translatorOf(language),
    timeZone,
    publicUrl,
    release,
    payProviders,
  }
  try {
    const query = call.read(params, view)
    const key = keyOf(call, view, query)
    if (!params.has('token')) cache.link(request.target, key)
    const kept = cache.byKey(key)
    if (kept) return answerFrom(kept, request)
    const given = (json: Buffer) => {
      const made = cachedAnswer(json)
      cache.keep(key, made, call.isFreeText?.(query as never) ?? false)
      return firstAnswer(made, request)
    }
    const data = call.answer(view, query as never)
    if (!(data instanceof Promise)) return given(Buffer.from(JSON.stringify(success(data, view.t))))
    return data
      .then((long: unknown) => jsonInTurns(success(long, view.t)))
      .then(given)
      .catch(failed)
  } catch (error) {
    return failed(error)
  }

  function failed(error: unknown): CallAnswer {
    return failedCall(error, call.path, rawQuery, options.log, options.newId)
  }
}

/** Everything an answer depends on, and nothing of the address as it was written. */
function keyOf(call: AnyCall, view: CallView, query: object): string {
  const values = Object.values(query).map((value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  return `${call.path} ${view.language} ${view.currency.code} ${JSON.stringify(values)}`
}
