import { pathWithin } from './links.ts'
import { loadPageModule } from './router.tsx'
import { matchPath } from 'react-router'
import { ROUTES } from '../routes.ts'

interface Connection {
  readonly effectiveType?: string
  readonly saveData?: boolean
}

const done = new Set<string>()

/** Fetches the code of the page a pointer rests on, but not on slow or metered connections (specification §9). */
export function prefetchOnHover(prefix: string): void {
  document.addEventListener(
    'pointerover',
    (event) => {
      if (isSparing()) return
      const anchor = (event.target as Element | null)?.closest?.('a')
      const path =
        anchor && anchor.origin === location.origin ? pathWithin(anchor.pathname, prefix) : null
      if (path === null || done.has(path)) return
      done.add(path)
      const route = ROUTES.find((entry) => matchPath(entry.path, path))
      if (route) loadPageModule(route.page).catch(() => done.delete(path))
    },
    { passive: true },
  )
}

function isSparing(): boolean {
  const connection = (navigator as Navigator & { readonly connection?: Connection }).connection
  return connection?.saveData === true || /(?:^|-)2g$/.test(connection?.effectiveType ?? '')
}
