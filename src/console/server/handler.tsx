import { renderToString } from 'react-dom/server'
import { countPageRead } from '#features/base/audit/commands.ts'
import { operatorOfCookie, type SignedIn } from '#features/team/operator/flows.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import {
  DEFAULT_LANGUAGE,
  getLanguage,
  negotiateLanguage,
  type Language,
} from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import { bodyIn, encodeBody, type ContentEncoding } from '#platform/http/encoding.ts'
import { pageSecurityHeaders } from '#platform/http/security-headers.ts'
import { translatorOf, type Translate } from '#platform/i18n/messages.ts'
import type { Log } from '#platform/log.ts'
import type { ConsoleContext, FrameData, PageState } from '../page.ts'
import { CONSOLE_PATH, matchConsoleRoute, type RouteMatch } from '../routes.ts'
import { Console } from '../shell/console.tsx'
import type { ConsoleAssets } from './assets.ts'
import { renderConsoleDocument } from './document.ts'
import { getConsolePage } from './registry.ts'

/** Where the console's built files lie. */
export const CONSOLE_FILES = `${CONSOLE_PATH}/assets/`

export interface ConsoleRequest {
  /** Path and query as sent. */
  readonly target: string
  readonly cookie: string | undefined
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  readonly encoding: ContentEncoding
  /** The page asks for itself, without anybody's press. */
  readonly isLive: boolean
}

export interface ConsoleAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | null
}

export interface ConsoleOptions {
  readonly ctx: Ctx
  readonly log: Log
  readonly assets: () => ConsoleAssets
  readonly frameOf: (who: SignedIn, language: Language) => Promise<FrameData>
  readonly shopName: () => string
  readonly pictureOf: ConsoleContext['pictureOf']
  readonly aProductPath: ConsoleContext['aProductPath']
  readonly timeZone: string
  readonly isDemo: boolean
  readonly paying: ConsoleContext['paying']
  readonly supplying: ConsoleContext['supplying']
  readonly ready: ConsoleContext['ready']
  /** Whether home is the setup guide for whoever may set up the shop. */
  readonly opensOnGuide: () => Promise<boolean>
  readonly isHttps: boolean
  readonly isDevelopment: boolean
}

/** The pages of the console: made anew for each reader, kept by nobody. */
export interface ConsolePages {
  readonly answer: (request: ConsoleRequest) => Promise<ConsoleAnswer>
}

interface AskedPage {
  readonly match: RouteMatch | null
  readonly who: SignedIn | null
  readonly language: Language
  readonly path: string
  readonly query: URLSearchParams
  readonly isLive: boolean
}

export function createConsolePages(options: ConsoleOptions): ConsolePages {
  const security = pageSecurityHeaders([], options, [], [options.paying.publicUrl])
  return { answer }

  async function answer(request: ConsoleRequest): Promise<ConsoleAnswer> {
    const url = new URL(request.target, 'http://console')
    const path = url.pathname.slice(CONSOLE_PATH.length).replace(/\/$/, '') || '/'
    const who = await operatorOfCookie(
      options.ctx,
      request.cookie,
      options.isHttps,
      !request.isLive,
    )
    const match = await startOf(matchConsoleRoute(path), who, options)
    const elsewhere = elsewhereOf(match, who, path + url.search)
    if (elsewhere !== null) return leadTo(elsewhere, request)
    const language = languageOf(who, request)
    const query = url.searchParams
    const made = await makePage({ match, who, language, path, query, isLive: request.isLive })
    if (isJson(request)) return answerJson(made, request)
    const html = htmlOf(made, language, options)
    return encoded(html, made.status, request, { ...security, ...HTML })
  }

  async function makePage(asked: AskedPage): Promise<MadePage> {
    const { match, who, language, path, query, isLive } = asked
    const t = translatorOf(language.code)
    const ctx = who?.operator ?? options.ctx
    const frame = who ? await options.frameOf(who, language) : null
    const address = path + (query.size > 0 ? `?${query.toString()}` : '')
    const state = (page: string, title: string, data: unknown): PageState => ({
      page,
      address,
      title,
      data,
      frame,
    })
    if (!match) return notThere(t, state)
    const { route, params } = match
    if (who && !mayOpen(who, route))
      return {
        status: 403,
        state: state('refused', t('console.refused.title'), { permission: route.needs }),
      }
    try {
      const shop = { name: options.shopName(), isDemo: options.isDemo }
      const { timeZone, paying, supplying, pictureOf, aProductPath, ready } = options
      const session = who?.session
      const asks = { ctx, session, language, t, params, query }
      const known = { timeZone, shop, paying, supplying, pictureOf, aProductPath, ready }
      const context = { ...asks, ...known }
      const { title, data } = await getConsolePage(route.page).load(context as ConsoleContext)
      if (who && route.isCounted && !isLive) await countRead(who, route.page, data)
      return { status: 200, state: state(route.page, title, data) }
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return notThere(t, state)
      options.log.error('console page failed', { page: route.page, error })
      return { status: 500, state: state('failed', t('console.failed.title'), {}) }
    }
  }
}

/** An empty shop opens on its setup guide, until somebody has left that. */
async function startOf(
  match: RouteMatch | null,
  who: SignedIn | null,
  { isDemo, opensOnGuide }: ConsoleOptions,
): Promise<RouteMatch | null> {
  if (match?.route.page !== 'home' || !who || isDemo) return match
  const guide = matchConsoleRoute('/guide')
  if (!guide || !mayOpen(who, guide.route)) return match
  return (await opensOnGuide()) ? guide : match
}

/** As many as the page shows, whatever it calls them. */
function countRead({ operator }: SignedIn, page: string, data: unknown): Promise<void> {
  const parts: readonly unknown[] = Object.values(data as object)
  const rows = Math.max(0, ...parts.map((part) => (Array.isArray(part) ? part.length : 0)))
  return countPageRead(operator, { call: `console/${page}`, token: null, rows })
}

const mayOpen = (who: SignedIn, { needs }: RouteMatch['route']) =>
  needs === null || needs === 'visitor' || mayDo(who.operator.operator, needs)

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const JSON_TEXT = { 'content-type': 'application/json; charset=utf-8' }

function htmlOf(
  { state }: MadePage,
  language: Language,
  { assets, shopName }: ConsoleOptions,
): string {
  const t = translatorOf(language.code)
  const body = renderToString(
    <Console
      state={state}
      words={{ language: language.code, dir: language.dir, t }}
      Page={getConsolePage(state.page).Page}
    />,
  )
  return renderConsoleDocument(body, { state, language, assets: assets(), shopName: shopName() })
}

function answerJson({ status, state }: MadePage, request: ConsoleRequest) {
  return encoded(JSON.stringify(state), status, request, JSON_TEXT)
}

interface MadePage {
  readonly status: number
  readonly state: PageState
}

type StateOf = (page: string, title: string, data: unknown) => PageState

function notThere(t: Translate, state: StateOf): MadePage {
  return { status: 404, state: state('missing', t('console.missing.title'), {}) }
}

/** The operator's own, else what their browser asks for. */
function languageOf(who: SignedIn | null, { acceptLanguage = '' }: ConsoleRequest): Language {
  if (who) return getLanguage(who.session.profile.language)
  return negotiateLanguage(acceptLanguage) ?? getLanguage(DEFAULT_LANGUAGE)
}

/** Where a reader is led instead: to the sign-in and back, or away from it. */
function elsewhereOf(
  match: RouteMatch | null,
  who: SignedIn | null,
  address: string,
): string | null {
  const isForVisitors = match?.route.needs === 'visitor'
  if (who) return isForVisitors ? '/' : null
  if (isForVisitors) return null
  return address === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(address)}`
}

const isJson = ({ accept }: ConsoleRequest) => accept?.startsWith('application/json') === true

/** A page that is opened by the application is told to open another; a browser is sent there. */
function leadTo(address: string, request: ConsoleRequest): ConsoleAnswer {
  const location = CONSOLE_PATH + address
  return isJson(request)
    ? {
        status: 401,
        headers: { ...NOT_KEPT, ...JSON_TEXT },
        body: JSON.stringify({ to: location }),
      }
    : { status: 303, headers: { ...NOT_KEPT, location }, body: null }
}

const NOT_KEPT = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Cookie',
}

async function encoded(
  text: string,
  status: number,
  { encoding }: ConsoleRequest,
  headers: Readonly<Record<string, string>>,
): Promise<ConsoleAnswer> {
  const kept = { ...headers, ...NOT_KEPT }
  if (encoding === 'identity') return { status, headers: kept, body: text }
  return {
    status,
    headers: { ...kept, 'content-encoding': encoding },
    body: bodyIn(await encodeBody(text), encoding),
  }
}
