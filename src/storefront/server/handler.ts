import { createHash } from 'node:crypto'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import type { Language } from '#kernel/language.ts'
import { withSetCookies } from '#platform/http/cookies.ts'
import {
  bodyIn,
  encodeBody,
  type ContentEncoding,
  type EncodedBody,
} from '#platform/http/encoding.ts'
import { pageSecurityHeaders, scriptHash } from '#platform/http/security-headers.ts'
import { readSelection } from '#platform/http/selection.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { Log } from '#platform/log.ts'
import { BOOT_SCRIPT } from '../boot.ts'
import type { Outcome } from '../forms/form.ts'
import { localPath } from '../i18n.tsx'
import { PageRedirect, type ShellData } from '../page.ts'
import { loadShell } from '../shell/load.ts'
import { readAddress } from './address.ts'
import type { ClientAssets } from './assets.ts'
import { renderFailure } from './failure.ts'
import { canonicalAddress, loadPage, type LoadedPage } from './load-page.ts'
import { matchRoute, type RouteMatch } from './match.ts'
import { PageCache, type CachedPage } from './page-cache.ts'
import {
  admit,
  makeFormCall,
  personalParts,
  readPosted,
  type People,
  type PostedForm,
} from './personal.ts'
import { getPageForms } from './registry.ts'
import { renderPage } from './render.tsx'

export interface PagesOptions {
  readonly snapshot: () => ShopSnapshot
  readonly assets: () => ClientAssets
  readonly publicUrl: string
  readonly timeZone: string
  readonly log: Log
  readonly newId: () => string
  readonly people: People
  /** Origins of other services that forms of personal pages lead to. */
  readonly formTargets?: readonly string[]
  /** 0 keeps no page (development). */
  readonly cacheBytes: number
  readonly isDevelopment: boolean
}

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

export interface Pages {
  /** A page served before, straight from memory; null when it must be made. */
  readonly fromCache: (request: PageRequest) => PageAnswer | null
  readonly answer: (request: PageRequest) => Promise<PageAnswer>
  /** A form that was posted to the address of its page, without script. Throws what reading its body throws. */
  readonly answerForm: (request: PageRequest, posted: PostedForm) => Promise<PageAnswer>
  /** Whether a path takes forms. */
  readonly takesForms: (target: string) => boolean
  /** The data of a page alone, for a navigation in the browser (`/_data/…`). */
  readonly answerData: (request: PageRequest) => Promise<PageAnswer>
  /** Forgets every kept page; called when the catalogue has changed. */
  readonly clear: () => void
  /** Forgets the kept pages at these paths, in every language; called when what they say has changed and nothing else. */
  readonly forget: (paths: ReadonlySet<string>) => void
}

const CACHE_CONTROL = 'private, max-age=0, must-revalidate'

/** Serves the pages of the shop. The hot path is a look-up; the cold one a load and a render. */
export function createPages(options: PagesOptions): Pages {
  const cache = new PageCache(Math.max(1, options.cacheBytes))
  const shells = new Map<string, ShellData>()
  const mode = {
    isHttps: options.publicUrl.startsWith('https:'),
    isDevelopment: options.isDevelopment,
  }
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': CACHE_CONTROL,
    vary: 'Accept-Encoding, Cookie, Accept-Language',
    ...pageSecurityHeaders([scriptHash(BOOT_SCRIPT)], mode),
  }
  const personalHeaders = {
    ...headers,
    ...pageSecurityHeaders([scriptHash(BOOT_SCRIPT)], mode, options.formTargets),
  }

  return {
    fromCache(request) {
      // These two follow the visitor's language before anything else.
      if (request.target === '/' || request.target === '/news') return null
      const page = cache.get(request.target, currencyOf(request, options.snapshot()).code)
      return page ? answerKept(page, request, headers) : null
    },

    async answer(request) {
      const address = readAddress(request.target, request)
      if (address.kind === 'redirect') return redirect(address.to, address.status)
      const shop = options.snapshot()
      const currency = currencyOf(request, shop)
      const match = address.path === null ? null : matchRoute(address.path)
      const target = localPath(
        address.language.prefix,
        canonicalAddress(address.path ?? '/', match, address.query, options.publicUrl),
      )
      const kept = match ? cache.get(target, currency.code) : undefined
      if (kept) return answerKept(kept, request, headers)
      const { generation } = cache
      try {
        const loaded = await load(
          request,
          address.language,
          address.path,
          match,
          address.query,
          shop,
          currency,
        )
        const body = await encodeBody(render(loaded, address.language, shop, currency))
        if (loaded.isPersonal)
          return answerPersonal(body, loaded.payload.status, request, personalHeaders)
        const page: CachedPage = { body, etag: etagOf(body.br), headers: new Map() }
        if (
          options.cacheBytes > 0 &&
          loaded.isCacheable &&
          shop === options.snapshot() &&
          generation === cache.generation
        )
          cache.set(target, currency.code, page)
        return loaded.payload.status === 200
          ? answerKept(page, request, headers)
          : {
              ...answerKept(page, { ...request, ifNoneMatch: undefined }, headers),
              status: loaded.payload.status,
            }
      } catch (error) {
        if (error instanceof PageRedirect)
          return redirect(localPath(address.language.prefix, error.path), error.status)
        return failure(error, address.language, request)
      }
    },

    async answerData(request) {
      const address = readAddress(request.target, request)
      if (address.kind === 'redirect') return json({ redirect: address.to }, request.encoding)
      const shop = options.snapshot()
      try {
        const match = address.path === null ? null : matchRoute(address.path)
        const loaded = await load(
          request,
          address.language,
          address.path,
          match,
          address.query,
          shop,
          currencyOf(request, shop),
        )
        return json(
          { payload: loaded.payload, layout: loaded.layout, areas: loaded.areas },
          request.encoding,
        )
      } catch (error) {
        if (error instanceof PageRedirect)
          return json(
            { redirect: localPath(address.language.prefix, error.path) },
            request.encoding,
          )
        return {
          ...(await failure(error, address.language, request)),
          body: null,
          headers: { 'cache-control': 'no-store' },
        }
      }
    },

    takesForms(target) {
      const address = readAddress(target, {})
      return (
        address.kind === 'page' &&
        address.path !== null &&
        matchRoute(address.path)?.route.access !== undefined
      )
    },

    async answerForm(request, posted) {
      const address = readAddress(request.target, request)
      if (address.kind === 'redirect') return redirect(address.to, 303)
      const { language, query } = address
      const path = address.path ?? '/'
      const match = matchRoute(path)
      const shop = options.snapshot()
      const currency = currencyOf(request, shop)
      const forms = match ? getPageForms(match.route.page) : {}
      const form = await readPosted(forms, posted, options.people)
      try {
        const result = await makeFormCall(
          forms,
          form,
          canonicalAddress(path, match, query, options.publicUrl),
          { language, currency },
          options.people,
        )
        if (!result)
          return redirect(
            localPath(language.prefix, canonicalAddress(path, match, query, options.publicUrl)),
            303,
          )
        if ('to' in result)
          return withCookies(
            redirect(
              result.to.startsWith('/') ? localPath(language.prefix, result.to) : result.to,
              303,
            ),
            result.cookies,
          )
        // The call may have renewed or ended the session: the page is made for who it is now.
        const next = { ...request, cookie: withSetCookies(request.cookie, result.cookies) }
        const loaded = await load(
          next,
          language,
          path,
          match,
          query,
          shop,
          currency,
          result.outcome,
        ).catch((error: unknown) => {
          if (error instanceof PageRedirect) return error
          throw error
        })
        if (loaded instanceof PageRedirect)
          return withCookies(redirect(localPath(language.prefix, loaded.path), 303), result.cookies)
        const status = result.outcome.isDone ? 200 : result.status === 200 ? 422 : result.status
        const answer = answerPersonal(
          await encodeBody(render(loaded, language, shop, currency)),
          status,
          request,
          personalHeaders,
        )
        return withCookies(
          result.retryAfter === undefined
            ? answer
            : {
                ...answer,
                headers: { ...answer.headers, 'retry-after': String(result.retryAfter) },
              },
          result.cookies,
        )
      } catch (error) {
        if (error instanceof PageRedirect)
          return redirect(localPath(language.prefix, error.path), 303)
        return failure(error, language, request)
      }
    },

    clear: () => {
      cache.clear()
      shells.clear()
    },

    forget: (paths) => cache.forget(paths),
  }

  async function load(
    request: PageRequest,
    language: Language,
    path: string | null,
    match: RouteMatch | null,
    query: URLSearchParams,
    shop: ShopSnapshot,
    currency: Currency,
    outcome: Outcome | null = null,
  ): Promise<LoadedPage> {
    const own = canonicalQuery(path ?? '/', match, query, options.publicUrl)
    const common = {
      shop,
      language,
      currency,
      t: translatorOf(language.code),
      path: path ?? '/',
      query: own,
      timeZone: options.timeZone,
      publicUrl: options.publicUrl,
      country: countryOf(request),
      payProviders: options.people.payments.providers,
    }
    if (match?.route.access === undefined) return loadPage(common, match)
    const { people } = options
    const person = await admit(
      match.route,
      canonicalAddress(common.path, match, query, options.publicUrl),
      request.cookie,
      people,
    )
    const headerPerson = person ? await people.headerOf(person, shop) : null
    return loadPage(
      {
        ...common,
        ...personalParts(person, people, common, request.cookie, outcome),
        headerPerson,
      },
      match,
    )
  }

  function render(
    loaded: LoadedPage,
    language: Language,
    shop: ShopSnapshot,
    currency: Currency,
  ): string {
    return renderPage({
      loaded,
      shell: shellOf(language, shop, currency),
      language,
      t: translatorOf(language.code),
      publicUrl: options.publicUrl,
      assets: options.assets(),
    })
  }

  /** The frame's data, made once for each language and currency of a snapshot. */
  function shellOf(language: Language, shop: ShopSnapshot, currency: Currency): ShellData {
    const key = `${shop.version} ${language.code} ${currency.code}`
    let shell = shells.get(key)
    if (!shell)
      shells.set(
        key,
        (shell = loadShell({
          shop,
          language,
          currency,
          t: translatorOf(language.code),
          publicUrl: options.publicUrl,
          payProviders: options.people.payments.providers,
        })),
      )
    return shell
  }

  async function failure(
    error: unknown,
    language: Language,
    request: PageRequest,
  ): Promise<PageAnswer> {
    const id = options.newId()
    options.log.error('page failed', { id, target: request.target, error })
    const html = renderFailure({
      id,
      language,
      t: translatorOf(language.code),
      assets: options.assets,
      log: options.log,
    })
    const body = bodyIn(await encodeBody(html), request.encoding)
    return {
      status: 500,
      headers: {
        ...headers,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        ...encodingHeader(request.encoding),
      },
      body,
    }
  }
}

/** The visitor's currency when the shop sells in it, else US dollars. */
function currencyOf(request: PageRequest, shop: ShopSnapshot): Currency {
  const chosen =
    request.cookie === undefined
      ? undefined
      : shop.currencyByCode.get(readSelection(request.cookie).currency_code ?? '')
  return chosen?.isCheckout && chosen.perUsd
    ? chosen
    : (shop.currencyByCode.get('USD') ?? US_DOLLAR)
}

/** For redirects alone, which are never kept: no page may differ by it (see PageContext). */
function countryOf(request: PageRequest): string | null {
  return request.cookie === undefined ? null : (readSelection(request.cookie).country_code ?? null)
}

function canonicalQuery(
  path: string,
  match: RouteMatch | null,
  query: URLSearchParams,
  publicUrl: string,
): URLSearchParams {
  const address = canonicalAddress(path, match, query, publicUrl)
  return new URLSearchParams(address.slice(path.length))
}

function answerKept(
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
function answerPersonal(
  body: EncodedBody,
  status: number,
  request: PageRequest,
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

function withCookies(answer: PageAnswer, cookies: readonly string[]): PageAnswer {
  return cookies.length === 0 ? answer : { ...answer, cookies }
}

function encodingHeader(encoding: ContentEncoding): Record<string, string> {
  return encoding === 'identity' ? {} : { 'content-encoding': encoding }
}

/** Of the compressed page, which is as telling and a sixth of the size. */
function etagOf(compressed: Buffer): string {
  return `W/"${createHash('sha256').update(compressed).digest('base64url').slice(0, 22)}"`
}

/** An address with a query may hold a link's secret: it is kept by nobody. */
function redirect(to: string, status: number): PageAnswer {
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

async function json(value: unknown, encoding: ContentEncoding): Promise<PageAnswer> {
  const body = bodyIn(await encodeBody(JSON.stringify(value)), encoding)
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...encodingHeader(encoding),
    },
    body,
  }
}
