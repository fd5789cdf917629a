import type { Look } from '#features/base/theme/flows.ts'
import type { GoodsChange } from '#features/goods/browse/engine/changed.ts'
import { hostCookieName, writeCookie } from '#platform/http/cookies.ts'
import { encodeBody } from '#platform/http/encoding.ts'
import { pageSecurityHeaders, scriptHash } from '#platform/http/security-headers.ts'
import { CHOICE_MAX_AGE_SECONDS, LOCALE_COOKIE } from '#platform/http/selection.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { Log } from '#platform/log.ts'
import { BOOT_SCRIPT } from '../boot.ts'
import { localPath } from '../local-path.ts'
import { PageRedirect } from '../page.ts'
import { readAddress, type Address } from './address.ts'
import { answerForm } from './answer-form.ts'
import { renderFailure } from './failure.ts'
import {
  createPageMaker,
  currencyOf,
  type AskedPage,
  type PageMaker,
  type PageMakerOptions,
} from './make-page.ts'
import { lookHeaders, lookTheme, readLook, withLook, type AskedLook } from './look.ts'
import { matchRoute } from './match.ts'
import {
  answerCached,
  answerPersonal,
  CACHE_CONTROL,
  redirect,
  toCached,
  withCookies,
  type PageAnswer,
  type PageRequest,
} from './page-answer.ts'
import { PageCache } from './page-cache.ts'
import { SPECULATION_HEADERS } from './speculation.ts'
import { touchedBy } from './touched.ts'
import { readPosted, type PostedForm } from './personal.ts'
import { getPageForms } from './registry.ts'

export type { PageAnswer, PageRequest } from './page-answer.ts'

export interface PagesOptions extends PageMakerOptions {
  readonly log: Log
  readonly newId: () => string
  /** Origins of other services that forms of personal pages lead to. */
  readonly formTargets?: () => readonly string[]
  /** 0 keeps no page (development). */
  readonly cacheBytes: number
  readonly isDevelopment: boolean
  /** What an operator looks at before it is kept; null for what is none. */
  readonly openLook?: (token: string) => Look | null
  /** Who may show such a page in a frame. */
  readonly consoleOrigin?: string
}

export interface Pages {
  /** A page served before, straight from memory; null when it must be made. */
  readonly fromCache: (request: PageRequest) => PageAnswer | null
  readonly answer: (request: PageRequest) => Promise<PageAnswer>
  /** A form that was posted to the address of its page, without script. Throws what reading its body throws. */
  readonly answerForm: (request: PageRequest, posted: PostedForm) => Promise<PageAnswer>
  /** Whether a path takes forms. */
  readonly takesForms: (target: string) => boolean
  /** No kept page is sent before it is seen to be true still; called when the catalogue has changed. */
  readonly doubtAll: () => void
  /** The same for the pages at these paths, in every language; called when what they say has changed and nothing else. */
  readonly doubt: (paths: ReadonlySet<string>) => void
  /** The same for pages that show goods which have changed; of null, for all. */
  readonly follow: (change: GoodsChange | null) => void
}

/** Serves the pages of the shop. The hot path is a look-up; the cold one a load and a render. */
export function createPages(options: PagesOptions): Pages {
  const cache = new PageCache(Math.max(1, options.cacheBytes))
  const maker = createPageMaker(options)
  const server = { options, cache, maker, ...pageHeaders(options) }
  return {
    fromCache: (request) => fromCache(server, request),
    answer: (request) => answer(server, request),
    answerForm: (request, posted) => answerPosted(server, request, posted),
    takesForms,
    doubtAll,
    doubt: (paths) => cache.doubt((path) => paths.has(path)),
    follow: (change) => {
      const isTouched = change && touchedBy(change)
      if (!isTouched) return doubtAll()
      cache.doubt(isTouched)
      maker.clear()
    },
  }

  function doubtAll(): void {
    cache.doubtAll()
    maker.clear()
  }
}

interface PageServer {
  readonly options: PagesOptions
  readonly cache: PageCache
  readonly maker: PageMaker
  readonly publicHeaders: Readonly<Record<string, string>>
  readonly personalHeaders: () => Readonly<Record<string, string>>
}

function fromCache(server: PageServer, request: PageRequest): PageAnswer | null {
  const { options, cache, publicHeaders } = server
  // These two follow the visitor's language before anything else.
  if (request.target === '/' || request.target === '/news') return null
  const page = cache.get(request.target, currencyOf(request, options.snapshot()).code)
  return page ? answerCached(page, request, publicHeaders) : null
}

async function answer(server: PageServer, request: PageRequest): Promise<PageAnswer> {
  const look = readLook(request.target)
  if (look) return answerLook(server, request, look)
  const { cache, maker, publicHeaders } = server
  const address = readAddress(request.target, request)
  if (address.kind === 'redirect')
    return withCookies(redirect(address.to, address.status), languageCookies(server, address))
  const asked = maker.readAsked(request, address)
  const target = localPath(asked.language.prefix, asked.address)
  const cached = asked.match ? cache.get(target, asked.currency.code) : undefined
  if (cached) return answerCached(cached, request, publicHeaders)
  try {
    return await makeAnswer(server, asked, target)
  } catch (error) {
    if (error instanceof PageRedirect)
      return redirect(localPath(asked.language.prefix, error.path), error.status)
    return failure(server, error, asked)
  }
}

/** A page as it would look: made anew each time and kept by nobody. Without a look that holds, and for what is somebody's own, as any other. */
async function answerLook(
  server: PageServer,
  request: PageRequest,
  { token, target }: AskedLook,
): Promise<PageAnswer> {
  const { options, maker, publicHeaders } = server
  const plain = { ...request, target }
  const look = options.openLook?.(token) ?? null
  const address = readAddress(target, plain)
  if (address.kind === 'redirect' && look) return redirect(withLook(address.to, token), 302)
  const asked = address.kind === 'page' ? maker.readAsked(plain, address) : null
  if (!look || asked?.match?.route.access !== undefined || !asked) return answer(server, plain)
  try {
    const loaded = await maker.load(asked)
    const html = maker.render(loaded, asked, {
      theme: lookTheme(look, token),
      scheme: look.scheme,
    })
    const headers = lookHeaders(publicHeaders, options.consoleOrigin ?? '')
    return answerPersonal(await encodeBody(html), loaded.payload.status, plain, headers)
  } catch (error) {
    if (error instanceof PageRedirect)
      return redirect(withLook(localPath(asked.language.prefix, error.path), token), 302)
    return failure(server, error, asked)
  }
}

/** The language that a browser asked for is kept like one that was chosen (specification §9). */
function languageCookies(
  { options }: PageServer,
  { detected }: Extract<Address, { readonly kind: 'redirect' }>,
): readonly string[] {
  if (detected === undefined) return []
  const isHttps = options.publicUrl.startsWith('https:')
  return [
    writeCookie(hostCookieName(LOCALE_COOKIE, isHttps), detected, {
      maxAgeSeconds: CHOICE_MAX_AGE_SECONDS,
      secure: isHttps,
    }),
  ]
}

async function makeAnswer(
  server: PageServer,
  asked: AskedPage,
  target: string,
): Promise<PageAnswer> {
  const { options, cache, maker, publicHeaders, personalHeaders } = server
  const { request, shop, currency } = asked
  const { generation } = cache
  const loaded = await maker.load(asked)
  const { status } = loaded.payload
  const mayKeep = options.cacheBytes > 0 && loaded.isCacheable
  const says = mayKeep ? maker.says(loaded, asked) : ''
  const isCurrent = () => shop === options.snapshot() && generation === cache.generation
  // The catalogue has changed, and nothing that this page says: its bytes stay.
  const same = mayKeep && isCurrent() ? cache.confirm(target, currency.code, says) : undefined
  if (same) return answerCached(same, request, publicHeaders)
  const body = await encodeBody(maker.render(loaded, asked))
  if (loaded.isPersonal)
    return withCookies(
      answerPersonal(body, status, request, personalHeaders()),
      loaded.cookies ?? [],
    )
  const page = toCached(body, says)
  if (mayKeep && isCurrent()) cache.set(target, currency.code, page)
  if (status === 200) return answerCached(page, request, publicHeaders)
  return { ...answerCached(page, { ...request, ifNoneMatch: undefined }, publicHeaders), status }
}

async function answerPosted(
  server: PageServer,
  request: PageRequest,
  posted: PostedForm,
): Promise<PageAnswer> {
  const { maker } = server
  const headers = server.personalHeaders()
  const address = readAddress(request.target, request)
  if (address.kind === 'redirect') return redirect(address.to, 303)
  const asked = maker.readAsked(request, address)
  const forms = asked.match ? getPageForms(asked.match.route.page) : {}
  const { people } = server.options
  const form = await readPosted(forms, posted, people)
  try {
    return await answerForm({ people, maker, headers }, asked, forms, form)
  } catch (error) {
    return failure(server, error, asked)
  }
}

async function failure(
  server: PageServer,
  error: unknown,
  { language, request }: AskedPage,
): Promise<PageAnswer> {
  const { log, assets, newId } = server.options
  const id = newId()
  log.error('page failed', { id, target: request.target, error })
  const html = renderFailure({ id, language, t: translatorOf(language.code), assets, log })
  return answerPersonal(await encodeBody(html), 500, request, server.publicHeaders)
}

function takesForms(target: string): boolean {
  const address = readAddress(target, {})
  if (address.kind === 'redirect' || address.path === null) return false
  return matchRoute(address.path)?.route.access !== undefined
}

function pageHeaders({ publicUrl, isDevelopment, formTargets }: PagesOptions) {
  const mode = { isHttps: publicUrl.startsWith('https:'), isDevelopment }
  const scripts = [scriptHash(BOOT_SCRIPT)]
  const publicHeaders = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': CACHE_CONTROL,
    vary: 'Accept-Encoding, Cookie, Accept-Language',
    ...pageSecurityHeaders(scripts, mode),
  }
  const personalHeaders = () => ({
    ...publicHeaders,
    ...pageSecurityHeaders(scripts, mode, formTargets?.()),
  })
  return { publicHeaders: { ...publicHeaders, ...SPECULATION_HEADERS }, personalHeaders }
}
