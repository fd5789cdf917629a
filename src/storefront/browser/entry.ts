import { showCurrent } from '#ui/show-current.ts'
import { handOverCart, openCart } from '../state/cart.ts'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { watchConnection } from '../state/online.ts'
import { expire, isSignedIn, openSession, rememberPerson } from '../state/session.ts'
import { createClient } from './api.ts'
import { showCartBadge } from './cart-badge.ts'
import { showDrawerPerson } from './drawer-person.ts'
import { handleForms } from './forms.ts'
import { bringToLife } from './life.ts'
import { whenLoaded } from './loaded.ts'
import { closeMenus, handleMenus } from './menus.ts'
import { keepOfflinePage } from './offline.ts'
import { readPageState, type PageState } from './page-state.ts'
import { watchPictures } from './pictures.ts'
import { rememberPage, showSeen } from './seen.ts'
import { showSignals } from './signals.ts'
import { trackVisitsWithConsent } from './visit.ts'

const state = readPageState(document)
if (state) start(state)

/**
 * What every page needs of script, without React: it is small and runs as soon as the HTML is there. What needs more comes alive
 * from here (`life.ts`).
 */
function start(page: PageState): void {
  const { language, currency, payload, words, worker } = page
  client.set(
    createClient(
      { language: language.code, currency, requestFailed: String(words['shell.requestFailed']) },
      { isSignedIn, onExpired: () => expire(language.prefix) },
    ),
  )
  openCart()
  handleMenus()
  handleForms()
  bringToLife(page)
  // A personal page was made just now: it knows better than what this browser remembers.
  if (payload.person) rememberPerson(payload.person)
  // Where the frame is laid out anyway, and not before.
  requestAnimationFrame(() => {
    for (const row of document.querySelectorAll<HTMLElement>('[data-show-current]'))
      showCurrent(row)
  })
  comeBackFresh(language.prefix)
  eachAsTask([
    showCartBadge,
    showDrawerPerson,
    showSignals,
    watchConnection,
    () => showSeen(language.prefix),
  ])
  whenShown(() =>
    eachAsTask([
      () => void openSession().then(takeCartAlong),
      watchPictures,
      trackVisitsWithConsent,
      rememberPage,
      () => {
        if (document.querySelector('[data-abroad]')) whenLoaded(() => offerOwnCurrency(currency))
        if (worker) keepOfflinePage(worker)
      },
    ]),
  )
}

/** Fetched once everything else has come, where the page has a place for it. */
function offerOwnCurrency(currency: string): void {
  void import('./abroad.ts').then((page) => page.offerOwnCurrency(currency)).catch(() => undefined)
}

/** One after another: a slow phone draws and answers in between. */
function eachAsTask(acts: readonly (() => void)[]): void {
  for (const act of acts) setTimeout(act)
}

/** A page that is made ready before anybody asked for it (speculation rules) asks nothing and counts as nothing until it is shown. */
function whenShown(act: () => void): void {
  if ((document as Document & { readonly prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', act, { once: true })
  else act()
}

/** What was put into the cart before signing in is there afterwards, also on the page of the cart that is open. */
async function takeCartAlong(): Promise<void> {
  const isChanged = await handOverCart()
  if (isChanged && location.pathname.endsWith('/shop-cart')) refreshPage()
}

/** A page that the browser kept as it was left (back/forward cache) is put in order: others may have signed in or bought since. */
function comeBackFresh(prefix: string): void {
  const wasSignedIn = isSignedIn()
  addEventListener('pagehide', closeMenus)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (isSignedIn() !== wasSignedIn) return location.reload()
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-filters]'))
      form.reset()
    openCart()
    showSeen(prefix)
    void openSession()
  })
}
