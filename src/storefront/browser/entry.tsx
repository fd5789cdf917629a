import '#ui/styles.ts'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { WordsProvider } from '../i18n.tsx'
import type { PagePayload, ShellData } from '../page.ts'
import type { Layout } from '../routes.ts'
import { handOverCart, openCart } from '../state/cart.ts'
import { client } from '../state/client.ts'
import { navigation } from '../state/navigation.ts'
import { watchConnection } from '../state/online.ts'
import { openSearchHistory } from '../state/search-history.ts'
import { expire, isSignedIn, openSession } from '../state/session.ts'
import { createClient } from './api.ts'
import { handleForms, handleLinks } from './links.ts'
import { createWords } from './messages.ts'
import { watchPictures } from './pictures.ts'
import { showNavigationProgress } from './navigation-progress.ts'
import { prefetchOnHover } from './prefetch.ts'
import { createShopRouter, loadPageModule } from './router.tsx'
import { trackVisitsWithConsent } from './visit.ts'

/** What the server put beside the HTML: enough to render the same tree. */
export interface PageState {
  readonly shell: ShellData
  readonly payload: PagePayload
  readonly layout: Layout
  readonly areas: readonly string[]
}

declare global {
  interface Window {
    /** What was pressed before the application was alive; set by the boot script. */
    replay?: HTMLElement
  }
}

await start()

async function start(): Promise<void> {
  const root = document.getElementById('root')
  const state = JSON.parse(
    document.getElementById('page-data')?.textContent ?? 'null',
  ) as PageState | null
  // Pages the server made without React (its error page) carry no state and stay as they are.
  if (!root || !state) return
  const { words, loadAreas } = createWords(state.shell.language)
  await Promise.all([loadAreas(state.areas), loadPageModule(state.payload.page)])
  const router = createShopRouter(state, words, loadAreas)
  client.set(
    createClient(words, state.shell.currency.code, {
      isSignedIn,
      onExpired: () => expire(words.prefix),
    }),
  )
  navigation.set({
    go: (path) => void router.navigate(path),
    reload: () => void router.revalidate(),
  })
  hydrateRoot(
    root,
    <StrictMode>
      <WordsProvider value={words}>
        <RouterProvider router={router} />
      </WordsProvider>
    </StrictMode>,
  )
  openCart()
  void openSession().then(takeCartAlong)
  openSearchHistory()
  watchConnection()
  watchPictures()
  handleLinks(router, words.prefix)
  handleForms(router, words.prefix)
  showNavigationProgress(router)
  prefetchOnHover(words.prefix)
  trackVisitsWithConsent()
  document.documentElement.dataset['alive'] = ''
  // After React has taken over the tree, so that the press finds its handler.
  requestAnimationFrame(() => requestAnimationFrame(() => window.replay?.click()))
}

/** What was put into the cart before signing in is there afterwards, also on the page of the cart that is open. */
async function takeCartAlong(): Promise<void> {
  const isChanged = await handOverCart()
  if (isChanged && location.pathname.endsWith('/shop-cart')) navigation.get()?.reload()
}
