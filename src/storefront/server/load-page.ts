import { ownPath } from '#kernel/own-path.ts'
import { securityEvent } from '#platform/security-log.ts'
import {
  PageNotFound,
  type HeaderPerson,
  type PageContext,
  type PageMeta,
  type PagePayload,
  type PersonalPageContext,
} from '../page.ts'
import type { Layout } from '../routes.ts'
import type { RouteMatch } from './match.ts'
import { getServerPage } from './registry.ts'

export interface LoadedPage {
  readonly payload: PagePayload
  readonly meta: PageMeta
  readonly layout: Layout
  /** Areas of locales that the browser needs for it. */
  readonly areas: readonly string[]
  /** Whether the answer may be kept and given to others. */
  readonly isCacheable: boolean
  /** Made for one person: for nobody's cache, and no address of it is told to other sites. */
  readonly isPersonal: boolean
  /** `Set-Cookie` values that go out with it. */
  readonly cookies?: readonly string[]
}

export const NOT_FOUND_PAGE = 'not-found'

/** Parameters that hold an address to go on to. */
const WAYS: ReadonlySet<string> = new Set(['redirect', 'url'])

/**
 * The canonical form of a page's address: its own query parameters in a fixed order, all others dropped, and of an address to
 * go on to only what is the shop's own, without secrets. Nothing else of a request ever stands in a page.
 * @param publicUrl origin of the shop
 */
export function canonicalAddress(
  path: string,
  match: RouteMatch | null,
  query: URLSearchParams,
  publicUrl: string,
): string {
  const kept = new URLSearchParams()
  for (const name of match?.route.query ?? []) {
    for (const value of query.getAll(name)) {
      const own = WAYS.has(name)
        ? (ownPath(value, publicUrl, { mayPass: true }) ?? '')
        : textOf(value)
      if (own !== '') kept.append(name, own)
    }
  }
  const text = kept.toString()
  return text === '' ? path : `${path}?${text}`
}

/** What is no text to the database counts as not given. */
function textOf(value: string): string {
  return value.includes('\0') ? '' : value
}

/** The context of a public page, or with the personal parts that of a personal one. */
export type LoadContext = Omit<PageContext, 'params'> &
  Partial<
    Pick<
      PersonalPageContext,
      'person' | 'ctx' | 'cookie' | 'forgetVisitorCart' | 'outcome' | 'offer' | 'payments'
    >
  > & { readonly headerPerson?: HeaderPerson | null }

/** Loads the data of a page; an address that names nothing loads the 404 page. A PageRedirect passes through. */
export async function loadPage(
  context: LoadContext,
  match: RouteMatch | null,
): Promise<LoadedPage> {
  if (match) {
    try {
      return await loadFolder(match.route.page, { ...context, params: match.params }, 200, match)
    } catch (error) {
      if (!(error instanceof PageNotFound)) throw error
      noteMissing(context, match)
    }
  }
  const missing = await loadFolder(NOT_FOUND_PAGE, { ...context, params: {} }, 404, null)
  // Below a personal address it may name the person in its header, and its address may hold what another service answered.
  return { ...missing, isPersonal: match?.route.access !== undefined }
}

/** What somebody signed in asks for and does not find may be another's, as it may be by a call. */
function noteMissing({ ctx, person }: LoadContext, { route }: RouteMatch): void {
  if (!ctx || !person) return
  securityEvent(ctx.log, 'access.refused', {
    page: route.page,
    reason: 'not_found',
    account: person.accountId,
  })
}

async function loadFolder(
  folder: string,
  page: LoadContext & PageContext,
  status: number,
  match: RouteMatch | null,
): Promise<LoadedPage> {
  const { load, meta } = getServerPage(folder)
  const data = await load(page)
  const head = meta(data, page)
  return {
    payload: {
      page: folder,
      status,
      title: page.t('title.suffix', { title: head.title, store: page.shop.settings.name }),
      address: canonicalAddress(page.path, match, page.query, page.publicUrl),
      data,
      ...(page.headerPerson ? { person: page.headerPerson } : {}),
      ...(page.outcome ? { outcome: page.outcome } : {}),
    },
    meta: head,
    layout: match?.route.layout ?? 'default',
    areas: match?.route.areas ?? ['not-found'],
    // Pages under free text (search, a way back) are as many as anyone cares to ask for.
    isCacheable: status === 200 && !head.noIndex && match?.route.access === undefined,
    isPersonal: match?.route.access !== undefined,
  }
}
