import { useEffect } from 'react'
import {
  createBrowserRouter,
  redirect,
  redirectDocument,
  ScrollRestoration,
  useLoaderData,
  type LoaderFunctionArgs,
} from 'react-router'
import { localPath, type Words } from '../i18n.tsx'
import type { PagePayload, PageView, ShellData } from '../page.ts'
import { ROUTES, type Layout } from '../routes.ts'
import { Shell } from '../shell/shell.tsx'
import { Failure } from './failure.tsx'
import { reloadOnceForMissingChunk } from './chunks.ts'
import type { PageState } from './entry.tsx'

const modules = import.meta.glob<PageView<never>>('../*/page.tsx')
const views = new Map<string, PageView<never>>()

/** Loads the code of a page's folder; a second call is free. */
export async function loadPageModule(page: string): Promise<void> {
  if (views.has(page)) return
  const load = modules[`../${page}/page.tsx`]
  if (!load) throw new Error(`no page ${page}`)
  views.set(page, await load().catch(reloadOnceForMissingChunk))
}

interface LoadedView {
  readonly payload: PagePayload
  readonly layout: Layout
}

type DataAnswer =
  | { readonly redirect: string }
  | (LoadedView & { readonly areas: readonly string[]; readonly redirect?: undefined })

/** The browser's router: the server says what a path shows; the table only names which code to fetch beside the data. */
export function createShopRouter(
  state: PageState,
  words: Words,
  loadAreas: (areas: readonly string[]) => Promise<void>,
) {
  const loader =
    (page: string | null, areas: readonly string[]) =>
    async ({ request }: LoaderFunctionArgs) => {
      const url = new URL(request.url)
      const [answer] = await Promise.all([
        fetchPage(url, request.signal),
        page === null ? undefined : loadPageModule(page),
        loadAreas(areas),
      ])
      if (answer.redirect !== undefined) throw redirectTo(answer.redirect, words.prefix)
      await Promise.all([loadPageModule(answer.payload.page), loadAreas(answer.areas)])
      return { payload: answer.payload, layout: answer.layout } satisfies LoadedView
    }
  const Component = () => <CurrentPage shell={state.shell} />
  const ErrorBoundary = () => <Failure shell={state.shell} />
  const routes = [
    ...ROUTES.map((route, index) => ({
      id: `${index} ${route.path}`,
      path: route.path,
      loader: loader(route.page, route.areas),
      Component,
      ErrorBoundary,
    })),
    { id: 'any', path: '*', loader: loader(null, []), Component, ErrorBoundary },
  ]
  const initial: LoadedView = { payload: state.payload, layout: state.layout }
  return createBrowserRouter(routes, {
    ...(words.prefix === '' ? {} : { basename: words.prefix }),
    // Whichever route the address matches, its data is what the server sent with the page.
    hydrationData: { loaderData: Object.fromEntries(routes.map((route) => [route.id, initial])) },
  })
}

function CurrentPage({ shell }: { readonly shell: ShellData }) {
  const { payload, layout } = useLoaderData() as LoadedView
  const view = views.get(payload.page)
  if (!view) throw new Error(`page ${payload.page} is not loaded`)
  useEffect(() => {
    document.title = payload.title
  }, [payload.title])
  return (
    <>
      <Shell shell={shell} payload={payload} layout={layout} Page={view.Page} />
      <ScrollRestoration />
    </>
  )
}

const TIMEOUT_MS = 30_000

async function fetchPage(url: URL, signal: AbortSignal): Promise<DataAnswer> {
  const response = await fetch(`/_data${url.pathname}${url.search}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) throw new Response(null, { status: response.status })
  return (await response.json()) as DataAnswer
}

function redirectTo(target: string, prefix: string): Response {
  const own = localPath(prefix, '/')
  const isOwn =
    prefix === '' ||
    target === own ||
    target.startsWith(`${prefix}/`) ||
    target.startsWith(`${prefix}?`)
  return isOwn ? redirect(target.slice(prefix.length) || '/') : redirectDocument(target)
}
