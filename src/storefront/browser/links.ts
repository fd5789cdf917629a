import type { createShopRouter } from './router.tsx'

type Router = ReturnType<typeof createShopRouter>

/**
 * Hands clicks on links of this language to the router. One listener for the document instead of a component for each link:
 * pages are full of plain anchors, which also work before and without this. A link to the page one is on loads it anew and
 * scrolls up (specification §4).
 */
export function handleLinks(router: Router, prefix: string): void {
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const anchor = (event.target as Element | null)?.closest('a')
    if (
      !anchor ||
      anchor.target !== '' ||
      anchor.hasAttribute('download') ||
      anchor.origin !== location.origin
    )
      return
    const path = pathWithin(anchor.pathname, prefix)
    if (path === null) return
    const isSame = anchor.pathname === location.pathname && anchor.search === location.search
    if (isSame && anchor.hash !== '') return
    event.preventDefault()
    closeMenus()
    void router.navigate(path + anchor.search + anchor.hash, { replace: isSame })
    if (isSame) scrollTo({ top: 0 })
  })
  closeDropDownsElsewhere()
}

/** A drop-down of the header closes when the pointer or the focus goes elsewhere, and on Escape, which leads back to its name. */
function closeDropDownsElsewhere(): void {
  const leave = (event: Event) => {
    if (!(event.target as Element | null)?.closest?.('details[name=nav]')) closeDropDowns()
  }
  document.addEventListener('pointerdown', leave)
  document.addEventListener('focusin', leave)
  document.addEventListener('keydown', (event) => {
    const menu =
      event.key === 'Escape'
        ? document.querySelector<HTMLDetailsElement>('details[name=nav][open]')
        : null
    if (!menu) return
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
    menu.open = false
  })
}

/** Forms that only ask (GET) are navigations like links; what their fields hold goes into the address, empty ones left out. */
export function handleForms(router: Router, prefix: string): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method !== 'get' || form.target !== '') return
    const action = new URL(form.action)
    const path = action.origin === location.origin ? pathWithin(action.pathname, prefix) : null
    if (path === null) return
    event.preventDefault()
    const fields = [...new FormData(form, event.submitter)].filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    )
    const query = new URLSearchParams(fields).toString()
    // A form that submits itself while typing leaves one step to go back, not one for every letter.
    const replace = event.submitter === null && form.dataset['live'] !== undefined
    void router.navigate(query === '' ? path : `${path}?${query}`, { replace })
  })
}

function closeDropDowns(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[name=nav][open]'))
    menu.open = false
}

/** A link followed closes what it stood in. A press beside the drawer or the filters' sheet closes those by itself. */
function closeMenus(): void {
  closeDropDowns()
  for (const drawer of document.querySelectorAll<HTMLElement>('[popover]:popover-open'))
    drawer.hidePopover()
}

const OTHER_PARTS = /^\/(?:api|img|assets|_data|console|sandbox)(?:\/|$)/
const OTHER_LANGUAGES =
  /^\/(?:ar|de|en|es|fr|hi|id|it|ja|ko|ms|my|nl|pt|ro|ru|th|tl|vi|zh|zh-tw)(?:\/|$)/

/** The path below the language prefix, or null when the address is of another language or not a page. */
export function pathWithin(pathname: string, prefix: string): string | null {
  if (OTHER_PARTS.test(pathname)) return null
  if (prefix === '') return OTHER_LANGUAGES.test(pathname) ? null : pathname
  if (pathname === prefix) return '/'
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null
}
