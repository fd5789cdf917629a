import type { createShopRouter } from './router.tsx'

type Router = ReturnType<typeof createShopRouter>

/**
 * Hands clicks on links of this language to the router. One listener for the document instead of a component for each link:
 * pages are full of plain anchors, which also work before and without this. A link to the page one is on loads it anew and
 * scrolls up (specification §4).
 */
export function handleLinkClicks(router: Router, prefix: string): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const anchor = (event.target as Element | null)?.closest('a')
    if (!anchor || anchor.target !== '' || anchor.hasAttribute('download') || anchor.origin !== location.origin) return
    const path = pathWithin(anchor.pathname, prefix)
    if (path === null) return
    const isSame = anchor.pathname === location.pathname && anchor.search === location.search
    if (isSame && anchor.hash !== '') return
    event.preventDefault()
    void router.navigate(path + anchor.search + anchor.hash, { replace: isSame })
    if (isSame) scrollTo({ top: 0 })
  })
}

const OTHER_PARTS = /^\/(?:api|img|assets|_data|console|sandbox)(?:\/|$)/

/** The path below the language prefix, or null when the address is of another language or not a page. */
function pathWithin(pathname: string, prefix: string): string | null {
  if (OTHER_PARTS.test(pathname)) return null
  if (prefix === '') return /^\/(?:ar|de|es|fr|hi|id|it|ja|ko|ms|my|nl|pt|ro|ru|th|tl|vi|zh|zh-tw)(?:\/|$)/.test(pathname) ? null : pathname
  if (pathname === prefix) return '/'
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null
}
