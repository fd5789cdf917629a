import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { ROUTES, type Route } from '../routes.ts'

const SEGMENT_MAX = 120

const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] })
for (const route of ROUTES) {
  if (route.path.endsWith('?')) {
    router.add('GET', route.path.slice(0, route.path.lastIndexOf('/')), route)
    router.add('GET', route.path.slice(0, -1), route)
  } else router.add('GET', route.path, route)
}

export interface RouteMatch {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The route of a path without language prefix; fixed segments win over `:name`. Null when no page is there. */
export function matchRoute(path: string): RouteMatch | null {
  const [handlers, stash] = router.match('GET', path)
  const first = handlers[0]
  if (!first) return null
  const [route, found] = first
  const params: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(found as Record<string, number | string>)) {
    const text = typeof value === 'number' ? stash?.[value] : value
    if (text !== undefined && text.length > SEGMENT_MAX) return null
    params[name] = text
  }
  return { route, params }
}
