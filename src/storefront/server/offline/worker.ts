import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { bodyIn, encodeBody, type EncodedBody } from '#platform/http/encoding.ts'
import { scriptHash } from '#platform/http/security-headers.ts'
import { textsRevision } from '#platform/i18n/messages.ts'
import { LANGUAGES } from '#kernel/language.ts'
import type { PageAnswer, PageRequest } from '../page-answer.ts'
import { offlinePage, offlineWords } from './page.ts'
import { OFFLINE_SCRIPT } from './script.ts'
import { OFFLINE_STYLE } from './style.ts'

export const WORKER_PATH = '/service-worker.js'

/** Whose documents are not the shop's pages: calls, pictures, the console, the demo's sandboxes. */
const NOT_PAGES = String.raw`/^\/(?:api|img|console|sandbox)(?:\/|$)/`

/**
 * The service worker, whole: it answers a navigation that fails, and nothing else, with a page that it carries in itself. It opens no
 * cache and stores no answer, so that nothing it could give is ever old. Each page is asked for once, by the worker alone: the way back
 * from a sign-in service can be gone once, and a page that was asked for ahead of the worker (navigation preload) came twice. All
 * but navigations goes past it, where the browser can be told so.
 */
const WORKER = `'use strict'
const WORDS = {words}
const PAGE = {page}
const HEADERS = {headers}
const NOT_PAGES = ${NOT_PAGES}
addEventListener('install', (event) => {
  skipWaiting()
  if (event.addRoutes)
    event.waitUntil(
      event
        .addRoutes([{ condition: { not: { requestMode: 'navigate' } }, source: 'network' }])
        .catch(() => undefined),
    )
})
addEventListener('activate', (event) => {
  if (registration.navigationPreload) event.waitUntil(registration.navigationPreload.disable())
})
addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.mode !== 'navigate' || request.method !== 'GET' || NOT_PAGES.test(pathname)) return
  event.respondWith(
    fetch(request).catch(() => offline(pathname)),
  )
})
function offline(pathname) {
  const words = WORDS[pathname.split('/')[1]] || WORDS['']
  const html = PAGE.replace(/\\{(\\w+)\\}/g, (whole, name) => words[name] ?? whole)
  return new Response(html, { status: 503, headers: HEADERS })
}
`

/** What ends it in every browser that has it: they look for a newer one at each visit, find this, and are without one. */
const ENDING_WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(registration.unregister()))
`

export interface WorkerShop {
  /** What the shop is called. */
  readonly name: string
  /** `OFFLINE_PAGE=on`. */
  readonly isOn: boolean
}

interface MadeWorker {
  readonly etag: string
  readonly body: EncodedBody
}

/** Of the shop's name and texts as they are, and the end of it. */
const made = new LRUCache<string, Promise<MadeWorker>>({ max: 2 })

/** `/service-worker.js`: the worker of the shop of this name, or the one that ends it. */
export async function serviceWorker(
  { name, isOn }: WorkerShop,
  request: Pick<PageRequest, 'encoding' | 'ifNoneMatch'>,
): Promise<PageAnswer> {
  const key = isOn ? `for ${name} in words ${textsRevision()}` : 'the end'
  let worker = made.get(key)
  if (!worker) made.set(key, (worker = makeWorker(isOn ? workerOf(name) : ENDING_WORKER)))
  const { etag, body } = await worker
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    // A browser shall find a newer one, or the end of it, at once.
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  }
  if (request.ifNoneMatch === etag) return { status: 304, headers, body: null }
  return {
    status: 200,
    headers:
      request.encoding === 'identity'
        ? headers
        : { ...headers, 'content-encoding': request.encoding },
    body: bodyIn(body, request.encoding),
  }
}

async function makeWorker(script: string): Promise<MadeWorker> {
  const digest = createHash('sha256').update(script).digest('base64url').slice(0, 22)
  return { etag: `"${digest}"`, body: await encodeBody(script) }
}

function workerOf(shop: string): string {
  const words = Object.fromEntries(
    LANGUAGES.map((language) => [language.prefix.slice(1), offlineWords(language, shop)]),
  )
  const parts: Readonly<Record<string, unknown>> = {
    words,
    page: offlinePage(shop),
    headers: OFFLINE_HEADERS,
  }
  return WORKER.replaceAll(/\{(words|page|headers)\}/g, (_, part: string) =>
    JSON.stringify(parts[part]),
  )
}

const OFFLINE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${scriptHash(OFFLINE_SCRIPT)}`,
    `style-src ${scriptHash(OFFLINE_STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}
