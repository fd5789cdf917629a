import { createHash } from 'node:crypto'
import { bodyIn, type ContentEncoding, type EncodedBody } from '#platform/http/encoding.ts'
import type { CachedPage } from './page-cache.ts'

export interface PageRequest {
  /** Path and query as sent. */
  readonly target: string
  readonly cookie?: string | undefined
  readonly acceptLanguage?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly encoding: ContentEncoding
}

export interface PageAnswer {
  readonly status: number
  /** By name, or ready to send: name, value, name, value …, with the length. */
  readonly headers: Readonly<Record<string, string>> | readonly string[]
  readonly body: Buffer | string | null
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[]
}

export const CACHE_CONTROL = 'private, max-age=0, must-revalidate'

/** A page that was just made, as it is kept. */
export function toCached(body: EncodedBody, says: string): CachedPage {
  return { body, etag: etagOf(body.br), says, headers: new Map() }
}

export function answerCached(
  page: CachedPage,
  request: PageRequest,
  headers: Readonly<Record<string, string>>,
): PageAnswer {
  if (request.ifNoneMatch === page.etag)
    return {
      status: 304,
      headers: { etag: page.etag, 'cache-control': CACHE_CONTROL, vary: headers['vary'] ?? '' },
      body: null,
    }
  const body = bodyIn(page.body, request.encoding)
  let ready = page.headers.get(request.encoding)
  if (!ready) {
    ready = Object.entries({
      ...headers,
      etag: page.etag,
      ...encodingHeader(request.encoding),
      'content-length': String(body.length),
    }).flat()
    page.headers.set(request.encoding, ready)
  }
  return { status: 200, headers: ready, body }
}

/** Made for one person, kept by nobody; its address, which may hold a link's secret, is told to no other site. */
export function answerPersonal(
  body: EncodedBody,
  status: number,
  request: Pick<PageRequest, 'encoding'>,
  headers: Readonly<Record<string, string>>,
): PageAnswer & { readonly headers: Readonly<Record<string, string>> } {
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...encodingHeader(request.encoding),
    },
    body: bodyIn(body, request.encoding),
  }
}

export function withCookies(answer: PageAnswer, cookies: readonly string[]): PageAnswer {
  return cookies.length === 0 ? answer : { ...answer, cookies }
}

export function encodingHeader(encoding: ContentEncoding): Record<string, string> {
  return encoding === 'identity' ? {} : { 'content-encoding': encoding }
}

/** Of the compressed page, which is as telling and a sixth of the size. */
function etagOf(compressed: Buffer): string {
  return `W/"${createHash('sha256').update(compressed).digest('base64url').slice(0, 22)}"`
}

/** An address with a query may hold a link's secret: it is kept by nobody. */
export function redirect(to: string, status: number): PageAnswer {
  const isKept = status === 308 && !to.includes('?')
  return {
    status,
    headers: {
      location: to,
      'cache-control': isKept ? 'public, max-age=3600' : 'no-store',
      ...(isKept ? {} : { 'referrer-policy': 'no-referrer' }),
    },
    body: null,
  }
}
