import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentEncoding } from '#platform/http/encoding.ts'
import { ownBytes } from '#platform/own-bytes.ts'
import { jsonInTurns } from '#platform/turns.ts'
import type { Envelope } from './envelope.ts'

/** What goes over the wire; headers as a flat list of names and values, which Node writes fastest. */
export interface CallAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer | null
  /** What is read while it goes out, in place of a body. */
  readonly chunks?: AsyncIterable<string | Uint8Array>
}

export interface CallRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly encoding: ContentEncoding
  readonly ifNoneMatch?: string | undefined
}

/** Callers may keep an answer but ask each time whether it still holds: prices change at any moment. */
const REVALIDATE = 'private, max-age=0, must-revalidate'
const JSON_TYPE = 'application/json; charset=utf-8'
const COMMON = ['x-content-type-options', 'nosniff', 'vary', 'Accept-Encoding']

/** An answer that is not kept: refusals, and successes made for one caller. */
export function envelopeAnswer(
  status: number,
  envelope: Envelope,
  extra: readonly string[] = [],
): CallAnswer {
  return bytesAnswer(status, Buffer.from(JSON.stringify(envelope)), [
    'cache-control',
    'no-store',
    ...extra,
  ])
}

/** The same of an envelope that may be long: others get their turn while it is written. */
export async function envelopeInTurns(
  status: number,
  envelope: Envelope,
  extra: readonly string[] = [],
): Promise<CallAnswer> {
  return bytesAnswer(status, await jsonInTurns(envelope), ['cache-control', 'no-store', ...extra])
}

function bytesAnswer(
  status: number,
  body: Buffer,
  extra: readonly string[],
  type = JSON_TYPE,
): CallAnswer {
  return {
    status,
    headers: ['content-type', type, ...COMMON, ...extra, 'content-length', String(body.length)],
    body,
  }
}

/** A success that may be given again: its bytes in every encoding asked for so far. */
export interface CachedAnswer {
  readonly etag: string
  readonly plain: CallAnswer
  readonly notModified: CallAnswer
  /** Made when a kept answer is asked for again, not before: most are asked for once. */
  readonly encoded: Partial<Record<ContentEncoding, CallAnswer | 'under way'>>
}

export function cachedAnswer(
  body: Buffer,
  type = JSON_TYPE,
  extra: readonly string[] = [],
): CachedAnswer {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const lasting = ['cache-control', REVALIDATE, 'etag', etag, ...extra]
  return {
    etag,
    plain: bytesAnswer(200, ownBytes(body), lasting, type),
    notModified: { status: 304, headers: [...lasting, 'vary', 'Accept-Encoding'], body: null },
    encoded: {},
  }
}

/** Under this, compression saves no packet. */
const COMPRESSED_MIN_BYTES = 1_400

/** For whom it was made: as it is. Long ones are compressed on the way out (`COMPRESSED_AT_ONCE_BYTES`). */
export function firstAnswer(kept: CachedAnswer, request: CallRequest): CallAnswer {
  return isUnchanged(kept, request) ? kept.notModified : kept.plain
}

function isUnchanged(kept: CachedAnswer, request: CallRequest): boolean {
  return request.ifNoneMatch !== undefined && request.ifNoneMatch.includes(kept.etag)
}

/** The best that is there for this caller; an encoding that is not begins to be made, for the next one. */
export function answerFrom(kept: CachedAnswer, request: CallRequest): CallAnswer {
  if (isUnchanged(kept, request)) return kept.notModified
  const { plain } = kept
  const { encoding } = request
  if (encoding === 'identity' || plain.body === null || plain.body.length < COMPRESSED_MIN_BYTES)
    return plain
  const made = kept.encoded[encoding]
  if (made === 'under way') return plain
  if (made) return made
  kept.encoded[encoding] = 'under way'
  compressed(plain, encoding).then(
    (answer) => (kept.encoded[encoding] = answer),
    () => delete kept.encoded[encoding],
  )
  return plain
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compressed(answer: CallAnswer, encoding: 'br' | 'gzip'): Promise<CallAnswer> {
  const body = answer.body ?? Buffer.alloc(0)
  const small =
    encoding === 'br'
      ? await toBrotli(body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 5,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        })
      : await toGzip(body, { level: 6 })
  const headers = [...answer.headers]
  headers[headers.indexOf('content-length') + 1] = String(small.length)
  return { ...answer, headers: [...headers, 'content-encoding', encoding], body: ownBytes(small) }
}

/** Long answers that nobody kept are compressed while the caller waits: the network would take longer. */
export const COMPRESSED_AT_ONCE_BYTES = 16_384

export function send(res: ServerResponse, method: string, answer: CallAnswer): void {
  if (res.headersSent || res.destroyed) return
  res.writeHead(answer.status, answer.headers as string[])
  if (answer.chunks && method !== 'HEAD') void stream(res, answer.chunks)
  else if (method === 'HEAD' || answer.body === null) res.end()
  else res.end(answer.body)
}

/** Where reading fails midway the connection breaks, so that nobody takes a part for the whole. */
async function stream(
  res: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(chunks), res).catch(() => res.destroy())
}
